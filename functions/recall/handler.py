"""`POST …/recall` and `POST …/citations`: facts for the question at hand, and which of them an answer rests on."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from context_memory import edge
from context_memory.application.recall.bodies import citations_body, recall_body
from context_memory.bootstrap.recall import recall as build
from context_memory.contracts.http import answer
from context_memory.contracts.recall import CitationsBody, question

if TYPE_CHECKING:
    from context_memory.contracts.http import Answer, Request

function = build(os.environ)


def post_recall(request: Request) -> Answer:
    """Answer one question."""
    return answer(200, recall_body(function.recall(request.user, question(request.body))))


def post_citations(request: Request) -> Answer:
    """Resolve the markers of one answer."""
    body = CitationsBody.parse(request.body)
    return answer(200, citations_body(function.cite(request.user, body.answer, body.prompt_id)))


ROUTES = {
    "POST /v1/companies/{company_id}/users/{user_id}/recall": post_recall,
    "POST /v1/companies/{company_id}/users/{user_id}/citations": post_citations,
}

handler = edge.http(
    ROUTES, function.telemetry, locks=function.locks, linked=function.linked, audit=function.audit, stage="recall"
)
