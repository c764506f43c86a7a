"""Lives of each judgement about what support hears most: true, nearly true, and without its sources.

``LIVES`` has a row for each wording; `test_judgements` holds that every wording has one.
"""

from __future__ import annotations

from tests.diagnostics.lives.access import ACCESS
from tests.diagnostics.lives.backup import BACKUP
from tests.diagnostics.lives.database import DATABASE
from tests.diagnostics.lives.health import HEALTH
from tests.diagnostics.lives.life import Life, Made
from tests.diagnostics.lives.readers import DISTRIBUTED, READABLE, REDO

LIVES = (*DATABASE, *REDO, *READABLE, *DISTRIBUTED, *ACCESS, *HEALTH, *BACKUP)

__all__ = ["LIVES", "Life", "Made"]
