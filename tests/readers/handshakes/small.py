"""Small captures of handshakes: what damage starts from."""

from __future__ import annotations

from collections.abc import Iterator

TCPDUMP = """\
2019-08-20 10:31:07.412345 IP 10.20.0.5.51423 > 10.60.0.4.5022: Flags [SEW], seq 1200, win 65535, options [mss 1460,nop,wscale 8,nop,nop,sackOK], length 0
2019-08-20 10:31:07.527911 IP 10.60.0.4.5022 > 10.20.0.5.51423: Flags [S.], seq 77, ack 1201, win 65535, options [mss 1440,nop,nop,sackOK], length 0
2019-08-20 10:31:07.528002 IP 10.20.0.5.51423 > 10.60.0.4.5022: Flags [.], ack 1, win 65535, length 0
"""  # noqa: E501
TSHARK = """\
    1   0.000000    10.20.0.5 → 10.20.0.4    TCP 66 51424 → 5022 [SYN] Seq=0 Win=65535 Len=0 MSS=1460 WS=256 SACK_PERM=1
    2   0.000912    10.20.0.4 → 10.20.0.5    TCP 66 5022 → 51424 [SYN, ACK] Seq=0 Ack=1 Win=65535 Len=0 MSS=1460 WS=256 SACK_PERM=1
    3   0.000950    10.20.0.5 → 10.20.0.4    TCP 54 51424 → 5022 [ACK] Seq=1 Ack=1 Win=262144 Len=0
"""  # noqa: E501


def captures() -> Iterator[tuple[str, bytes]]:
    yield "tcpdump.txt", TCPDUMP.encode()
    yield "tshark.txt", TSHARK.encode()
