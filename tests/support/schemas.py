"""Bodies out of their JSON schemas: one that is sound, and every way in which one of its fields can be wrong."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

type Schema = Mapping[str, Any]
_MOMENT = "2026-06-17T11:40:00Z"
_SAMPLES = {"provider": "telegram:4711"}
"""Of fields whose schema does not say all that is expected, by their names."""
_MOST_ENTRIES = 500
"""Longer lists are no matter of a unit test."""
UNKNOWN = "(unknown field)"


@dataclass(frozen=True, slots=True)
class Broken:
    """A body with one wrong field, under the name that the caller must be told."""

    field: str
    body: Any


def sound(schema: Schema, root: Schema | None = None) -> Any:  # noqa: ANN401 - any JSON
    """The least that a schema takes."""
    root = root or schema
    one = _resolved(schema, root)
    if choices := one.get("enum", [one["const"]] if "const" in one else None):
        return choices[0]
    match one.get("type"):
        case "object":
            fields = one["properties"]
            return {name: _SAMPLES.get(name) or sound(fields[name], root) for name in one.get("required", ())}
        case "array":
            return [sound(one["items"], root)] * one.get("minItems", 0)
        case "integer":
            return one.get("minimum", 1)
        case "boolean":
            return True
    return _MOMENT if one.get("format") == "date-time" else "x"


def broken(schema: Schema, base: Mapping[str, Any] | None = None, *, foreign: str) -> Iterator[Broken]:
    """All wrong bodies, one field each, upon a sound one; `foreign` is what a caller might send and must not hear."""
    yield from _objects(schema, schema, sound(schema) if base is None else dict(base), foreign)


def _objects(schema: Schema, root: Schema, base: dict[str, Any], foreign: str) -> Iterator[Broken]:
    for name in schema.get("required", ()):
        yield Broken(name, {key: value for key, value in base.items() if key != name})
    for name, field in schema.get("properties", {}).items():
        for case in _values(_resolved(field, root), root, foreign):
            yield Broken(f"{name}{case.field}", base | {name: case.body})
    if schema.get("additionalProperties") is False:
        yield Broken(UNKNOWN, base | {foreign: 1})


def _values(field: Schema, root: Schema, foreign: str) -> Iterator[Broken]:
    """Wrong values of a field, under what comes behind its name."""
    kind = field.get("type")
    if not field.keys() & {"type", "enum", "const", "anyOf"}:
        return  # takes anything
    yield Broken("", 7 if kind == "string" or "anyOf" in field else foreign)
    if "pattern" in field or field.get("format") == "date-time" or "enum" in field:
        yield Broken("", foreign)
    if field.get("minLength"):
        yield Broken("", "")
    if "maxLength" in field:
        yield Broken("", "x" * (field["maxLength"] + 1))
    if "minimum" in field:
        yield Broken("", field["minimum"] - 1)
    if "maximum" in field:
        yield Broken("", field["maximum"] + 1)
    if kind == "integer":
        yield Broken("", 1.5)
    if kind == "object" and "properties" in field:
        yield from (_behind(one) for one in _objects(field, root, sound(field, root), foreign))
    if kind == "array":
        yield from _lists(field, root, foreign)


def _lists(field: Schema, root: Schema, foreign: str) -> Iterator[Broken]:
    items = _resolved(field.get("items", {}), root)
    if field.get("minItems"):
        yield Broken("", [])
    if field.get("maxItems", _MOST_ENTRIES) < _MOST_ENTRIES:
        yield Broken("", [sound(items, root)] * (field["maxItems"] + 1))
    yield from (Broken(f".0{one.field}", [one.body]) for one in _values(items, root, foreign))


def _behind(case: Broken) -> Broken:
    return replace(case, field=f".{case.field}")


def _resolved(field: Schema, root: Schema) -> Schema:
    """A field's schema without references, and without null, which is as good as nothing."""
    if "$ref" in field:
        return _resolved(root["$defs"][field["$ref"].rpartition("/")[2]], root)
    some = [one for one in field.get("anyOf", ()) if one.get("type") != "null"]
    return _resolved(some[0], root) if len(some) == 1 else field
