"""``agtrace help``: the help of a verb, or of the options that many verbs share."""

from __future__ import annotations

import click

from agtrace.cli.outcome import DONE
from agtrace.cli.shared_options import SharedOption, shared_options

TOPIC = "options"


@click.command("help")
@click.argument("topic", metavar="[COMMAND|options]", required=False)
@click.pass_context
def command(ctx: click.Context, topic: str | None) -> int:
    """Print the help of COMMAND, or of the options that many commands share.

    \b
    agtrace help report
    agtrace help options
    """
    top = ctx.find_root()
    if topic is None:
        click.echo(top.get_help())
    elif topic.lower() == TOPIC:
        click.echo(_options(top))
    else:
        assert isinstance(top.command, click.Group)
        name, verb, _ = top.command.resolve_command(top, [topic])
        assert verb is not None
        with click.Context(verb, info_name=name, parent=top) as inner:
            click.echo(verb.get_help(inner))
    return DONE


def _options(top: click.Context) -> str:
    """Return the help of the shared options, each with the commands that take it where not all do."""
    group = top.command
    assert isinstance(group, click.Group)
    options: dict[str, SharedOption] = {}
    verbs: dict[str, list[str]] = {}
    for name in group.list_commands(top):
        verb = group.get_command(top, name)
        for option in shared_options(verb) if verb else ():
            options[option.opts[0]] = option
            verbs.setdefault(option.opts[0], []).append(name)
    most = max(map(len, verbs.values()))
    formatter = top.make_formatter()
    formatter.write_text("Options that many commands share:")
    formatter.write_paragraph()
    rows = []
    for key, option in options.items():
        written, text = option.full_record(top)
        few = len(verbs[key]) < most / 2
        rows.append((written, f"{text} Of: {', '.join(verbs[key])}." if few else text))
    formatter.write_dl(rows)
    return formatter.getvalue().rstrip("\n")
