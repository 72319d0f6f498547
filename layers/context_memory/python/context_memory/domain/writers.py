"""Who changes profiles. The enum is closed: every stored change names one member."""

from __future__ import annotations

from enum import StrEnum


class Writer(StrEnum):
    """What a revision says of who made it; metrics count by it, too.

    `UNLEARN` is the user's own unlearning, `ADMINISTRATOR` that of a whole company.
    """

    TURN = "turn"
    USER = "user"
    IMPORT = "import"
    RESTORE = "restore"
    UNLEARN = "unlearn"
    CONDENSATION = "condensation"
    SCRUB = "scrub"
    ADMINISTRATOR = "administrator"
    MIGRATION = "migration"


UNLEARNING = frozenset({Writer.UNLEARN, Writer.ADMINISTRATOR})
"""Writers that take out what was learned from a source: what they bring back was told earlier, by somebody else."""
