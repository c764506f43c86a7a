"""Opened samples, once for all tasks, and what is true of them."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

import agtrace
from agtrace.case import Case

MANIFEST = Path(__file__).resolve().parents[2] / "sample_data" / "manifest.toml"


@pytest.fixture(scope="session")
def truth() -> dict[str, Any]:
    """What is true of each sample."""
    return {name: sample["truth"] for name, sample in tomllib.loads(MANIFEST.read_text("utf-8")).items()}


@pytest.fixture(scope="session")
def opened(sample_store: Callable[[str], Path]) -> Iterator[Callable[[str], Case]]:
    """Opened samples by name."""
    cases: dict[str, Case] = {}
    with ExitStack() as left:

        def case(name: str) -> Case:
            if name not in cases:
                folder, store = agtrace.sample(name), sample_store(name)
                cases[name] = left.enter_context(agtrace.open_case(folder, store=store))
            return cases[name]

        yield case


@pytest.fixture(scope="session")
def queue(opened: Callable[[str], Case]) -> Case:
    """The log send queue of JBSAG3 grows."""
    return opened("log_send_queue")


@pytest.fixture(scope="session")
def failover(opened: Callable[[str], Case]) -> Case:
    """SalesAG fails over from HASQL1 to HASQL2: no processor time left for the lease."""
    return opened("failover_lease_cpu")


@pytest.fixture(scope="session")
def seeding(opened: Callable[[str], Case]) -> Case:
    """GestionCom is brought to AGDS2 by a restore, and by seeding without and with compression."""
    return opened("direct_seeding")


@pytest.fixture(scope="session")
def backups(opened: Callable[[str], Case]) -> Case:
    """475 backups in 19 configurations."""
    return opened("backup_tuning")


@pytest.fixture(scope="session")
def commits(opened: Callable[[str], Case]) -> Case:
    """Commits of SQL1 wait for SQL2, behind a slow network."""
    return opened("commit_network")
