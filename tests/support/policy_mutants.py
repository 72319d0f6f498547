"""Spoils policies one small step at a time: each step is a mistake that somebody could make.

An allowing statement is widened (a condition dropped or loosened, a resource or principal made general), robbed of
an action, or dropped. A denying statement is narrowed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.policies import Document, Policy

Statement = dict[str, Any]
_VARIABLE = re.compile(r"\$\{[^}]*\}")
_KNOWN = {"Sid", "Effect", "Principal", "Action", "Resource", "Condition"}
_LOOSE = {"StringEquals": "StringLike", "ForAllValues:StringEquals": "ForAllValues:StringLike", "ArnEquals": "ArnLike"}
_ANYBODY = {"AWS": "*"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutant:
    """A policy with one mistake in it.

    `document`: how it reads then; None when nothing is left of it.
    `actions`: patterns of the actions that it could change anything for.
    """

    of: Policy
    document: Document | None
    change: str
    actions: frozenset[str]

    def concerns(self, action: str) -> bool:
        """Whether an action could now be decided otherwise."""
        return any(fnmatchcase(action.lower(), pattern.lower()) for pattern in self.actions)


def mutants_of(policy: Policy) -> Iterator[Mutant]:
    """Every mistake, one at a time."""
    statements = policy.document["Statement"]
    for index, statement in enumerate(statements):
        if unknown := set(statement) - _KNOWN:
            raise AssertionError(f"{policy.name} uses {unknown}, which nobody has taught to be spoilt")
        for change, spoilt in _spoilt(statement):
            rest = [*statements[:index], *([spoilt] if spoilt else []), *statements[index + 1 :]]
            yield Mutant(
                of=policy,
                document={**policy.document, "Statement": rest} if rest else None,
                change=f"{policy.name} · {statement.get('Sid', index)} · {change}",
                actions=frozenset({*_listed(statement["Action"]), *_listed(spoilt["Action"] if spoilt else [])}),
            )


def _spoilt(statement: Statement) -> Iterator[tuple[str, Statement | None]]:
    yield "dropped", None
    yield from _without_a_condition(statement)
    if statement["Effect"] == "Deny":
        yield from _narrowed(statement)
        return
    yield from _without_an_action(statement)
    yield from _with_loose_conditions(statement)
    yield from _with_wide_resources(statement)
    yield from _with_anybody(statement)


def _without_a_condition(statement: Statement) -> Iterator[tuple[str, Statement]]:
    for operator, keys in statement.get("Condition", {}).items():
        for key in keys:
            kept = {other: value for other, value in keys.items() if other != key}
            conditions = {**statement["Condition"], operator: kept}
            conditions = {name: value for name, value in conditions.items() if value}
            yield f"without {operator} {key}", _with(statement, Condition=conditions)


def _with_loose_conditions(statement: Statement) -> Iterator[tuple[str, Statement]]:
    for operator, keys in statement.get("Condition", {}).items():
        if operator in {"Null", "Bool"}:
            continue  # their values are true and false, and dropping them says all
        for key, values in keys.items():
            for loose in _loosened(_listed(values)):
                rest = {other: value for other, value in keys.items() if other != key}
                conditions = {**statement["Condition"], operator: rest}
                conditions = {name: value for name, value in conditions.items() if value}
                likewise = _LOOSE.get(operator, operator)
                conditions[likewise] = {**conditions.get(likewise, {}), key: loose}
                yield f"{key} like {', '.join(loose)}", _with(statement, Condition=conditions)


def _with_wide_resources(statement: Statement) -> Iterator[tuple[str, Statement]]:
    if "Resource" in statement:
        for wide in _loosened(_listed(statement["Resource"])):
            yield f"on {', '.join(wide)}", _with(statement, Resource=wide)


def _with_anybody(statement: Statement) -> Iterator[tuple[str, Statement]]:
    if statement.get("Principal", _ANYBODY) != _ANYBODY:
        yield "for anybody", _with(statement, Principal=_ANYBODY)


def _without_an_action(statement: Statement) -> Iterator[tuple[str, Statement]]:
    actions = _listed(statement["Action"])
    for action in actions:
        if len(actions) > 1:
            yield f"without {action}", _with(statement, Action=[other for other in actions if other != action])
    service = actions[0].split(":", 1)[0]
    if actions != [f"{service}:*"]:
        yield f"all of {service}", _with(statement, Action=[f"{service}:*"])


def _narrowed(statement: Statement) -> Iterator[tuple[str, Statement]]:
    resources = _listed(statement["Resource"])
    for resource in resources if len(resources) > 1 else ():
        yield f"not for {resource}", _with(statement, Resource=[other for other in resources if other != resource])
    yield "for one account alone", _with(statement, Principal={"AWS": "arn:aws:iam::123456789012:root"})


def _loosened(values: list[str]) -> Iterator[list[str]]:
    """Lists in which one value lets more through: anything, anything for a variable, anything behind it."""
    for index, value in enumerate(values):
        looser = ["*", *(value.replace(variable, "*") for variable in _VARIABLE.findall(value)), f"{value}*"]
        for loose in dict.fromkeys(looser):
            if loose.replace("**", "*") != value:
                yield [*values[:index], loose, *values[index + 1 :]]


def _with(statement: Statement, **changed: Any) -> Statement:  # noqa: ANN401 - JSON
    spoilt = {**statement, **changed}
    return {key: value for key, value in spoilt.items() if value not in ({}, [])}


def _listed(value: str | list[str]) -> list[str]:
    return [value] if isinstance(value, str) else list(value)
