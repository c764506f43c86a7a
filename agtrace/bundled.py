"""Where the sample cases and the notebooks lie: in a checkout, or inside the installed package."""

from __future__ import annotations

from pathlib import Path

from agtrace.errors import AgtraceError, CaseError

PACKAGE = Path(__file__).resolve().parent


def notebooks() -> Path:
    """Give the folder of the notebooks.

    Raises
    ------
    AgtraceError
        They were not installed with the package.
    """
    return _folder("notebooks")


def sample(name: str) -> Path:
    """Give the folder of a sample case, wherever agtrace is installed.

    Parameters
    ----------
    name
        Name of the sample: ``log_send_queue``.

    Raises
    ------
    CaseError
        There is no sample of that name; the message lists those there are.
    AgtraceError
        The samples were not installed with the package.
    """
    samples = _folder("sample_data")
    names = sorted(path.name for path in samples.iterdir() if path.is_dir() and path.name[0] not in "._")
    if name not in names:
        known = ", ".join(names) or "none"
        raise CaseError(f"there is no sample {name!r}", f"samples: {known}")
    return samples / name


def shows() -> dict[str, str]:
    """Say what each sample shows, a sentence each, by name."""
    import tomllib

    manifest = tomllib.loads((_folder("sample_data") / "manifest.toml").read_text("utf-8"))
    return {
        name: about["told"]["customer"].partition(". ")[0].rstrip(".") for name, about in manifest.items()
    }


def is_installed_sample(case: Path) -> bool:
    """Tell whether a case is a sample inside the installed package, which nothing is written into."""
    bundled = (PACKAGE / "_bundled").resolve()
    return bundled in case.resolve().parents


def _folder(name: str) -> Path:
    # A checkout comes first: an editable install has no bundled copy, and a stale one must not win.
    checkout = PACKAGE.parent
    if (checkout / "pyproject.toml").is_file() and (checkout / name).is_dir():
        return checkout / name
    bundled = PACKAGE / "_bundled" / name
    if bundled.is_dir():
        return bundled
    raise AgtraceError(
        f"{name} was not installed with agtrace", "install agtrace again, from its wheel or a checkout"
    )
