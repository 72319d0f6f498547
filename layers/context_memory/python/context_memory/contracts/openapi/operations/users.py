"""What administrators do for one user."""

from __future__ import annotations

from context_memory.contracts.openapi.answers.me import Exported
from context_memory.contracts.openapi.operation import Callers, Operation, Reply
from context_memory.contracts.openapi.parameters import COMPANY, USER
from context_memory.contracts.openapi.problems import PINNED, READING

_USER = "/v1/companies/{company_id}/users/{user_id}"

OPERATIONS = (
    Operation(
        route=f"GET {_USER}/export",
        name="exportUser",
        tag="users",
        summary="Take out all that is held about a user, for an access request.",
        callers=Callers.IAM,
        parameters=(COMPANY, USER),
        replies=(Reply(status=200, about="One document.", model=Exported, headers=("content-disposition",)),),
        problems=PINNED | READING | {"flags_unavailable"},
    ),
)
