"""What a hosted repository reads of this one: it parses, and checks what `.ci/run` checks."""

from __future__ import annotations

import re

import pytest
import yaml

from tests.test_project import ROOT

HOSTED = ROOT / ".github"
WORKFLOW = HOSTED / "workflows" / "ci.yml"
FILES = sorted([*HOSTED.rglob("*.yml"), ROOT / ".pre-commit-config.yaml"])
FORMS = sorted(each for each in (HOSTED / "ISSUE_TEMPLATE").glob("*.yml") if each.name != "config.yml")
MADE = re.compile(r"^make\b[^\n]*? ([a-z-]+)\s*$", re.MULTILINE)
"""What a line of the shell makes: the last word of it."""


def parsed(path):
    return yaml.safe_load(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_it_is_yaml(path):
    assert isinstance(parsed(path), dict)


def test_linux_runs_the_very_check_of_a_clean_clone():
    lines = [each["run"] for each in parsed(WORKFLOW)["jobs"]["test"]["strategy"]["matrix"]["include"]]
    assert ".ci/run" in lines


def test_the_check_of_a_clean_clone_makes_what_the_readme_does_in_its_order_and_opens_the_report():
    assert MADE.findall((ROOT / ".ci" / "run").read_text(encoding="utf-8")) == [
        "report",
        "test",
        "open-report",
    ]
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert re.findall(r"^make ([a-z-]+)$", readme, re.MULTILINE)[:2] == ["report", "test"]


def test_macos_makes_what_the_check_of_a_clean_clone_makes():
    systems = parsed(WORKFLOW)["jobs"]["test"]["strategy"]["matrix"]["include"]
    assert [each["run"] for each in systems if each["os"] == "macos-latest"] == ["make test"]


def test_each_pull_request_and_every_night_runs_all_tests():
    workflow = parsed(WORKFLOW)
    (everything,) = (job for job in workflow["jobs"].values() if {"run": "make test-all"} in job["steps"])
    assert everything["if"] == "github.event_name != 'push'"
    # YAML 1.1 reads the key "on" as true.
    assert workflow[True].keys() == {"push", "pull_request", "schedule"}


def test_windows_sets_up_as_the_readme_says():
    steps = " ".join(step.get("run", "") for step in parsed(WORKFLOW)["jobs"]["windows"]["steps"])
    assert "env create" in steps
    assert "environment.yml" in steps
    assert "agtrace report sample_data/log_send_queue" in steps


def test_it_may_read_and_nothing_else():
    assert parsed(WORKFLOW)["permissions"] == {"contents": "read"}


def test_hooks_run_what_is_in_the_environment_and_fetch_nothing():
    repositories = parsed(ROOT / ".pre-commit-config.yaml")["repos"]
    assert [each["repo"] for each in repositories] == ["local"]
    hooks = repositories[0]["hooks"]
    assert {hook["language"] for hook in hooks} == {"system"}
    assert all(hook["entry"].startswith(".venv/bin/") for hook in hooks)


@pytest.mark.parametrize("path", FORMS, ids=lambda path: path.name)
def test_a_form_has_what_github_asks_of_it_and_warns_of_captures(path):
    form = parsed(path)
    assert {"name", "description", "body"} <= form.keys()
    fields = [each["id"] for each in form["body"] if each["type"] != "markdown"]
    assert len(set(fields)) == len(fields)
    assert re.search(r"Never attach captures.*not redacted", path.read_text(encoding="utf-8"))
