"""How things look in a terminal, and without one: colour only adds to what signs and words say already."""

from __future__ import annotations

import difflib
import sys
from typing import TYPE_CHECKING, TextIO

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from infra.local.answers import EXPECTED, STORED, SUCCESS
from infra.local.difference import Kind, sections
from infra.local.replay.summary import calls_by_purpose, failures, rows, total

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import RenderableType

    from infra.local.answers import Turn
    from infra.local.difference import Change
    from infra.local.replay.player import Played
    from infra.local.replay.summary import Row

_PLAIN_WIDTH = 100  # columns where there is no terminal to ask
_SIGNS = {Kind.ADDED: ("+", "green"), Kind.REMOVED: ("-", "red")}
_ERASE = "\N{SYMBOL FOR DELETE}"


def console(file: TextIO | None = None) -> Console:
    """A console that is plain when its output is no terminal."""
    stream = file or sys.stdout
    return Console(file=stream, highlight=False, width=None if stream.isatty() else _PLAIN_WIDTH)


def printable(text: str) -> str:
    """The text without control characters: what users and models write must not drive a terminal."""
    return "".join(char if char.isprintable() or char in "\n\t" else _ERASE for char in text)


def indented(what: RenderableType, columns: int) -> Padding:
    """Moved to the right, without blanks behind it."""
    return Padding(what, (0, 0, 0, columns), expand=False)


def show_difference(screen: Console, changes: Sequence[Change]) -> None:
    """The changes of a profile by section; in a changed bullet the new words stand out."""
    section = ""
    for change in changes:
        if change.section != section:
            section = change.section
            screen.print(indented(Text(section, style="bold"), 4))
        if change.kind is Kind.CHANGED:
            before, after = _marked(change.before, change.after)
            _bullet(screen, "-", before, "red")
            _bullet(screen, "+", after, "green")
        else:
            sign, style = _SIGNS[change.kind]
            _bullet(screen, sign, Text(printable(change.before or change.after), style=style), style)


def show_memory(screen: Console, body: str | None) -> None:
    """A profile's filled sections."""
    for heading, bullets in sections(body).items():
        if bullets:
            screen.print(indented(Text(printable(heading), style="bold"), 4))
            for bullet in bullets:
                _bullet(screen, "•", Text(printable(bullet)), "dim")


def outcome(played: Played) -> Text:
    """What became of a turn, in one line: outcome, calls, tokens in and out, time."""
    line = Text(played.error or played.ending, style=ending_style(played.ending))
    if state := played.state:
        if state.reason and state.outcome not in SUCCESS:
            line = Text.assemble(line, (f" · {state.reason}", "yellow"))
        count = len(state.calls)
        names = f" ({', '.join(state.calls)})" if count else ""
        calls = f" · {count} model call{'' if count == 1 else 's'}{names}"
        line = Text.assemble(line, (f"{calls} · {state.input_tokens:,} → {state.output_tokens:,} tokens", "dim"))
    return Text.assemble(line, (f" · {played.seconds:.1f} s", "dim"))


def written_back(state: Turn) -> Text:
    """What became of a turn's facts, in one line."""
    counts = [f"{count} {what}" for what, count in state.facts_changed.items() if count]
    return Text(f"facts: {', '.join(counts) or 'nothing new' if state.facts == 'done' else state.facts}", style="dim")


def ending_style(ending: str) -> str:
    """The colour of an outcome."""
    if ending in STORED:
        return "bold green"
    return "cyan" if ending in EXPECTED or ending.startswith("skipped") else "bold red"


def show_summary(screen: Console, played: Sequence[Played], seconds: float) -> None:
    """A table of outcomes, calls and tokens; below it what went wrong, turn by turn."""
    table = Table(box=SIMPLE_HEAD, show_footer=False, pad_edge=False)
    table.add_column("outcome")
    for name in ("turns", "model calls", "tokens in", "tokens out", "slowest"):
        table.add_column(name, justify="right")
    for row in rows(played):
        table.add_row(Text(row.ending, style=ending_style(row.ending)), *_figures(row))
    table.add_section()
    table.add_row(Text("all", style="bold"), *_figures(total(played)))
    screen.print(table)
    purposes = calls_by_purpose(played)
    calls = ", ".join(f"{count} {purpose}" for purpose, count in purposes.most_common()) or "none"
    screen.print(Text(f"Model calls: {calls}. Time: {seconds:.1f} s.", style="dim"))
    for one in failures(played):
        what = one.error or f"{one.ending}{f' ({one.state.reason})' if one.state and one.state.reason else ''}"
        screen.print(Text(f"✗ {printable(one.turn.user_id)}, {one.turn.turn_id}: {what}", style="bold red"))


def _figures(row: Row) -> list[str]:
    return [str(row.turns), str(row.calls), f"{row.input_tokens:,}", f"{row.output_tokens:,}", f"{row.seconds:.1f} s"]


def _bullet(screen: Console, sign: str, text: Text, style: str) -> None:
    line = Table.grid(padding=(0, 1))
    line.add_column(width=1)
    line.add_column()
    line.add_row(Text(sign, style=style), text)
    screen.print(indented(line, 6))


def _marked(before: str, after: str) -> tuple[Text, Text]:
    """Both texts, with the words that differ in bold."""
    old, new = printable(before).split(" "), printable(after).split(" ")
    texts = Text(style="red"), Text(style="green")
    for tag, start, end, begin, stop in difflib.SequenceMatcher(None, old, new).get_opcodes():
        style = "" if tag == "equal" else "bold"
        for text, words in zip(texts, (old[start:end], new[begin:stop]), strict=True):
            if words:
                text.append(" " if text.plain else "").append(" ".join(words), style=style)
    return texts
