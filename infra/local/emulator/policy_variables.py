"""Policy variables: `${aws:PrincipalTag/user_id}`, `${key, 'default'}`, `${*}`, `${?}`, `${$}`.

The emulator compares them literally, so that whatever names one is always denied.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

_VARIABLE = re.compile(r"\$\{([^}]*)\}")
# A `*` or `?` that comes out of a variable is that character and no wildcard: this sign says so of the one behind it.
_ESCAPE = "\ue000"
_SIGN = re.compile(f"{_ESCAPE}(.)|(.)", re.DOTALL)
_WILDCARDS = {"*": ".*", "?": "."}


class Unresolved(Exception):
    """A variable has neither value nor default: what names it never matches."""


def substitute(text: str, lookup: Callable[[str], object], *, wildcards: bool) -> str:
    """Replace the variables of a policy's text; `lookup` gives a condition key's value or None.

    Raises:
        Unresolved: a variable has no single, non-empty value and no default.
    """

    def replace(found: re.Match[str]) -> str:
        inner = found[1]
        if inner in {"*", "?", "$"}:
            return _protect(inner) if wildcards else inner
        key, _, default = inner.partition(",")
        value = lookup(key.strip())
        if isinstance(value, list | tuple) or not value:
            value = _default(default.strip(), key)
        return _protect(str(value)) if wildcards else str(value)

    return _VARIABLE.sub(replace, text)


def compile_pattern(pattern: str, *, ignore_case: bool) -> re.Pattern[str]:
    """A pattern with wildcards, as an expression that matches whole values."""
    signs = (found.groups() for found in _SIGN.finditer(pattern))
    body = "".join(
        re.escape(escaped) if escaped else _WILDCARDS.get(plain, re.escape(plain)) for escaped, plain in signs
    )
    return re.compile(f"^{body}$", re.IGNORECASE | re.DOTALL if ignore_case else re.DOTALL)


def _protect(value: str) -> str:
    return re.sub(f"[*?{_ESCAPE}]", lambda found: f"{_ESCAPE}{found[0]}", value)


def _default(quoted: str, key: str) -> str:
    if len(quoted) >= 2 and quoted[0] == quoted[-1] == "'":  # noqa: PLR2004 - two quotes
        return quoted[1:-1]
    raise Unresolved(key)


def install(evaluator: Any) -> None:
    """Let the evaluator resolve variables in resources and in the values of conditions."""
    patched = _Evaluation(evaluator)
    evaluator._fnmatch_compile = patched.compiled
    evaluator._first_match = patched.first_match
    evaluator._conditions_met = patched.conditions_met


class _Evaluation:
    """The evaluator's own functions, with variables."""

    def __init__(self, evaluator: Any) -> None:
        self._evaluator = evaluator
        self._stock_compile = evaluator._fnmatch_compile
        self._stock_conditions_met = evaluator._conditions_met

    def compiled(self, pattern: str, ignore_case: bool) -> re.Pattern[str]:  # noqa: FBT001 - the emulator's signature
        if _ESCAPE in pattern:
            return compile_pattern(pattern, ignore_case=ignore_case)
        stock: re.Pattern[str] = self._stock_compile(pattern, ignore_case)
        return stock

    def first_match(self, context: Any, statements: list[Any], effect: str) -> Any:
        return next(
            (
                statement
                for statement in statements
                if statement.effect == effect
                and self._evaluator._action_matches(context.action, statement.actions, statement.not_actions)
                and self._resource_matches(context, statement)
                and self.conditions_met(statement.conditions, context)
            ),
            None,
        )

    def conditions_met(self, conditions: dict[str, Any] | None, context: object) -> bool:
        if conditions and "${" in json.dumps(conditions):
            conditions = _resolved(conditions, self._lookup(context))
            if conditions is None:
                return False
        return bool(self._stock_conditions_met(conditions, context))

    def _lookup(self, context: object) -> Callable[[str], object]:
        return lambda key: self._evaluator._resolve_condition_key(key, context)

    def _resource_matches(self, context: Any, statement: Any) -> bool:
        if statement.resources:
            return self._matches(context, self._expanded(statement.resources, context))
        if statement.not_resources:
            excluded = self._expanded(statement.not_resources, context)
            return len(excluded) == len(statement.not_resources) and not self._matches(context, excluded)
        return True

    def _matches(self, context: Any, patterns: list[str]) -> bool:
        return any(self._evaluator.fnmatch_iam_cs(context.resource_arn, pattern) for pattern in patterns)

    def _expanded(self, patterns: list[str], context: object) -> list[str]:
        known = []
        for pattern in patterns:
            try:
                known.append(substitute(pattern, self._lookup(context), wildcards=True) if "${" in pattern else pattern)
            except Unresolved:
                continue
        return known


def _resolved(conditions: dict[str, Any], lookup: Callable[[str], object]) -> dict[str, Any] | None:
    """The conditions without variables, or None when they cannot be met."""
    resolved: dict[str, Any] = {}
    for operator, block in conditions.items():
        if not isinstance(block, dict):
            continue
        resolved[operator] = {}
        for key, expected in block.items():
            values = expected if isinstance(expected, list) else [expected]
            # Absence decides, whatever the values.
            known = values if lookup(key) is None else _known(operator, values, lookup)
            if known is None:
                return None
            resolved[operator][key] = known
    return resolved


def _known(operator: str, values: list[Any], lookup: Callable[[str], object]) -> list[str] | None:
    """The values that can be told; None when the condition cannot be met for want of them."""
    name = operator.lower().split(":")[-1]
    wildcards, negated = "like" in name or "arn" in name, "not" in name
    known = []
    for value in values:
        text = str(value).lower() if isinstance(value, bool) else str(value)
        try:
            known.append(substitute(text, lookup, wildcards=wildcards))
        except Unresolved:
            if negated:  # "none of these", and one of these is unknown
                return None
    return known or None
