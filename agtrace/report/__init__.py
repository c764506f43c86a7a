"""The report of a case: notebooks run side by side, one HTML page each, and an index over them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agtrace import interrupts, memory, notebook_format, strict_json
from agtrace.errors import NotebookError, StoreError, is_full
from agtrace.extras import need
from agtrace.globs import named
from agtrace.printable import printable
from agtrace.say.reported import ReportResult

if TYPE_CHECKING:
    from agtrace.case import Case
    from agtrace.diagnostics import Finding
    from agtrace.report.cells import Block
    from agtrace.report.execution import Executed
    from agtrace.report.folder import ReportFolder
    from agtrace.report.frame import Head
    from agtrace.report.kernel import Kernels
    from agtrace.report.steps import Steps
    from agtrace.resolve.offsets import Given

__all__ = ["ReportResult", "report"]


def report(
    case_folder: str | Path,
    out: str | Path | None = None,
    *,
    only: str | Iterable[str] = (),
    notebooks: Iterable[str | Path] = (),
    parameters: dict[str, Any] | None = None,
    store: str | Path | None = None,
    jobs: int | None = None,
    progress: bool = False,
    utc_offsets: Mapping[str, Given] | None = None,
    thresholds: Mapping[str, float] | None = None,
    case_settings: bool = True,
    follow_links: bool = False,
    trust_store: bool = False,
    ingest: bool = True,
    pages: bool = True,
    single_file: bool = False,
    pdf: bool = False,
    told: Callable[[list[Finding]], None] | None = None,
    whole: Callable[[Case, ReportResult], None] | None = None,
    added: Iterable[Finding] = (),
) -> ReportResult:
    """Write the report of a case.

    Ingests new captures, runs the notebooks whose analysis has input, and writes ``index.html``, a page and
    the executed notebook for each, and ``findings.json``.

    Parameters
    ----------
    case_folder
        Folder of captures, or the URL of one.
    out
        Folder of the report; default ``CASE/agtrace-report``, and in the current folder
        ``agtrace-report`` for a sample inside the installed package, ``NAME-agtrace-report`` for a
        case at a URL.
    only
        Names of notebooks; empty: all.
    notebooks
        Further notebooks to run: each becomes a page, and findings added by it (``case.add_finding``) are
        included in the report.
    parameters
        Parameters of the notebooks; each receives those that it declares.
    store, utc_offsets, thresholds, case_settings, follow_links, trust_store
        As in `agtrace.open_case`.
    ingest
        False if new captures have just been read: the report then covers the contents of the store.
    pages
        False runs no notebooks: the report is the index with the findings, and ``findings.json``.
    single_file
        Embed the script that draws figures in each page, so that it can be mailed alone; else the script is a
        separate file.
    pdf
        Also print the report into ``report.pdf``, the index first.
    told
        Called with the findings as soon as they are known; the pages take longer.
    whole
        Called with the case and the complete report before it replaces the previous one, which is kept if
        this raises.
    added
        Your own findings (``case.add_finding``), shown on the first page of the report.
    jobs
        Number of processes for decoding, and of further notebooks run in parallel; by default one per core,
        as far as memory allows.
    progress
        Show progress on the terminal.

    Returns
    -------
    ReportResult
        Contains a line for each failed notebook; the others are complete.

    Raises
    ------
    CaseError
        No such folder or notebook; a parameter unknown to all notebooks, or a value that is not in the case;
        or ``out`` is in use.
    AgtraceError
        No file in the folder could be read.
    StoreError
        The store cannot be created or written, or the temporary folder is full: the previous report is kept.
    AgtraceError
        No browser for printing was found, or it failed.
    MissingExtraError
        Pages are requested, and the extra ``report`` is not installed.
    """
    if pages:
        need("report", "agtrace report")
    from agtrace.ingest import case_folder as folder_of
    from agtrace.opening import keep_utc_offsets, nothing_usable, open_case
    from agtrace.report.chosen import bundled, check_parameters, check_values
    from agtrace.report.folder import ReportFolder
    from agtrace.report.kernel import Kernels
    from agtrace.report.own import own_notebooks
    from agtrace.report.place import report_path
    from agtrace.report.steps import Steps
    from agtrace.resolve.offsets import checked

    folder = folder_of(case_folder)
    checked(utc_offsets)
    own = own_notebooks(notebooks)
    chosen = bundled(named(only)) | own
    check_parameters(chosen, parameters or {})
    if not ingest:
        keep_utc_offsets(folder, store, utc_offsets, trust_store=trust_store)
    with Steps(len(chosen) if pages else 0, shown=progress) as steps, ExitStack() as left:
        kernels = Kernels()
        left.callback(kernels.end)
        left.enter_context(interrupts.stopped_by(kernels.end))
        with open_case(
            folder,
            store,
            ingest=ingest,
            jobs=jobs,
            utc_offsets=utc_offsets,
            progress=progress,
            thresholds=thresholds,
            case_settings=case_settings,
            follow_links=follow_links,
            trust_store=trust_store,
        ) as case:
            if case.ingested and not case.ingested.usable:
                raise nothing_usable(folder)
            check_values(case, chosen, parameters or {})
            case.added.extend(added)
            target = left.enter_context(ReportFolder(report_path(folder, out)))
            is_asked = bool(only or parameters)
            run = _Run(
                parameters or {},
                jobs,
                steps,
                kernels,
                case_settings,
                dict(thresholds or {}),
                pages,
                single_file,
                told,
                is_asked,
                own,
            )
            result = _made(case, target, chosen, run)
            _refuse_full_disk(case, result)
            if pdf:
                _print(target, steps)
            if whole is not None:
                whole(case, result)
        # Kernels take a moment to end; an interrupt at this point must still leave the previous report in
        # place.
        kernels.end()
        # This comes last: an interrupt before it leaves the previous report unchanged.
        target.finish()
    result.files = sorted(set(target.written))
    return result


def _refuse_full_disk(case: Case, result: ReportResult) -> None:
    """Raise if any part failed for lack of disk space: such a report must not replace a complete one."""
    from agtrace.store.scratch import has_room

    failed = [*result.failures, *case.failures.values()]
    if failed and (any(map(is_full, failed)) or not has_room()):
        raise StoreError(
            f"the temporary folder is full ({printable(str(failed[0])):.200}); no report was written",
            "free some space there, or name another folder in TMPDIR",
        )


@dataclass(frozen=True)
class _Run:
    """How the notebooks of a report are run."""

    parameters: dict[str, Any]
    jobs: int | None
    steps: Steps
    kernels: Kernels
    case_settings: bool
    thresholds: dict[str, float]
    pages: bool
    single_file: bool
    told: Callable[[list[Finding]], None] | None
    is_asked: bool
    """Whether notebooks were named or given parameters: each then counts as an answer, even without
    findings."""
    own: dict[str, Path]
    """The user's own notebooks, by name."""


def _made(case: Case, target: ReportFolder, notebooks: dict[str, Path], run: _Run) -> ReportResult:
    """Run the notebooks and write all files of the report."""
    from agtrace.diagnostics import by_severity
    from agtrace.report.own import added, adopt

    result = ReportResult(target.index)
    adopt(case, run.own)
    result.missing = case.unanswered(notebooks)
    given = run.parameters | {
        # A notebook is text; `agtrace.report.notebook.open_case` finds the folder by it.
        "case": printable(str(case.folder.resolve())),
        "store": str(case.store.resolve()),
        "ingest": False,
    }
    runnable = {n: path for n, path in notebooks.items() if run.pages and n not in result.missing}
    run.steps.begin(len(runnable))
    with _in_kernels({n: path for n, path in runnable.items() if n in run.own}, given, run) as foreign:
        told = _tell(case, list(notebooks), result, run.steps)
        if run.told is not None:
            with run.steps.aside():
                run.told(result.findings)
        ours = (
            run.steps.after(_run_here, path, given, case)
            for name, path in runnable.items()
            if name not in run.own
        )
        done = chain(ours, (future.result() for future in as_completed(foreign)))
        executed = _written(target, done, _around(case))
    interrupts.check()
    for name in set(run.own) & set(executed):
        told.by_analysis[name] = added(executed[name][0].notebook)
        result.findings = by_severity([*result.findings, *told.by_analysis[name]])
    run.steps.say("writing the pages")
    _write(target, case, told, executed, result, run)
    return result


@dataclass(frozen=True)
class _Told:
    """The findings and headers of the analyses of a case, without their notebooks."""

    by_analysis: dict[str, list[Finding]]
    heads: dict[str, Head]


def _tell(case: Case, names: list[str], result: ReportResult, steps: Steps) -> _Told:
    from agtrace.report import frame

    by_analysis = _findings(case, names, result, steps)
    asked = frame.Asked({*result.missing, *case.failures}, result.failures)
    heads = {n: frame.head(case.analysis(n), asked, has_found=bool(by_analysis.get(n))) for n in names}
    return _Told(by_analysis, heads)


@contextmanager
def _in_kernels(
    notebooks: dict[str, Path], given: dict[str, Any], run: _Run
) -> Iterator[list[Future[Executed]]]:
    """Run the user's notebooks in parallel, each in a kernel, in the background."""
    from agtrace.report.kernel import run_in_kernel

    if not notebooks:
        yield []
        return
    # A notebook of your own may ask for these, too.
    given = given | {"thresholds": run.thresholds, "case_settings": run.case_settings}
    most = memory.workers(os.cpu_count() or 1, each=memory.NOTEBOOK, beside=memory.NOTEBOOK)
    workers = max(min(run.jobs or most, len(notebooks)), 1)
    run.kernels.share = memory.share(workers, beside=memory.NOTEBOOK)
    # Threads are enough: the work is done in the kernels, and papermill is imported only once.
    pool = ThreadPoolExecutor(workers, thread_name_prefix="notebook")
    ask = partial(
        run_in_kernel, kernels=run.kernels, case_settings=run.case_settings, thresholds=run.thresholds
    )
    try:
        yield [pool.submit(run.steps.after, ask, path, given) for path in notebooks.values()]
    except BaseException:
        run.kernels.end()
        raise
    finally:
        # Threads whose kernel has ended stop within a second without being waited for.
        pool.shutdown(wait=False, cancel_futures=True)


def _run_here(path: Path, given: dict[str, Any], case: Case) -> Executed:
    from agtrace.report.execution import scratch_folder
    from agtrace.report.here import run_here

    with scratch_folder("notebook") as folder:
        return run_here(path, given, folder, case)


def _around(case: Case) -> str:
    """Return the part of a redacted case's path to hide: everything before its own name."""
    from agtrace.ingest.redacted import redacted_store

    if redacted_store(case.folder) is None:
        return ""
    around = printable(str(case.folder.resolve().parent))
    return strict_json.dumps(around.rstrip(os.sep) + os.sep, ensure_ascii=False)[1:-1]


def _quiet(notebook: Any) -> None:
    """Remove warnings of libraries from the outputs: they contain the installation path."""
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs = [each for each in cell.outputs if each.get("name") != "stderr"]


def _written(
    target: ReportFolder, done: Iterable[Executed], around: str
) -> dict[str, tuple[Executed, list[Block]]]:
    """Write each executed notebook, and yield the contents of its page, while others still run."""
    from agtrace.report.cells import blocks
    from agtrace.report.headings import headings

    found = {}
    for run in done:
        if around:
            _quiet(run.notebook)
        text = notebook_format.load().writes(run.notebook)
        if around:
            # Once as text, and once in the code that sets a parameter.
            text = text.replace(around.replace("\\\\", "\\\\\\\\"), "").replace(around, "")
        target.write(f"{run.name}.ipynb", text)
        found[run.name] = run, blocks(run.notebook, headings(run.name))
    return found


def _print(target: ReportFolder, steps: Steps) -> None:
    """Print all pages that have been written into one PDF, the index first."""
    from agtrace.report.printing import FILE, print_report

    names = sorted((name for name in target.written if name.endswith(".html")), key=_is_inner)
    print_report([target.staged(name) for name in names], target.place(FILE), steps.say)


def _is_inner(name: str) -> bool:
    return name != "index.html"


def _findings(case: Case, names: list[str], result: ReportResult, steps: Steps) -> dict[str, list[Finding]]:
    from agtrace.diagnostics import by_severity

    found: dict[str, list[Finding]] = {}
    for name in names:
        if name in result.missing:
            continue
        steps.say(f"findings of {name}")
        try:
            found[name] = by_severity(case.answers(name))
            if name in case.failures:
                raise case.failures[name]
        except Exception as error:
            interrupts.raise_again(error)
            text = " ".join(str(error).split())
            result.failures.append(
                NotebookError(f"the findings of {name} failed: {type(error).__name__}: {text}")
            )
    if case.added and found:
        first = next(iter(found))
        found[first] = by_severity([*found[first], *case.added])
    result.findings = by_severity([finding for each in found.values() for finding in each])
    return found


def _write(
    target: ReportFolder,
    case: Case,
    told: _Told,
    executed: dict[str, tuple[Executed, list[Block]]],
    result: ReportResult,
    run: _Run,
) -> None:
    from agtrace.report import frame
    from agtrace.report import pages as html
    from agtrace.report.scripts import bundle
    from agtrace.report.sections import sections

    heads, missing = told.heads, result.missing
    ran = {name: one for name, (one, _shown) in executed.items()}
    aside = {} if run.is_asked else frame.aside(heads, missing)
    pages = [
        frame.page(case.analysis(name), ran.get(name), missing.get(name, []), head, aside.get(name, ""))
        for name, head in heads.items()
    ]
    asked = frame.Asked(case.failures, result.failures)
    places = html.anchored(result.findings)
    mine = {
        page.name: [(anchor, f) for anchor, f in places if f in told.by_analysis.get(page.name, [])]
        for page in pages
    }
    listed = [
        html.Listed(anchor, f, f"{page.file}#{anchor}" if page.file else "", page.name)
        for page in pages
        for anchor, f in mine[page.name]
    ]
    shell = frame.shell(case, pages, result.findings, listed, asked)
    every_block = [block for name in heads if name in executed for block in executed[name][1]]
    drawn_by = bundle(every_block, single_file=run.single_file)
    for page in pages:
        if page.name not in executed:
            continue
        own, shown = executed[page.name]
        if own.failure:
            result.failures.append(own.failure)
        text = html.notebook_page(shell, page, sections(shown), mine[page.name], own.failure, drawn_by)
        result.pages[page.name] = target.write(page.file, text)
    if drawn_by.file and result.pages:
        target.write(drawn_by.file, drawn_by.text)
    target.write("findings.json", findings_json(result.findings))
    front = frame.front(case, heads.values(), result.findings, asked)
    order = {anchor: place for place, (anchor, _) in enumerate(places)}
    listed.sort(key=lambda each: order[each.anchor])
    target.write(target.index.name, html.index_page(shell, listed, result.failures, front))


def findings_json(findings: list[Finding]) -> str:
    """Return findings as the JSON of findings.json; numbers that are not finite become null."""
    return strict_json.dumps([f.to_dict() for f in findings], ensure_ascii=False, indent=1)
