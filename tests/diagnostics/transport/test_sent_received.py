"""Sent against received: whose bytes, what compares, and what is said where nothing does."""

from __future__ import annotations

import numpy as np
import pytest

from agtrace.diagnostics.transport import Transport, figures
from agtrace.say.figures import describe
from tests.behind import assert_facts, texts
from tests.diagnostics.tiny import Case, case
from tests.diagnostics.transport.cases import ROWS, SLOW, perfmon

TRANSPORT = r"P | \SQLServer:Availability Replica(AG:S)\Bytes Sent to Transport/sec | 640000"
CARD = r"S | \Network Interface(Nic)\Bytes Received/sec | 700000"
MORE = "\n".join((TRANSPORT, CARD))
COMPRESSED = {"sent": "625000", "wire": "640000", "received": "800000", "hardened": "800000",
              "redone": "800000", "queue": "0..117187", "resent": "100x0,0.5"}  # fmt: skip
"""1 MB/s of log is flushed and 0.8 MB/s of it received, in 0.64 MB/s on the wire."""


def version(product: str) -> str:
    return f"P | startup | 0 | product_version | {product}"


V2014, V2019 = version("12.0.6024.0"), version("15.0.4298.1")


def made(*changes: dict[str, str], facts: str = V2014, more: str = MORE, **options) -> Transport:
    only = options.pop("only", "PS")
    extra = "\n".join(line for line in more.splitlines() if line[0] in only)
    rows = perfmon(COMPRESSED, *changes, only=only)
    return Transport(case(f"{rows}\n{extra}", facts=facts, **options))


def row(transport: Transport, hop: str) -> dict:
    (found,) = [r for r in transport.tbl_sent_received().to_dict("records") if r["hop"] == hop]
    return found


def said(transport: Transport) -> str:
    import html

    return html.unescape(transport.say_sent_received())


# Whose bytes


def test_every_hop_says_whose_bytes_it_counts():
    table = made().tbl_sent_received()
    assert dict(zip(table["hop"], table["unit"], strict=True)) == {
        "log flushed": "log B/s",
        "sent to the replica": "wire B/s",
        "sent to the transport": "wire B/s",
        "received from the primary": "wire B/s",
        "log received": "log B/s",
        "log hardened": "log B/s",
        "log redone": "log B/s",
        "sent by the card": "B/s, all traffic",
        "received by the card": "B/s, all traffic",
        "messages resent": "1/s",
        "log per byte on the wire": "ratio",
    }


# What compares


def test_up_to_2014_bytes_sent_compare_with_bytes_received_on_the_wire():
    found = made()
    assert row(found, "received from the primary")["of_sent"] == pytest.approx(1)
    assert np.isnan(row(found, "log received")["of_sent"])
    assert row(found, "log received")["of_flushed"] == pytest.approx(0.8)
    assert np.isnan(row(found, "sent to the transport")["of_flushed"])


def test_from_2016_on_bytes_sent_compare_with_log_received():
    found = made({"sent": "800000"}, facts=V2019, more=CARD)
    assert row(found, "sent to the replica")["unit"] == "log B/s"
    assert row(found, "sent to the replica")["of_flushed"] == pytest.approx(0.8)
    assert row(found, "log received")["of_sent"] == pytest.approx(1)
    assert np.isnan(row(found, "received from the primary")["of_sent"])


def test_with_an_unknown_version_nothing_is_compared_across_units_and_both_sides_are_shown():
    found = made(facts="")
    table = found.tbl_sent_received()
    assert table["of_sent"].isna().all()
    assert row(found, "sent to the transport")["unit"] == "B/s, log or wire"
    assert row(found, "sent to the transport")["mean"] == pytest.approx(640000)
    assert row(found, "log received")["of_flushed"] == pytest.approx(0.8)
    drawn = found.fig_sent_received("S")
    panels = [each.text for each in drawn.layout.annotations]
    assert "bytes sent, log or wire: not known" in panels
    assert "sent: 120 points, 640 to 640 KB/s, 0 gaps" in describe(drawn).splitlines()


def test_trace_flag_9592_without_a_known_commit_mode_leaves_the_unit_open():
    flag = f"{V2019}\nP | trace_flag | 0 | 9592 | on | -3600"
    found = made(facts=flag)
    assert found.tbl_sent_received()["of_sent"].isna().all()


def test_a_steady_difference_in_one_unit_puts_the_unit_in_doubt():
    found = made({"sent": "640000"}, facts=V2019, more="")
    assert row(found, "log received")["of_sent"] == pytest.approx(1.25)


def test_compression_is_measured_where_both_units_are_counted():
    found = made()
    assert row(found, "log per byte on the wire")["mean"] == pytest.approx(1.25)


def test_log_that_is_in_no_queue_is_said():
    assert "send queue" not in said(made({"queue": None}))


def test_resent_messages_are_counted():
    assert row(made(), "messages resent")["total"] == pytest.approx(50)  # 20 samples of 5 s at 0.5


def test_the_windows_of_one_replica_share_their_panels():
    (one,) = made(more="").sent_received()
    fig = figures.sent_received([one, one])
    assert [a.text for a in fig.layout.annotations].count("log bytes") == 1
    assert [t.name for t in fig.data].count("flushed") == 2
    assert [t.showlegend for t in fig.data if t.name == "flushed"] == [True, False]


def test_ratios_over_time_are_a_table_of_blocks():
    table = made().tbl_sent_received_over_time()
    assert len(table) == 10
    np.testing.assert_allclose(table["received_of_sent"], 1)
    np.testing.assert_allclose(table["received_of_flushed"], 0.8)
    np.testing.assert_allclose(table["log_per_wire_byte"], 1.25)
    assert table["start"][0] == "2024-03-05T11:59:55Z"


# Times


def test_blanks_are_no_zeros_and_only_shared_time_compares():
    found = made({"wire": "60x640000,-", "received": "60x800000,-"})
    wire, log = row(found, "received from the primary"), row(found, "log received")
    assert (wire["total"], wire["samples"]) == (pytest.approx(640000 * 300), 60)
    assert wire["of_sent"] == pytest.approx(1)
    assert log["of_flushed"] == pytest.approx(0.8)
    assert wire["compared"] == pytest.approx(0.5)
    assert wire["covered"] == pytest.approx(0.5)


def test_a_known_skew_is_taken_out_and_said():
    burst = {"sent": "60x100000,12x2000000,100000", "wire": "66x100000,12x2000000,100000"}
    plain = made(burst, more="")
    assert "do not move together" not in said(plain)  # half a minute apart: most blocks agree
    (found,) = made(burst, more="", skew=(("P", "S", -30_000.0),)).sent_received()
    assert found.comparison is not None
    np.testing.assert_allclose(found.comparison.shared.ratios(found.edges)[:10], 1)


def test_sides_that_do_not_move_together_are_not_compared():
    waves = "10x100000,10x2000000," * 6
    moved = "10x2000000,10x100000," * 6
    found = made({"sent": waves.rstrip(","), "wire": moved.rstrip(",")}, more="")
    assert found.tbl_sent_received()[["of_sent", "of_flushed"]].isna().all().all()


def test_an_unknown_clock_gives_no_ratio():
    found = made(zone_unknown=("S",))
    table = found.tbl_sent_received()
    assert table[["of_sent", "of_flushed"]].isna().all().all()
    assert row(found, "log received")["mean"] == pytest.approx(800000)
    assert row(found, "log per byte on the wire")["mean"] == pytest.approx(1.25)
    assert found.fig_sent_received().layout.xaxis3.title.text == "time (local, zone unknown)"


# One side, or less


def test_the_primary_alone_shows_its_side_and_no_ratio():
    found = made(only="P")
    table = found.tbl_sent_received()
    assert table[["of_sent", "of_flushed"]].isna().all().all()
    assert row(found, "sent to the transport")["mean"] == pytest.approx(640000)
    assert row(found, "log received")["counter"] == "S was not captured"


def test_the_replica_alone_shows_its_side_and_no_ratio():
    found = made(only="S")
    assert found.tbl_sent_received()["of_sent"].isna().all()
    assert row(found, "received from the primary")["mean"] == pytest.approx(640000)
    assert row(found, "log flushed")["counter"] == "P was not captured"


def test_log_hardened_is_derived_from_redo_where_no_counter_tells_it():
    found = made({"hardened": None, "redone": "600000", "recovery": "0..116210"})
    hardened = row(found, "log hardened")
    assert hardened["mean"] == pytest.approx(600000 + 116210 * 1024 / 595)
    assert hardened["counter"] == "Redone Bytes/sec + growth of Recovery Queue"
    none = row(made({"hardened": None, "recovery": None}), "log hardened")
    assert none["samples"] == 0
    assert none["counter"] == r"SQLServer:Databases\Log Bytes Flushed/sec was not captured on S"


@pytest.mark.parametrize("left_out", list(ROWS))
@pytest.mark.parametrize("only", ["PS", "P", "S"])
def test_any_counter_can_be_missing(left_out, only):
    found = made({left_out: None}, only=only)
    shares = found.tbl_sent_received()[["of_sent", "of_flushed"]].astype(float).to_numpy()
    known = shares[~np.isnan(shares)]
    assert all(np.isclose(value, 1, rtol=0.03) or np.isclose(value, 0.8) for value in known)
    found.say_sent_received()
    found.fig_sent_received()


def test_nothing_captured_is_an_empty_table_and_no_figure():
    empty = Transport(Case())
    assert (len(empty.tbl_sent_received()), empty.say_sent_received()) == (0, "")
    assert empty.figs_sent_received() == []
    assert empty.fig_sent_received().layout.title.text == "Nothing sent or received was captured"


def test_names_from_captures_cannot_become_markup():
    rows = perfmon(SLOW).replace("(AG:S)", "(AG:S<img src=x>)").replace("P |", "<b>P |")
    found = Transport(case(rows))
    assert "<" not in found.say_sent_received()
    titles = [fig.layout.title.text for fig in found.figs_sent_received()]
    assert not any("<img" in title or "<b>" in title for title in titles)


# Commit mode


def modes(*statements: tuple[int, str]) -> str:
    changed = "ALTER AVAILABILITY GROUP AG MODIFY REPLICA ON N'S' WITH (AVAILABILITY_MODE = {}_COMMIT)"
    return "\n".join(
        f"P | {seconds} | alwayson_ddl_executed | statement={changed.format(mode)}"
        for seconds, mode in statements
    )


def mode_of(transport: Transport) -> str | None:
    (found,) = transport.sent_received()
    return found.sending.mode.mode if found.sending.mode else None


@pytest.mark.complete
def test_the_commit_mode_in_force_counts():
    before = Transport(case(perfmon(), events=modes((-60, "SYNCHRONOUS"), (-30, "ASYNCHRONOUS"))))
    assert mode_of(before) == "asynchronous"
    assert_facts(texts(before.say_sent_received)["sent_received.md"], links=1, side_by_side=[])
    within = Transport(case(perfmon(), events=modes((-60, "SYNCHRONOUS"), (300, "ASYNCHRONOUS"))))
    assert mode_of(within) is None
    assert mode_of(Transport(case(perfmon()))) is None


def test_commits_that_waited_show_the_only_replica_to_be_synchronous():
    assert mode_of(Transport(case(perfmon(mirrored="20")))) == "synchronous"
    other = r"P | \SQLServer:Availability Replica(AG:T)\Bytes Sent to Replica/sec | 1000000"
    two = Transport(case(f"{perfmon(mirrored='20')}\n{other}"))
    assert [found.sending.mode for found in two.sent_received("S")] == [None]
