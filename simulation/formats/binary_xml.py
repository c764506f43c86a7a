"""Binary XML of Windows event logs: elements as they stand, and templates with values.

Source of the layout: "Windows XML Event Log (EVTX) format" of libevtx; [MS-EVEN6], BinXml.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import NamedTuple

FRAGMENT = b"\x0f\x01\x01\x00"
END = b"\0"
TEMPLATE_AT = len(FRAGMENT) + 10
"""Where the template of an instance that brings it begins."""


class Value(NamedTuple):
    """The place of a template's value, by its number."""

    number: int
    is_optional: bool = False


class Element:
    """An element: attributes, and texts, values and elements as its content."""

    def __init__(self, name: str, *content: str | bytes | Value | Element, **attributes: str | Value) -> None:
        self.name, self.content, self.attributes = name, content, attributes


class Typed(NamedTuple):
    """A value that a template is given, by the number of its type."""

    type: int
    data: bytes


def text(value: str) -> Typed:
    return Typed(0x01, value.encode("utf-16-le"))


def plain(place: int, element: Element) -> bytes:
    """Write an element that belongs to no template, for this place of a chunk."""
    writer = _Writer(place, has_dependencies=False)
    writer.data += FRAGMENT
    writer.element(element)
    return bytes(writer.data + END)


def instance(place: int, element: Element, values: Sequence[Typed], known_at: int | None = None) -> bytes:
    """Write a template with its values, for this place of a chunk.

    Parameters
    ----------
    known_at
        Where in the chunk the template is; default: it is written here.
    """
    at = place + TEMPLATE_AT
    head = FRAGMENT + b"\x0c\x01" + struct.pack("<II", 7, at if known_at is None else known_at)
    if known_at is None:
        writer = _Writer(at + 24, has_dependencies=True)
        writer.data += FRAGMENT
        writer.element(element)
        writer.data += END
        head += struct.pack("<I16sI", 0, bytes(16), len(writer.data)) + writer.data
    head += struct.pack("<I", len(values))
    head += b"".join(struct.pack("<HBB", len(value.data), value.type, 0) for value in values)
    return head + b"".join(value.data for value in values) + END


class _Writer:
    """Binary XML that begins at a place of the chunk."""

    def __init__(self, place: int, *, has_dependencies: bool) -> None:
        self._place, self._has_dependencies = place, has_dependencies
        self.data = bytearray()

    def element(self, element: Element) -> None:
        self.data += b"\x41" if element.attributes else b"\x01"
        if self._has_dependencies:
            self.data += b"\xff\xff"
        size_at = len(self.data)
        self.data += bytes(4)
        self._name(element.name)
        if element.attributes:
            list_at = len(self.data)
            self.data += bytes(4)
            for number, (name, content) in enumerate(element.attributes.items(), start=1):
                self.data += b"\x06" if number == len(element.attributes) else b"\x46"
                self._name(name)
                self._content(content)
            struct.pack_into("<I", self.data, list_at, len(self.data) - list_at - 4)
        if element.content:
            self.data += b"\x02"
            for content in element.content:
                self._content(content)
            self.data += b"\x04"
        else:
            self.data += b"\x03"
        struct.pack_into("<I", self.data, size_at, len(self.data) - size_at - 4)

    def _name(self, name: str) -> None:
        offset = self._place + len(self.data) + 4
        self.data += struct.pack("<IIHH", offset, 0, 0, len(name))
        self.data += name.encode("utf-16-le") + b"\0\0"

    def _content(self, content: str | bytes | Value | Element) -> None:
        if isinstance(content, Element):
            self.element(content)
        elif isinstance(content, Value):
            self.data += struct.pack("<BHB", 0x0E if content.is_optional else 0x0D, content.number, 1)
        elif isinstance(content, bytes):
            # Tokens, as they are.
            self.data += content
        else:
            self.data += b"\x05\x01" + struct.pack("<H", len(content)) + content.encode("utf-16-le")
