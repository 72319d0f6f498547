"""The YAML block at the head of a profile, both ways."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

import yaml

if TYPE_CHECKING:
    from collections.abc import Mapping

OWN_FIELDS = ("user_id", "schema_version", "last_updated", "turn_count")
# YAML would read the owner 007 as seven, and 12_000 or a count of 010 as numbers that nobody wrote.
_KEPT_AS_WRITTEN = ("user_id", "schema_version", "turn_count")
_OPENING = re.compile(r"(?:[ \t]*\n)*---[ \t]*\n")
_CLOSING = re.compile(r"^---[ \t]*(?:\n|\Z)", re.MULTILINE)
_LONGEST = 20_000
# What the YAML reader raises beside its own errors: values such as 2026-13-45, and nesting without end.
_UNREADABLE = (yaml.YAMLError, ValueError, TypeError, OverflowError, RecursionError)


def split(text: str) -> tuple[Mapping[str, object] | None, str]:
    """Part a text (LF line ends) into its frontmatter and the rest.

    Returns:
        The fields and the text behind the closing fence; None and the whole text when what stands between two fences
        at the top is no YAML mapping with one of the four fields of a profile.
        `user_id`, `schema_version` and `turn_count` are text as it was written, other values are as YAML types them.
    """
    opening = _OPENING.match(text)
    closing = _CLOSING.search(text, opening.end()) if opening else None
    if not opening or not closing:
        return None, text
    fields = _fields(text[opening.end() : closing.start()])
    return (None, text) if fields is None else (fields, text[closing.end() :])


class _Dumper(yaml.SafeDumper):
    """Writes text with line breaks or controls on one line, escaped: folded over lines it would not come back."""

    def represent_text(self, text: str) -> yaml.ScalarNode:
        return self.represent_scalar("tag:yaml.org,2002:str", text, style=None if text.isprintable() else '"')


_Dumper.add_representer(str, _Dumper.represent_text)


def dump(fields: Mapping[str, object]) -> str:
    """Spell fields as YAML, one after the other, quoted only where YAML needs it."""
    spelled: str = yaml.dump(
        dict(fields), Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=math.inf, default_flow_style=False
    )
    return spelled


def _fields(source: str) -> dict[str, object] | None:
    # Prose between two rules may be long, and the YAML reader is slow.
    if len(source) > _LONGEST or not any(field in source for field in OWN_FIELDS):
        return None
    try:
        written = yaml.load(source, yaml.BaseLoader)  # noqa: S506 - the base loader makes text, lists and mappings only
    except _UNREADABLE:
        return None
    if not isinstance(written, dict) or not any(field in written for field in OWN_FIELDS):
        return None
    try:
        typed = yaml.safe_load(source)
    except _UNREADABLE:
        typed = written
    as_written = {field: written[field] for field in _KEPT_AS_WRITTEN if field in written}
    return {str(name): value for name, value in typed.items()} | as_written
