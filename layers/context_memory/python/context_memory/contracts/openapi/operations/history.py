"""What users do with the history of their memory."""

from __future__ import annotations

from context_memory.contracts.openapi.answers.changes import ListedRevisions, OneRevision, Origins
from context_memory.contracts.openapi.answers.me import ChangedMemory, UnlearningAnswer
from context_memory.contracts.openapi.operation import Callers, Operation, Reply
from context_memory.contracts.openapi.parameters import FLAG, FRESH, IF_MATCH, in_path, in_query, limit
from context_memory.contracts.openapi.problems import BODY, CHANGING, INPUT, READING, TOKEN
from context_memory.contracts.unlearning import UnlearnBody

_NUMBER = in_path("n", "The number of a revision.", {"type": "string", "pattern": "^[1-9][0-9]{0,8}$"})
_CHANGED = TOKEN | CHANGING | {"version_conflict"}

OPERATIONS = (
    Operation(
        route="GET /v1/me/memory/origins",
        name="showMyOrigins",
        tag="me",
        summary="See where each bullet comes from.",
        callers=Callers.READERS,
        replies=(Reply(status=200, about="The bullets.", model=Origins),),
        problems=TOKEN | READING,
    ),
    Operation(
        route="GET /v1/me/memory/revisions",
        name="listMyRevisions",
        tag="me",
        summary="See who changed what and when.",
        callers=Callers.READERS,
        parameters=(
            limit(100, 20),
            in_query(
                "before",
                "Only revisions with lower numbers: the next of the page before.",
                {"type": "integer", "minimum": 1, "maximum": 999_999_999},
            ),
        ),
        replies=(Reply(status=200, about="The revisions.", model=ListedRevisions),),
        problems=TOKEN | INPUT,
    ),
    Operation(
        route="GET /v1/me/memory/revisions/{n}",
        name="showMyRevision",
        tag="me",
        summary="See one change, and what stood after it.",
        callers=Callers.READERS,
        parameters=(_NUMBER,),
        replies=(Reply(status=200, about="The revision.", model=OneRevision),),
        problems=TOKEN | INPUT | READING | {"unknown_revision"},
    ),
    Operation(
        route="POST /v1/me/memory/revisions/{n}/restore",
        name="restoreMyRevision",
        tag="me",
        summary="Bring back what stood after a change.",
        callers=Callers.CHANGERS,
        parameters=(_NUMBER, IF_MATCH),
        replies=(Reply(status=200, about="The memory now.", model=ChangedMemory, headers=("etag", *FRESH)),),
        problems=_CHANGED | INPUT | {"unknown_revision", "revision_gone"},
    ),
    Operation(
        route="POST /v1/me/unlearn",
        name="unlearn",
        tag="me",
        summary="Take out what was learned from a source, or see what that would do.",
        callers=Callers.CHANGERS,
        parameters=(
            in_query("preview", "Whether to tell what would become of it and change nothing.", FLAG),
            IF_MATCH,
        ),
        body=UnlearnBody,
        replies=(
            Reply(
                status=200,
                about="The memory now, or what would become of it.",
                model=UnlearningAnswer,
                headers=("etag", *FRESH),
            ),
        ),
        problems=_CHANGED | BODY | {"precondition_required"},
    ),
)
