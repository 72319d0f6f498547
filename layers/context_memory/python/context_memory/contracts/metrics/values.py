"""The closed values of dimensions. A test holds them and the domain's enums together; load imports none for them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from context_memory.domain.errors import UNFORESEEN, ContextMemoryError

if TYPE_CHECKING:
    from collections.abc import Iterator


def _classes(root: type[ContextMemoryError]) -> Iterator[str]:
    for child in root.__subclasses__():
        yield child.__name__
        yield from _classes(child)


ERROR_TYPES = frozenset({*_classes(ContextMemoryError), UNFORESEEN})
"""The classes of the error tree, and one word for everything that nobody foresaw."""
LOADED = frozenset({"success", "empty", "disabled", "error"})
SHOWN = frozenset({"success", "empty"})
RECALLED = frozenset({"hit", "cached", "empty", "disabled", "error"})
CITED = frozenset({"resolved", "withdrawn", "invented", "unknown"})
FACTS_WRITTEN = frozenset({"added", "confirmed", "superseded", "deleted", "refused", "pruned"})
EXTRACTED = frozenset(
    {
        "stored",
        "nothing",
        "skipped",
        "malformed",
        "model_rejected",
        "dropped_disabled",
        "dropped_erased",
        "expired",
        "dead",
    }
)
WRITTEN_BACK = EXTRACTED | {"waiting"}
EMBEDDED = frozenset({"success", "error"})
COMPACTED = frozenset({"compacted", "nothing", "refused", "malformed", "error"})
KEPT = frozenset({"kept", "summarised", "unread", "dropped"})
SUMMED = frozenset({"stored", "nothing", "malformed", "rejected", "overtaken", "error"})
OUTCOMES = frozenset(
    {
        "updated",
        "updated_partial",
        "forgotten",
        "noop",
        "unchanged",
        "skipped_blank",
        "pinned_conflict",
        "malformed",
        "scrub_veto",
        "model_rejected",
        "profile_unreadable",
        "schema_newer",
        "dropped_disabled",
        "dropped_erased",
        "dropped_superseded",
        "expired",
    }
)
WAITING, DEAD = "waiting", "dead"
"""What a turn can be besides having an outcome."""
PROCESSED = OUTCOMES | {WAITING, DEAD}
GATE = frozenset({"update", "noop", "forget", "fail_open"})
SCRUB = frozenset({"clean", "cleaned", "veto"})
RESULTS = frozenset(
    {
        "rewritten",
        "partial",
        "forgotten",
        "noop",
        "pinned_conflict",
        "malformed",
        "llm_error",
        "model_rejected",
        "scrub_veto",
        "unchanged",
        "unchanged_after_scrub",
    }
)
STEPS = frozenset({"full", "saving", "paused"})
SECRETS = frozenset(
    {
        "iban",
        "card",
        "ahv",
        "german_tax_id",
        "nir",
        "dni",
        "codice_fiscale",
        "bsn",
        "us_ssn",
        "vendor_key",
        "pem_block",
        "signed_token",
        "address_credentials",
    }
)
CONDENSED = frozenset({"llm_ok", "trimmed", "llm_failed_then_trimmed"})
CONDENSING = frozenset({"job", "post_consolidation"})
WRITERS = frozenset(
    {
        "turn",
        "user",
        "import",
        "restore",
        "unlearn",
        "condensation",
        "scrub",
        "administrator",
        "migration",
        "erase",
    }
)
ERASING = frozenset({"requested", "provisional", "final"})
NEWS = frozenset({"MemoryUpdated", "MemoryUnchanged", "MemoryUpdateFailed", "MemoryErased"})
PHASES = frozenset({"load", "write"})
PURPOSES = frozenset({"gate", "consolidation", "scrub", "condense", "extraction", "compact", "summary"})
DIRECTIONS = frozenset({"input", "cached", "output"})
OPERATIONS = frozenset(
    {
        *("credentials", "profile_read", "profile_write", "turn_read", "turn_write", "commit", "settings_read"),
        *("facts_read", "facts_write"),
    }
)
STORED = frozenset({"success", "error", "not_found", "denied", "conflict"})
STAGES = (
    PURPOSES
    | (OPERATIONS - {"settings_read"})
    | {"settings"}  # flags, spaces, and a user's own
    | {"load", "recall", "prompt_write", "embedding", "facts_index"}
    | {"http", "locks", "tokens", "audit", "ring", "news", "jobs", "agenda"}
)
WALKS = frozenset({"erase", "migrate", "unlearn", "condense", "expire", "compact", "summarise"})
WALKED = frozenset({"done", "failed"})
