"""Faults that end a start, a recovery, a join or data movement: each has its own finding and remedy."""

from __future__ import annotations

import re

import pytest

from agtrace.diagnostics.health import Health, noted
from tests.diagnostics.health.test_noted import with_lines

SCRIPT = (
    "Script level upgrade for database ''master'' failed because upgrade step ''ost.sql'' encountered error "
    "598, state 1, severity 25"
)
PATH = 'Directory lookup for the file "G:\\Ost\\d.ndf" failed with the operating system error 2(x).'
THUMBPRINT = "Cannot find server certificate with thumbprint ''0x1''"
RECOVERING = "An error occurred while recovering database ''Ost''"
STREAM = "Q:\\o.mdf:MSSQL_DBCC7: Operating system error 665(x) encountered."
FULL = "Could not allocate space for object ''x'' in database ''{}'' because"
MISSING_BLOCK = (
    "Always On Availability Groups transport has detected a missing log block for availability database"
)
SPARSE = "The operating system returned error {} to SQL Server during a write at offset 0x0 in file ''{}''."


def found(*lines, **more):
    shown = Health(with_lines(*lines, **more)).findings()
    return {f"{one.id} {one.severity}": one for one in shown if one.id.startswith("health.")}


@pytest.mark.parametrize(
    ("number", "text", "id_", "remedy"),
    [
        (912, SCRIPT, "start critical", "trace flag 902"),
        (3417, "Cannot recover the master database", "start critical", "restore master|rebuild"),
        (17051, "SQL Server evaluation period has expired.", "start critical", "Edition Upgrade"),
        (945, "Database ''Ost'' cannot be opened", "start critical", "ONLINE"),
        (3437, RECOVERING, "start critical", "in-doubt xact resolution"),
        (8510, "Enlist operation failed", "dtc warning", "Test-Dtc"),
        (33111, THUMBPRINT, "certificate warning", "CREATE CERTIFICATE"),
        (3633, "The operating system returned the error ''5''", "file warning", "FILESTREAM"),
        (5123, "CREATE FILE encountered operating system error 3(x)", "file warning", "create the folder"),
        (5149, "MODIFY FILE encountered operating system error 112", "file warning", "show the free space"),
        (1412, "The remote copy of database \"Ost\" has not been", "join warning", "WITH NORECOVERY"),
        (1478, "The mirror database, \"Ost\", has insufficient", "join warning", "WITH NORECOVERY"),
        (823, SPARSE.format("665(x)", "Q:\\o.mdf"), "file_limit notice", "not damaged"),
        (823, SPARSE.format("1450(x)", "Q:\\o.mdf:MSSQL_DBCC7"), "file_limit notice", "not damaged"),
        (17053, STREAM, "file_limit notice", "not damaged"),
        (1408, "The remote copy of database \"Ost\" is not recovered", "join warning", "NORECOVERY"),
        (35250, "The connection to the primary replica is not active", "join notice", "Test-NetConnection"),
        (1105, FULL.format("Ost"), "file warning", "ADD FILE"),
        (1105, FULL.format("tempdb"), "file warning", "version_store"),
        (26023, "Server TCP provider failed to listen on [ ''any'' ]", "start critical", "Get-NetTCP"),
        (3624, "A system assertion check has failed. Check", "exception warning", "CHECKDB"),
        (19432, f"{MISSING_BLOCK} \"Ost\". LSN", "network notice", "sent again"),
    ],
)  # fmt: skip
def test_each_fault_has_one_finding_with_its_own_remedy(number, text, id_, remedy):
    (one,) = found((60, number, text)).values()
    assert f"{one.id} {one.severity}" == f"health.{id_}"
    assert re.search(remedy, one.recommendation), one.recommendation
    assert one.recommendation.startswith("1. ")


def test_the_script_and_the_error_of_its_session_are_named():
    found_ = found((59, 5133, PATH), (60, 912, SCRIPT), (60, 3417, "Cannot recover the master database"))
    (one,) = found_.values()
    assert "ost.sql failed (error 598)" in one.title
    assert "error 5133" in one.recommendation


SUSPENDED = """
A | {} | data_movement | 35264 | database=Ost; event=suspended; source_string=SUSPEND_FROM_REDO
"""


@pytest.mark.parametrize(
    ("number", "remedy", "never"),
    [
        (33111, "CREATE CERTIFICATE", "seed"),
        (5133, "create the folder", "seed it again"),
        (5149, "show the free space", "seed it"),
    ],
)
def test_a_suspension_has_the_remedy_of_its_cause_and_reseeds_nothing(number, remedy, never):
    text = "During redoing of a logged operation in database ''Ost''"
    made = with_lines((60, number, PATH), (60, 3313, text), messages=SUSPENDED.format(61))
    shown = [one for one in Health(made).findings() if one.id.startswith("health.")]
    assert "health.redo_failed" not in {one.id for one in shown}
    (one,) = [each for each in shown if each.id == "health.suspended"]
    assert remedy in one.recommendation
    assert not any(re.search(rf"\b{never}\b", each.recommendation) for each in shown)
    assert one.recommendation.index(remedy) < one.recommendation.index("SET HADR RESUME")


def spn(code):
    text = (
        f"{noted.SPN} (SPN) [ MSSQLSvc/a.ost:1433 ] for the SQL Server service. Windows return code: {code}"
    )
    (one,) = Health(with_lines((60, None, text))).findings()
    return one.subject["kind"], one.severity, one.recommendation


def test_a_service_principal_name_of_another_account_is_found_and_removed():
    kind, severity, remedy = spn("0x21c7, state: 15.")
    assert (kind, severity) == ("spn_duplicate", "warning")
    assert re.search(r"setspn -Q MSSQLSvc/a.ost:1433.*setspn -D", remedy, re.DOTALL)
    assert spn("0x54b, state: 3.")[:2] == ("not_registered", "notice")


LOGIN = "Login failed for user ''shop''. Reason: Could not find a login. [CLIENT: 192.0.2.1]"
ROLE = "A | 50 | replica_state | 19406 | ag=AG; old_state={}; new_state=PRIMARY_NORMAL\n"


@pytest.mark.parametrize(
    ("at", "state", "old", "n"),
    [
        (60, 5, "SECONDARY_NORMAL", 1),
        (60, 8, "SECONDARY_NORMAL", 0),
        (3649, 5, "RESOLVING_PENDING_FAILOVER", 1),
        (3651, 5, "SECONDARY_NORMAL", 0),
        (40, 5, "SECONDARY_NORMAL", 0),
    ],
)
def test_a_login_that_is_missing_soon_after_a_change_of_role_is_copied_with_its_sid(at, state, old, n):
    made = with_lines((at, 18456, LOGIN), messages=ROLE.format(old))
    made.run(f"update errorlog set state = {state}")
    shown = [one for one in Health(made).findings() if one.id == "health.logins"]
    expected = ("warning", "not_copied") if n else ("info", "failed")
    assert [(one.severity, one.subject["kind"]) for one in shown] == [expected]
    assert not n or all("SID" in one.recommendation and "shop" in one.title for one in shown)
