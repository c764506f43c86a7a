"""Paths of the notebooks and the sample cases, in a checkout or in the installed packages."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from agtrace.errors import AgtraceError, CaseError

PACKAGE = Path(__file__).resolve().parent
SAMPLES = "agtrace_samples"
"""The package of the sample cases, which is optional."""


def notebooks() -> Path:
    """Return the folder of the notebooks.

    Raises
    ------
    AgtraceError
        They were not installed with the package.
    """
    bundled = PACKAGE / "_bundled" / "notebooks"
    if not (found := _in_checkout("notebooks") or bundled).is_dir():
        raise AgtraceError(
            "notebooks was not installed with agtrace", "install agtrace again, from its wheel or a checkout"
        )
    return found


def sample(name: str) -> Path:
    """Return the folder of a sample case, wherever agtrace is installed.

    Parameters
    ----------
    name
        Name of the sample: ``log_send_queue``.

    Raises
    ------
    CaseError
        There is no sample of that name; the message lists all samples.
    AgtraceError
        The package of the samples is not installed.
    """
    samples = _samples()
    names = sorted(path.name for path in samples.iterdir() if path.is_dir() and path.name[0] not in "._")
    if name not in names:
        known = ", ".join(names) or "none"
        raise CaseError(f"there is no sample {name!r}", f"samples: {known}")
    return samples / name


def tutorials() -> Path:
    """Return the folder of the tutorials, which come with the samples that they open.

    Raises
    ------
    AgtraceError
        The package of the samples is not installed.
    """
    in_checkout = _in_checkout("notebooks")
    return in_checkout / "tutorials" if in_checkout else _samples() / "_tutorials"


def shows() -> dict[str, str]:
    """Return a sentence on what each sample shows, by name."""
    import tomllib

    manifest = tomllib.loads((_samples() / "manifest.toml").read_text("utf-8"))
    return {
        name: about["told"]["customer"].partition(". ")[0].rstrip(".") for name, about in manifest.items()
    }


def is_installed_sample(case: Path) -> bool:
    """Return whether a case is a sample of the installed package, which is read-only."""
    installed = _installed_samples()
    return installed is not None and installed.resolve() in case.resolve().parents


def _samples() -> Path:
    if found := _in_checkout("sample_data") or _installed_samples():
        return found
    raise AgtraceError(
        "the sample cases are a package of their own, which is not installed", "pip install agtrace-samples"
    )


def _in_checkout(name: str) -> Path | None:
    # It comes first: an editable install has no bundled copy, and a stale one must not win.
    checkout = PACKAGE.parent
    is_there = (checkout / "pyproject.toml").is_file() and (checkout / name).is_dir()
    return checkout / name if is_there else None


def _installed_samples() -> Path | None:
    found = find_spec(SAMPLES)
    places = found.submodule_search_locations if found else None
    return Path(next(iter(places))) if places else None
