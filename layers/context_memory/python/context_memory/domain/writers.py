"""Who changes profiles. The enum is closed: every stored change names one member."""

from __future__ import annotations

from enum import StrEnum


class Writer(StrEnum):
    """What a revision says of who made it; metrics count by it, too."""

    TURN = "turn"
    USER = "user"
    IMPORT = "import"
    RESTORE = "restore"
    UNLEARN = "unlearn"
    CONDENSATION = "condensation"
    SCRUB = "scrub"
    ADMINISTRATOR = "administrator"
    MIGRATION = "migration"
