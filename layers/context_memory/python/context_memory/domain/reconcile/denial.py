"""Deny rules: phrases that no new bullet may hold."""

from __future__ import annotations

from context_memory.domain.language.words import plain, script_without_blanks


def is_denied(bullet: str, phrases: tuple[str, ...]) -> bool:
    """Whether `bullet` holds one of `phrases` as whole words, folded.

    Phrases in scripts without blanks match anywhere. A phrase without any letter or digit matches nothing.
    """
    spaced = _spaced(bullet)
    closed = spaced.replace(" ", "")
    return any(_holds(spaced, closed, _spaced(phrase)) for phrase in phrases)


def _spaced(text: str) -> str:
    """The words of `text` with one blank around each."""
    return f" {' '.join(''.join(char if char.isalnum() else ' ' for char in plain(text)).split())} "


def _holds(spaced: str, closed: str, phrase: str) -> bool:
    if not phrase.strip():
        return False
    if any(script_without_blanks(char) for char in phrase):
        return phrase.replace(" ", "") in closed
    return phrase in spaced
