"""JSON bodies read strictly, field by field, where nobody may wait for Pydantic's import. Standard library only.

What is expected is said as `contracts/expectations` says it for all other bodies.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Self

from context_memory.contracts.complaints import UNKNOWN, check_size, told
from context_memory.domain.errors import InvalidInput
from context_memory.domain.ids import encode

if TYPE_CHECKING:
    from enum import StrEnum


class Fields:
    """The fields of an object that are still to be read; null counts as absent.

    Every method raises `InvalidInput`, which names the field and never quotes what was sent.

    Args:
        values: the object.
        inside: name of the field that holds it, "" of the body itself.
    """

    def __init__(self, values: dict[str, Any], inside: str = "") -> None:
        self._left = {name: value for name, value in values.items() if value is not None}
        self._inside = inside

    @classmethod
    def of(cls, raw: bytes) -> Self:
        """Read a body.

        Raises:
            BodyTooLarge: more than 1 MB.
        """
        check_size(raw)
        try:
            values = json.loads(raw)
        except (ValueError, RecursionError):
            values = None
        if not isinstance(values, dict):
            raise InvalidInput("body", "must be a JSON object")
        return cls(values)

    def text(self, name: str) -> str:
        """A text that must be there; it may be empty."""
        value = self._given(name)
        if not _is_text(value):
            raise self._wrong(name, "must be a text")
        return str(value)

    def texts(self, name: str, *, most: int, longest: int) -> tuple[str, ...]:
        """A list of texts; none where it is absent."""
        values = self._left.pop(name, [])
        if not isinstance(values, list):
            raise self._wrong(name, "must be a list")
        if len(values) > most:
            raise self._wrong(name, f"must have at most {most} entries")
        for number, value in enumerate(values):
            if not _is_text(value):
                raise self._wrong(f"{name}.{number}", "must be a text")
            if len(value) > longest:
                raise self._wrong(f"{name}.{number}", f"must have at most {longest} characters")
        return tuple(values)

    def optional_id(self, name: str) -> str | None:
        """An id; None where it is absent."""
        value = self._left.pop(name, None)
        if value is None:
            return None
        if not isinstance(value, str):
            raise self._wrong(name, "must be a text")
        encode(value, self._path(name))
        return value

    def required_id(self, name: str) -> str:
        """An id that must be there."""
        value = self.optional_id(name)
        if value is None:
            raise self._wrong(name, "must be given")
        return value

    def number(self, name: str, *, least: int, most: int, otherwise: int) -> int:
        """A whole number."""
        value = self._left.pop(name, otherwise)
        if isinstance(value, bool) or not isinstance(value, int):
            raise self._wrong(name, "must be a whole number")
        if value < least:
            raise self._wrong(name, f"must be at least {least}")
        if value > most:
            raise self._wrong(name, f"must be at most {most}")
        return value

    def flag(self, name: str) -> bool | None:
        """True or false; None where it is absent."""
        value = self._left.pop(name, None)
        if not (value is None or isinstance(value, bool)):
            raise self._wrong(name, "must be true or false")
        return value

    def one_of[Value: StrEnum](self, name: str, values: type[Value]) -> Value | None:
        """One of these names; None where it is absent."""
        value = self._left.pop(name, None)
        if value is None:
            return None
        if not isinstance(value, str) or value not in values:
            raise self._wrong(name, f"must be one of {', '.join(values)}")
        return values(value)

    def fields(self, name: str) -> Fields | None:
        """The fields of an object in this one; None where it is absent."""
        value = self._left.pop(name, None)
        if value is None:
            return None
        if not isinstance(value, dict):
            raise self._wrong(name, "must be an object")
        return Fields(value, self._path(name))

    def end(self) -> None:
        """Refuse whatever has not been read."""
        if name := next(iter(self._left), None):
            raise InvalidInput(self._path(told(name)), "is not a field of this request", known=self._path(UNKNOWN))

    def _given(self, name: str) -> object:
        value = self._left.pop(name, None)
        if value is None:
            raise self._wrong(name, "must be given")
        return value

    def _wrong(self, name: str, detail: str) -> InvalidInput:
        return InvalidInput(self._path(name), detail)

    def _path(self, name: str) -> str:
        return f"{self._inside}.{name}" if self._inside else name


def _is_text(value: object) -> bool:
    """Whether it is a text that can be written down; a lone half of a surrogate pair cannot."""
    if not isinstance(value, str):
        return False
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True
