"""Why a proposed fact is not stored: reasons that a log line may name, for they hold nothing of the fact."""

from __future__ import annotations

from enum import StrEnum


class Refusal(StrEnum):
    """The first reason that holds."""

    UNREADABLE = "unreadable"
    """Blank, a placeholder, or characters that have no bytes."""
    OURS = "ours"
    """It repeats our prompts (R7)."""
    LAST_LINE = "last_line"
    """The policy's last line recognises a number or a key in it."""
    EVIDENCE = "evidence"
    """The user did not say it, or not these numbers."""
    LANGUAGE = "language"
    DENIED = "denied"
    """By the user's own rules."""
    FORGOTTEN = "forgotten"
    """The user asked to forget it, then or since."""
    REPLACED = "replaced"
    """The message was edited, or is to be unlearned: only its wish to forget holds."""
    POLICY = "policy"
    """The policy's reader struck it out."""
    UNKNOWN = "unknown"
    """It names a fact that was not shown, or is gone."""
    LATE = "late"
    """The turn is older than what it would change."""
    CAP = "cap"
    """The user has as many facts as are kept, and none may go."""
