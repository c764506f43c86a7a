"""``python -m agtrace`` is the command ``agtrace``."""

import sys

from agtrace.cli import main

sys.exit(main())
