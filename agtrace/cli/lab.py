"""``agtrace lab``: JupyterLab, opened on a notebook that has the case loaded."""

from __future__ import annotations

from pathlib import Path

import click

from agtrace.cli.options import Opening, case_argument, case_options, settings_option
from agtrace.cli.outcome import DONE, FAILED
from agtrace.cli.reading import read_case
from agtrace.cli.terminal import one_line, say
from agtrace.extras import need


@click.command("lab")
@case_argument
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Folder for the notebook. Default: agtrace-notebooks in your home folder.",
)
@click.option("--no-browser", is_flag=True, help="Print the address instead of opening a browser.")
@click.option("--no-server", is_flag=True, help="Write the notebook without starting JupyterLab.")
@settings_option
@case_options
def command(
    case: Path,
    out: Path | None,
    no_browser: bool,
    no_server: bool,
    thresholds: dict[str, float],
    opening: Opening,
) -> int:
    """Read new captures in the folder CASE and open a notebook with the case loaded.

    The notebook is stored outside CASE; an existing one is opened unchanged. Modules in CASE are never
    imported. The server accepts only local connections, with a token; Ctrl-C stops it.

    \b
    agtrace lab case-1234
    agtrace lab case-1234 --out notebooks --no-browser
    """
    need("lab", "agtrace lab", "nbformat")
    from agtrace.lab.notebook import notebook_folder, write_notebook
    from agtrace.lab.start import check_installed, start_lab

    if not no_server:
        check_installed()
    folder = notebook_folder(case, out)
    with read_case(case, opening, thresholds=thresholds) as (opened, _ingested):
        notebook = write_notebook(opened, folder, case_settings=opening.case_settings, thresholds=thresholds)
    say(f"Notebook: {one_line(str(notebook))}")
    if no_server:
        return DONE
    return FAILED if start_lab(case, notebook, browser=not no_browser) > 0 else DONE
