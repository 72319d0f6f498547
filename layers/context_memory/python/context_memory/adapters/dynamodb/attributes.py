"""Plain values as DynamoDB spells them, and times as strings that sort like times."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mypy_boto3_dynamodb.type_defs import AttributeValueTypeDef

type Plain = str | bytes | int | bool | list[Plain] | dict[str, Plain] | None
"""What our items are made of."""


def spelled(value: Plain) -> AttributeValueTypeDef:  # noqa: PLR0911 - one for each type
    """One value with its type, as requests carry it."""
    match value:
        case None:
            return {"NULL": True}
        case bool():
            return {"BOOL": value}
        case int():
            return {"N": str(value)}
        case str():
            return {"S": value}
        case bytes():
            return {"B": value}
        case list():
            return {"L": [spelled(entry) for entry in value]}
        case dict():
            return {"M": spelled_all(value)}


def spelled_all(values: Mapping[str, Plain]) -> dict[str, AttributeValueTypeDef]:
    """A whole item, or the values of an expression."""
    return {name: spelled(value) for name, value in values.items()}


def read(attribute: AttributeValueTypeDef) -> Any:  # noqa: ANN401 - what an attribute holds is known where it is used
    """The value of one attribute.

    Raises:
        ValueError: a type that our items do not use.
    """
    ((kind, value),) = cast("Mapping[str, Any]", attribute).items()
    match kind:
        case "S" | "B" | "BOOL":
            return value
        case "N":
            return int(value)
        case "NULL":
            return None
        case "L":
            return [read(entry) for entry in value]
        case "M":
            return read_all(value)
        case _:
            raise ValueError(f"Items of this table have no attribute of type {kind}.")


def read_all(item: Mapping[str, AttributeValueTypeDef]) -> dict[str, Any]:
    """A whole item."""
    return {name: read(attribute) for name, attribute in item.items()}


def stamp(at: datetime) -> str:
    """ISO 8601 in UTC with microseconds: always 27 characters, so that strings compare as times do.

    Raises:
        ValueError: `at` does not say its zone.
    """
    if at.tzinfo is None:
        raise ValueError("A time without zone cannot be stored.")
    return at.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def moment(text: str) -> datetime:
    """The aware time that `stamp` wrote."""
    return datetime.fromisoformat(text)
