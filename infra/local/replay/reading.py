"""Tells the formats apart and reads a file."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from infra.local.replay import memorybank, openai_lines, ours
from infra.local.replay.plan import Plan, ReplayFileError

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path


def read_file(path: Path, *, now: datetime, space: str, user: str, days: int | None = None) -> Plan:
    """Read a conversation in any of the three formats.

    Args:
        path: the file.
        now: what undated or relative times count from.
        space: the space where the file names none.
        user: the user where the file names none.
        days: of MemoryBank's, only so many days of each user.

    Raises:
        ReplayFileError: it cannot be read, or is in none of the formats.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise ReplayFileError(f"{path} cannot be read ({type(error).__name__})") from error
    documents = _documents(text)
    first = documents[0] if documents else None
    if ours.reads(first) and isinstance(first, dict):
        return ours.read(first, now=now, space=space)
    if memorybank.reads(first) and isinstance(first, dict):
        return memorybank.read(first, space=space, days=days)
    lines = first if isinstance(first, list) else documents
    if openai_lines.reads(lines):
        return openai_lines.read(lines, now=now, space=space, user=user)
    raise ReplayFileError(f"{path} is none of: our conversations, OpenAI JSON lines, MemoryBank's JSON")


def _documents(text: str) -> list[object]:
    """The one document of a JSON file, or the documents of its lines."""
    try:
        return [json.loads(text)]
    except ValueError:
        pass
    documents: list[object] = []
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip():
            try:
                documents.append(json.loads(line))
            except ValueError as error:
                raise ReplayFileError(f"line {number} is no JSON") from error
    return documents
