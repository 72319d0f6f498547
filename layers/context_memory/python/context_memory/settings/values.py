"""What texts of variables may be. Whatever does not fit is a ValueError, which `reading` tells of."""

from __future__ import annotations

from typing import Any


def positive(text: str) -> int:
    """A number from 1 on."""
    number = int(text)
    if number < 1:
        raise ValueError(text)
    return number


def natural(text: str) -> int:
    """A number from 0 on."""
    number = int(text)
    if number < 0:
        raise ValueError(text)
    return number


def configuration(text: str) -> str:
    """Three names between slashes."""
    if [bool(name) for name in text.split("/")] != [True, True, True]:
        raise ValueError(text)
    return text


def share(text: str) -> float:
    """A part of a whole: above 0, at most 1."""
    number = float(text)
    if not 0 < number <= 1:
        raise ValueError(text)
    return number


def json_object(value: object) -> dict[str, Any]:
    """A copy of an object that JSON spelled."""
    if not isinstance(value, dict):
        raise ValueError("no JSON object")  # noqa: TRY004 - `read` knows one error
    return dict(value)


def texts(value: object) -> bool:
    """Whether it is some texts, none of them empty."""
    return isinstance(value, list) and all(isinstance(one, str) and one for one in value)
