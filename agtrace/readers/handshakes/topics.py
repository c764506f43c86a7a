"""Topics of the facts of handshakes."""

from __future__ import annotations

from agtrace.tables.topics import Value, facts

TOPICS = (
    facts(
        "tcp_handshake",
        "handshake of a TCP connection in a packet capture",
        Value("client", "client of the connection: address, or host in upper case"),
        Value("client_port", "its port, or its name in the capture"),
        Value("server", "whom it was opened to: address, or host in upper case"),
        Value("server_port", "its port, or its name in the capture"),
        Value("client_window", "window of the SYN, never scaled", "B"),
        Value("server_window", "window of the answer, never scaled", "B"),
        Value("client_scale", "window scale that the SYN offers: shift of 0 to 14, or none"),
        Value("server_scale", "window scale of the answer: shift of 0 to 14, or none"),
    ),
)
