"""What orchestrators do."""

from __future__ import annotations

from context_memory.contracts.openapi.answers.turns import LoadedMemory, QueuedTurn, SkippedTurn, TurnState
from context_memory.contracts.openapi.operation import Callers, Operation, Reply
from context_memory.contracts.openapi.parameters import (
    COMPANY,
    FLAG,
    FRESH,
    ID,
    IF_NONE_MATCH,
    TEXT,
    TURN,
    USER,
    USER_TOKEN,
    in_query,
)
from context_memory.contracts.openapi.problems import BODY, LOCKED, READING
from context_memory.contracts.turns import TurnBody

_USER = "/v1/companies/{company_id}/users/{user_id}"

OPERATIONS = (
    Operation(
        route=f"GET {_USER}/memory",
        name="loadMemory",
        tag="turns",
        summary="Load a user's memory before a turn.",
        callers=Callers.IAM,
        parameters=(
            *(COMPANY, USER, USER_TOKEN, IF_NONE_MATCH),
            in_query("space_id", "Where the chat is.", ID, required=True),
            in_query("model", "The model that will read the prompt: its tokens are counted.", TEXT),
            in_query("web_search", "Whether the turn may search the web.", FLAG),
            in_query("use_memory", "Whether memory is read, where the company's default is another.", FLAG),
            in_query("parent_turn_id", "Of a worker's: the turn that sent it out.", ID),
            in_query("inherit_memory", "Of a worker's: whether it has the memory of that turn's user.", FLAG),
        ),
        replies=(
            Reply(status=200, about="The memory, or why there is none.", model=LoadedMemory, headers=("etag", *FRESH)),
            Reply(status=304, about="What is at hand still holds.", headers=("etag", *FRESH)),
        ),
        problems=LOCKED | READING | {"flags_unavailable"},
    ),
    Operation(
        route=f"POST {_USER}/turns",
        name="handOverTurn",
        tag="turns",
        summary="Hand over a finished turn, to be consolidated in the background.",
        callers=Callers.IAM,
        parameters=(COMPANY, USER, USER_TOKEN),
        body=TurnBody,
        replies=(
            Reply(status=200, about="Memory is off for this turn, or it is blank.", model=SkippedTurn),
            Reply(status=202, about="The turn is safe.", model=QueuedTurn),
        ),
        problems=LOCKED | BODY | {"turn_conflict", "too_many_open_turns", "flags_unavailable", "erase_running"},
    ),
    Operation(
        route=f"GET {_USER}/turns/{{turn_id}}",
        name="turnState",
        tag="turns",
        summary="Ask what became of a turn.",
        callers=Callers.IAM,
        parameters=(COMPANY, USER, TURN, USER_TOKEN),
        replies=(Reply(status=200, about="Where the turn is.", model=TurnState),),
        problems=LOCKED | {"unknown_turn"},
    ),
)
