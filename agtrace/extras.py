"""The optional extras of ``pip install agtrace``: their imports, and the error when one is missing."""

from __future__ import annotations

from importlib.util import find_spec

from agtrace.errors import MissingExtraError, StorageError

_REPORT = ("IPython", "ipykernel", "jupyter_client", "nbformat", "papermill", "plotly", "pypdf")

EXTRAS = {
    "report": _REPORT,
    "lab": (*_REPORT, "ipywidgets", "jupyterlab"),
    "export": ("kaleido", "plotly", "xlsxwriter"),
    "s3": ("fsspec", "s3fs"),
    "azure": ("adlfs", "fsspec"),
    "cluster": ("distributed",),
    "mcp": ("mcp",),
}
"""The modules of each extra that agtrace imports; the packages are in pyproject.toml."""

_STORAGES = {"s3": "s3", "s3a": "s3", "abfs": "azure", "abfss": "azure", "az": "azure", "adl": "azure"}
"""The extra that a scheme of storage URLs needs."""


def has(extra: str, *modules: str) -> bool:
    """Return whether an extra is installed, or these modules of it."""
    return all(find_spec(module) is not None for module in modules or EXTRAS[extra])


def need(extra: str, what: str, *modules: str) -> None:
    """Check that an extra is installed, before any work is done.

    Parameters
    ----------
    extra
        Its name.
    what
        The feature that needs it, as the user knows it.
    modules
        The required modules of the extra; default all.

    Raises
    ------
    MissingExtraError
        A module is not installed.
    """
    if not has(extra, *modules):
        raise MissingExtraError(what, extra)


def need_storage(url: str) -> None:
    """Refuse a storage URL whose extra is not installed.

    Raises
    ------
    MissingExtraError
        It is not.
    StorageError
        agtrace has no extra for it, and fsspec is not installed.
    """
    scheme = url.partition("://")[0]
    if extra := _STORAGES.get(scheme):
        need(extra, f"{scheme}://")
    elif not find_spec("fsspec"):
        # fsspec supports more schemes, by itself or through packages that the user installed.
        raise StorageError(f"{url}: no extra of agtrace is for {scheme}://", "pip install fsspec")
