"""What administrators do for one user."""

from __future__ import annotations

from context_memory.contracts.openapi.answers.erasing import ErasureReceipt
from context_memory.contracts.openapi.answers.me import Exported
from context_memory.contracts.openapi.operation import Callers, Operation, Reply
from context_memory.contracts.openapi.parameters import COMPANY, USER
from context_memory.contracts.openapi.problems import LINKED, PINNED, READING

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
        problems=PINNED | LINKED | READING | {"flags_unavailable"},
    ),
    Operation(
        route=f"DELETE {_USER}/memory",
        name="eraseUser",
        tag="users",
        summary="Erase all that is held about a user, for good.",
        callers=Callers.IAM,
        parameters=(COMPANY, USER),
        replies=(Reply(status=202, about="The receipt.", model=ErasureReceipt),),
        problems=PINNED | LINKED,
    ),
    Operation(
        route=f"GET {_USER}/erasure",
        name="showErasureOfUser",
        tag="users",
        summary="See a user's newest receipt.",
        callers=Callers.IAM,
        parameters=(COMPANY, USER),
        replies=(Reply(status=200, about="The receipt.", model=ErasureReceipt),),
        problems=PINNED | LINKED | {"never_erased"},
    ),
)
