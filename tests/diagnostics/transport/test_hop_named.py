"""Which hop is named as what holds a stream back, and how sure that is: by elimination."""

from __future__ import annotations

from types import SimpleNamespace as Facts

import pytest

from agtrace.diagnostics.transport import verdict as v
from agtrace.diagnostics.transport.cause import cause
from agtrace.diagnostics.transport.confidence import Ground
from agtrace.measure.machines import Processors
from tests.diagnostics.transport.made_signs import FULL, IDLE, MB, UNSCALED, VARYING, lost, rate, signs, write
from tests.folded import folded

SLOW, BUSY = write(50, busy=0.95), Processors(97, 20, "perfmon")
BOTH = Facts(primary=Facts(), aligned=True)
ALONE = Facts(primary=None, aligned=False)
UNALIGNED = Facts(primary=Facts(), aligned=False)
COPIED = {"copy": 20 * MB, "cards": IDLE}
FITS = {"fits": ["the stream to the replica"], "ceiling": rate(p50=MB), "round_trip": 0.055}
OFF = FITS | {"tuning": "disabled", "lost": lost(0.00001)}
SEEN = {"secondary_write": write(1), "signs": {"processors": Processors(20, 20, "perfmon")}}


@folded(
    ("more", "seen", "kind", "confidence"),
    [
        # The log disk of the replica, unless a copy is as slow, the disk waits for log, or a window fits.
        ({}, {"secondary_write": SLOW}, v.LOG_DISK_SLOW, 0.8),
        ({}, {"secondary_write": SLOW, "link": UNALIGNED}, v.LOG_DISK_SLOW, 0.7),
        ({}, {"secondary_write": write(50, is_log=False)}, v.LOG_DISK_SLOW, 0.6),
        ({}, {"secondary_write": write(50, busy=0.01)}, v.NETWORK_LIMITED, 0.6),
        ({"copy": MB, "cards": IDLE}, {"secondary_write": SLOW}, v.NETWORK_LIMITED, 0.7),
        (FITS, {"secondary_write": SLOW}, v.LOG_DISK_SLOW, 0.8),
        (FITS, {"secondary_write": write(50, busy=0.6)}, v.WINDOW_LIMITED, 0.7),
        (OFF, {"secondary_write": SLOW}, v.WINDOW_LIMITED, 0.85),
        # Its processors, where the gate is closed or was not captured.
        ({"processors": BUSY}, {"gate": 100}, v.PROCESSORS_BUSY, 0.7),
        ({"processors": BUSY}, {"gate": None}, v.PROCESSORS_BUSY, 0.6),
        ({"processors": BUSY}, {"gate": 99}, v.NETWORK_LIMITED, 0.6),
        ({"processors": BUSY, "copy": MB, "cards": IDLE}, {"gate": 100}, v.NETWORK_LIMITED, 0.6),
        (OFF | {"processors": BUSY}, {"gate": 100}, v.WINDOW_LIMITED, 0.85),
        (OFF | {"processors": BUSY, "fits": []}, {"gate": 100}, v.PROCESSORS_BUSY, 0.7),
        # A full card.
        ({"cards": FULL}, {}, v.FULL_CARD, 0.8),
        ({"cards": FULL}, {"link": UNALIGNED}, v.FULL_CARD, 0.7),
        # A fast copy leaves the gate, or the sender.
        (COPIED, {"gate": 100} | SEEN, v.FLOW_CONTROL, 0.8),
        (COPIED, {"gate": 100}, v.FLOW_CONTROL, 0.7),
        (COPIED, {"gate": 99}, v.SEND_LIMITED, 0.7),
        (COPIED | {"log_reads": 40}, {"gate": 0}, v.SEND_LIMITED, 0.8),
        (COPIED, {"gate": None, "link": ALONE}, v.SEND_LIMITED, 0.5),
        (COPIED | {"lost": lost(0.01)}, {"gate": 100}, v.LOSSY_PATH, 0.7),
        # A window, the surer the more signs there are, and the less else could look so.
        (OFF, {}, v.WINDOW_LIMITED, 0.85),
        (OFF, {"link": ALONE}, v.WINDOW_LIMITED, 0.75),
        (OFF | {"fits": ["the stream to the replica", "Sales"]}, {}, v.WINDOW_LIMITED, 0.8),
        # Below what a window carries, loss or the receiver are as likely where neither was captured.
        (FITS | {"ceiling": rate(0.9 * MB, p50=0.8 * MB)}, {}, v.NETWORK_LIMITED, 0.7),
        (OFF | {"fits": []}, {}, v.NETWORK_LIMITED, 0.6),
        (OFF | {"fits": [], "round_trip": None}, {}, v.WINDOW_LIMITED, 0.75),
        (OFF | {"copy": MB, "cards": IDLE}, {}, v.WINDOW_LIMITED, 0.95),
        (OFF | {"tuning": None}, {}, v.WINDOW_LIMITED, 0.7),
        (OFF | {"tuning": None, "handshake": UNSCALED}, {}, v.WINDOW_LIMITED, 0.85),
        (OFF | {"tuning": "normal", "copy": MB, "cards": IDLE}, {}, v.WINDOW_LIMITED, 0.7),
        (OFF | {"lost": None, "ceiling": rate(p50=1.1 * MB)}, {}, v.WINDOW_LIMITED, 0.85),
        (OFF | {"lost": None}, {}, v.WINDOW_LIMITED, 0.7),
        (OFF | {"lost": None, "tuning": "normal", "copy": MB, "cards": IDLE}, {}, v.WINDOW_LIMITED, 0.65),
        (OFF | {"lost": None, "ceiling": VARYING, "copy": MB, "cards": IDLE}, {}, v.WINDOW_LIMITED, 0.7),
        (OFF | {"lost": lost(0.0005)}, {}, v.WINDOW_LIMITED, 0.65),
        # Loss, and what is left.
        ({"lost": lost(0.01)}, {}, v.LOSSY_PATH, 0.7),
        ({"lost": lost(0.01)}, {"link": ALONE}, v.LOSSY_PATH, 0.6),
        ({"lost": lost(0.001), "tuning": "disabled"}, {}, v.LOSSY_PATH, 0.65),
        ({}, {}, v.NETWORK_LIMITED, 0.6),
        ({}, {"gate": 100}, v.NETWORK_LIMITED, 0.5),
        ({}, {"gate": 100} | SEEN, v.NETWORK_LIMITED, 0.6),
        ({}, {"link": ALONE}, v.NETWORK_LIMITED, 0.5),
        ({}, {"link": UNALIGNED}, v.NETWORK_LIMITED, 0.5),
        ({"copy": MB, "cards": IDLE}, {}, v.NETWORK_LIMITED, 0.7),
        ({"copy": MB, "cards": IDLE}, {"link": ALONE}, v.NETWORK_LIMITED, 0.6),
    ],
)
def test_the_hop_that_is_left_is_named(more, seen, kind, confidence):
    also = seen.get("signs", {})
    known = {"link": BOTH, "gate": 0, "primary_write": None, "secondary_write": None} | seen
    found = cause(Facts(**known | {"signs": signs(**more | also)}))
    assert (found[0].said, found[1]) == (kind.said, confidence)


@pytest.mark.parametrize(
    ("changes", "confidence"),
    [((), 0.6), ((-0.1, -0.05), 0.45), ((-0.1234,), 0.48), ((-0.9,), 0.05), ((0.9,), 1.0)],
)
def test_a_confidence_stays_between_a_twentieth_and_one(changes, confidence):
    assert Ground.RTO.lowered(*changes) == confidence
