"""What orchestrators ask of the facts."""

from __future__ import annotations

from context_memory.contracts.openapi.answers.recall import RecalledFacts, ResolvedCitations
from context_memory.contracts.openapi.bodies.recall import CitationsAsked, RecallAsked
from context_memory.contracts.openapi.operation import Callers, Operation, Reply
from context_memory.contracts.openapi.parameters import COMPANY, USER, USER_TOKEN
from context_memory.contracts.openapi.problems import BODY, LOCKED, READING

_USER = "/v1/companies/{company_id}/users/{user_id}"

OPERATIONS = (
    Operation(
        route=f"POST {_USER}/recall",
        name="recallFacts",
        tag="turns",
        summary="Look up facts for the question at hand.",
        callers=Callers.IAM,
        parameters=(COMPANY, USER, USER_TOKEN),
        body=RecallAsked,
        replies=(Reply(status=200, about="The facts, or why there are none.", model=RecalledFacts),),
        problems=LOCKED | BODY | READING | {"flags_unavailable"},
    ),
    Operation(
        route=f"POST {_USER}/citations",
        name="resolveCitations",
        tag="turns",
        summary="Resolve the citations of an answer, and take out invented ones.",
        callers=Callers.IAM,
        parameters=(COMPANY, USER, USER_TOKEN),
        body=CitationsAsked,
        replies=(Reply(status=200, about="The answer and what it rests on.", model=ResolvedCitations),),
        problems=LOCKED | BODY | {"flags_unavailable"},
    ),
)
