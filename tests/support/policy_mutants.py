"""Spoils policies one small step at a time: each step is a mistake that somebody could make.

An allowing statement is widened (a condition dropped or loosened, a resource or principal made general), robbed of
an action, or dropped. A denying statement is narrowed, robbed of an action, or dropped.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fnmatch import fnmatchcase
from itertools import chain
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.policies import Document, Policy

Statement = dict[str, Any]
_VARIABLE = re.compile(r"\$\{[^}]*\}")
_KNOWN = {"Sid", "Effect", "Principal", "Action", "Resource", "Condition"}
_LOOSE = {"StringEquals": "StringLike", "ForAllValues:StringEquals": "ForAllValues:StringLike", "ArnEquals": "ArnLike"}
_EXCEPTIONS = {"ArnNotEquals": "ArnNotLike", "StringNotEquals": "StringNotLike"}
_ANYBODY = {"AWS": "*"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutant:
    """A policy with one mistake in it.

    `written`: how it reads then, with references; it may have no statement left.
    `actions`: patterns of the actions that it could change anything for.
    `wider`: it can only let through what was refused; otherwise it can only refuse what was let through.
    """

    of: Policy
    written: Document
    change: str
    actions: frozenset[str]
    wider: bool

    @property
    def document(self) -> Document | None:
        """How it reads then, with ARNs; None when nothing is left of it."""
        return self.of.filled(self.written) if self.written["Statement"] else None

    def concerns(self, action: str) -> bool:
        """Whether an action could now be decided otherwise."""
        return any(fnmatchcase(action.lower(), pattern.lower()) for pattern in self.actions)


def mutants_of(policy: Policy) -> Iterator[Mutant]:
    """Every mistake, one at a time."""
    statements = policy.written["Statement"]
    for index, statement in enumerate(statements):
        if unknown := set(statement) - _KNOWN:
            raise AssertionError(f"{policy.name} uses {unknown}, which nobody has taught to be spoilt")
        for wider, (change, spoilt) in _mistakes(statement, policy.filled(statement)):
            rest = [*statements[:index], *([spoilt] if spoilt else []), *statements[index + 1 :]]
            yield Mutant(
                of=policy,
                written={**policy.written, "Statement": rest},
                change=f"{policy.name} · {statement.get('Sid', index)} · {change}",
                actions=frozenset({*_listed(statement["Action"]), *_listed(spoilt["Action"] if spoilt else [])}),
                wider=wider,
            )


def _mistakes(statement: Statement, filled: Statement) -> Iterator[tuple[bool, tuple[str, Statement | None]]]:
    """Mistakes in a statement, which stands as `filled` with ARNs; each with whether it lets more through."""
    if statement["Effect"] == "Deny":
        yield from ((True, mistake) for mistake in chain(_cut(statement), _narrowed(statement)))
        yield from ((False, mistake) for mistake in _without_a_condition(statement))
    else:
        yield from ((False, mistake) for mistake in _cut(statement))
        yield from ((True, mistake) for mistake in _widened(statement, filled))


def _cut(statement: Statement) -> Iterator[tuple[str, Statement | None]]:
    """Less of a statement: to allow less, or to deny less."""
    yield "dropped", None
    actions = _listed(statement["Action"])
    for action in actions if len(actions) > 1 else ():
        yield f"without {action}", _with(statement, Action=[other for other in actions if other != action])


def _widened(statement: Statement, filled: Statement) -> Iterator[tuple[str, Statement]]:
    """More of an allowing statement."""
    yield from _without_a_condition(statement)
    yield from _with_all_actions(statement)
    yield from _with_loose_conditions(statement)
    yield from _with_wide_resources(statement)
    yield from _with_wide_principals(statement, filled)


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
            for loose in _loosened(_listed(values), anything=_anything(operator)):
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


def _with_wide_principals(statement: Statement, filled: Statement) -> Iterator[tuple[str, Statement]]:
    if statement.get("Principal", _ANYBODY) != _ANYBODY:
        yield "for anybody", _with(statement, Principal=_ANYBODY)
    for role in _listed(filled.get("Principal", {}).get("AWS", [])):
        if ":role/" in role:
            yield "for a whole account", _with(statement, Principal={"AWS": f"{role.rsplit(':', 1)[0]}:root"})


def _with_all_actions(statement: Statement) -> Iterator[tuple[str, Statement]]:
    actions = _listed(statement["Action"])
    for service in dict.fromkeys(action.split(":", 1)[0] for action in actions):
        others = [action for action in actions if not action.startswith(f"{service}:")]
        if actions != [f"{service}:*"]:
            yield f"all of {service}", _with(statement, Action=[*others, f"{service}:*"])


def _narrowed(statement: Statement) -> Iterator[tuple[str, Statement]]:
    """Less of a denying statement: exceptions grow, and so does what a condition must meet."""
    resources = _listed(statement["Resource"])
    for resource in resources if len(resources) > 1 else ():
        yield f"not for {resource}", _with(statement, Resource=[other for other in resources if other != resource])
    if "Principal" in statement:
        yield "for one account alone", _with(statement, Principal={"AWS": "arn:aws:iam::123456789012:root"})
    for operator, keys in statement.get("Condition", {}).items():
        for key, values in keys.items() if operator in _EXCEPTIONS else ():
            for loose in _loosened(_listed(values), anything=_anything(operator)):
                changed = {**statement["Condition"], _EXCEPTIONS[operator]: {**keys, key: loose}}
                if _EXCEPTIONS[operator] != operator:
                    del changed[operator]
                yield f"but for {key} like {', '.join(loose)}", _with(statement, Condition=changed)


def _anything(operator: str) -> str:
    """What stands for every value: ARNs are compared part by part."""
    return "arn:*:*:*:*:*" if operator.startswith("Arn") else "*"


def _loosened(values: list[str], *, anything: str = "*") -> Iterator[list[str]]:
    """Lists in which one value lets more through: anything, anything for a variable, anything behind it."""
    for index, value in enumerate(values):
        looser = [anything, *(value.replace(variable, "*") for variable in _VARIABLE.findall(value)), f"{value}*"]
        for loose in dict.fromkeys(looser):
            if loose.replace("**", "*") != value:
                yield [*values[:index], loose, *values[index + 1 :]]


def _with(statement: Statement, **changed: Any) -> Statement:  # noqa: ANN401 - JSON
    spoilt = {**statement, **changed}
    return {key: value for key, value in spoilt.items() if value not in ({}, [])}


def _listed(value: str | list[str]) -> list[str]:
    return [value] if isinstance(value, str) else list(value)
