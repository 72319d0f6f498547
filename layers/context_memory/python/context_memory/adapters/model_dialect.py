"""How a model wants to be asked: which optional parameters it takes, and under which spelling.

The name tells reasoning models apart at first; what an endpoint refuses is learnt from its answer.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

RESPONSE_FORMAT = "response_format"
OPTIONAL_PARAMETERS = ("max_tokens", "max_completion_tokens", "temperature", "store", RESPONSE_FORMAT)
_OLD, _NEW = "max_tokens", "max_completion_tokens"

# Of a name such as `openai/o4-mini`, `deepseek-r1:14b` or `ft:o3:acme`, each part between slashes and colons is tried.
_PARTS = re.compile(r"[/:]")
_REASONING = re.compile(
    r"""
      o\d+ (?: -.* )?                                            # o1, o3, o4-mini
    | gpt- (?: [5-9] | \d\d ) (?! .* -chat ) .*                  # gpt-5…, its chat variants aside
    | gpt-oss .*  |  qwq .*  |  magistral .*
    | (?: .* (?<!non) [-.] )? (?: thinking | reasoner | reasoning | r1 ) (?: [-.] .* )?
    """,
    re.VERBOSE,
)
# Reasoning counts as output: a limit made for the answer alone would end before the answer begins.
_REASONING_FACTOR, _REASONING_EXTRA = 4, 2_000


def is_reasoning(model: str) -> bool:
    """Whether a model of this name thinks before it answers."""
    return any(_REASONING.fullmatch(part) for part in _PARTS.split(model.lower()))


@dataclass(frozen=True, slots=True)
class Dialect:
    """What one model takes. `refused` names parameters that its endpoint has sent back."""

    reasoning: bool
    refused: frozenset[str] = frozenset()

    @property
    def limit_parameter(self) -> str | None:
        """The spelling of the output limit; None when both are refused."""
        spellings = (_NEW, _OLD) if self.reasoning else (_OLD, _NEW)
        return next((spelling for spelling in spellings if spelling not in self.refused), None)

    def output_limit(self, asked: int) -> int:
        """Tokens to allow for an answer of `asked` tokens; who wants the newer spelling counts thoughts, too."""
        if self.reasoning or self.limit_parameter == _NEW:
            return max(asked * _REASONING_FACTOR, asked + _REASONING_EXTRA)
        return asked

    def parameters(self, max_output_tokens: int, schema: Mapping[str, object] | None = None) -> dict[str, object]:
        """The optional parameters of a request, as this model takes them."""
        wanted: dict[str, object] = {} if self.reasoning else {"temperature": 0}
        wanted["store"] = False
        if self.limit_parameter is not None:
            wanted[self.limit_parameter] = self.output_limit(max_output_tokens)
        if schema is not None:
            wanted[RESPONSE_FORMAT] = {
                "type": "json_schema",
                "json_schema": {"name": "answer", "strict": True, "schema": schema},
            }
        return {name: value for name, value in wanted.items() if name not in self.refused}

    def without(self, parameters: frozenset[str]) -> Dialect:
        """The dialect that avoids `parameters`; equal to this one when it uses none of them."""
        used = parameters & self.parameters(1, {}).keys()
        return replace(self, refused=self.refused | used) if used else self
