"""Dataclass fields that are read from environment variables."""

from __future__ import annotations

from dataclasses import MISSING, field, fields
from typing import TYPE_CHECKING, Any, ClassVar, Self

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from _typeshed import DataclassInstance


class SettingsError(Exception):
    """A variable is missing or wrong; the message names it."""


def variable(name: str, read: Callable[[str], object] = str, **options: Any) -> Any:  # noqa: ANN401 - as dataclasses.field
    """A field that is read from the variable `name`; one with a `default` may be absent."""
    return field(metadata={"name": name, "read": read}, **options)


class FromEnvironment:
    """Reads its dataclass fields from a mapping of environment variables."""

    __dataclass_fields__: ClassVar[dict[str, Any]]

    @classmethod
    def read(cls, environment: Mapping[str, str]) -> Self:
        """Build from the environment.

        Raises:
            SettingsError: a required variable is absent or empty, or a value does not fit; named, never shown.
        """
        values: dict[str, object] = {}
        for one in fields(cls):
            name, text = one.metadata["name"], environment.get(one.metadata["name"], "")
            if not text:
                if one.default is MISSING:
                    raise SettingsError(f"The environment variable {name} must be set.")
                continue
            try:
                values[one.name] = one.metadata["read"](text)
            except ValueError:
                raise SettingsError(f"The environment variable {name} has no usable value.") from None
        return cls(**values)


def variables(settings: type[DataclassInstance]) -> Mapping[str, bool]:
    """Names of the variables a function reads, and whether each must be set; infra's tests compare."""
    return {one.metadata["name"]: one.default is MISSING for one in fields(settings)}
