"""Options explained once for all commands by ``agtrace help options``; the help of a command names them."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable

import click


class SharedOption(click.Option):
    """An option of many verbs, which the help of each verb names without its text."""

    def get_help_record(self, ctx: click.Context) -> None:
        return None

    def full_record(self, ctx: click.Context) -> tuple[str, str]:
        """Return the option as written on the command line, and its text."""
        record = super().get_help_record(ctx)
        assert record is not None
        return record


def shared_options(command: click.Command) -> list[SharedOption]:
    """Return the shared options of a verb in the order of its help."""
    return [each for each in command.params if isinstance(each, SharedOption)]


def named(options: Iterable[SharedOption]) -> str:
    """Return the paragraph that names shared options at the end of a verb's help; empty without any."""
    names = ", ".join(max(option.opts, key=len) for option in options)
    if not names:
        return ""
    # click would break a name at its hyphens.
    lines = textwrap.wrap(f"Also: {names}. See 'agtrace help options'.", 76, break_on_hyphens=False)
    return "\b\n" + "\n".join(lines)
