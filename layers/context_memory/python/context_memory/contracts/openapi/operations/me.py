"""What users do with their own memory."""

from __future__ import annotations

from context_memory.contracts.memory import DenyRulesBody, EditBody, ImportBody, PinsBody, SettingsBody
from context_memory.contracts.openapi.answers.erasing import ErasureReceipt
from context_memory.contracts.openapi.answers.me import (
    ChangedDenyRules,
    ChangedMemory,
    Exported,
    ImportAnswer,
    RecentTurns,
    ShownDenyRules,
    ShownMemory,
    ShownPins,
    ShownSettings,
)
from context_memory.contracts.openapi.operation import Callers, Operation, Reply
from context_memory.contracts.openapi.parameters import (
    FLAG,
    FRESH,
    IF_MATCH,
    IF_NONE_MATCH,
    MUST_MATCH,
    in_query,
    limit,
)
from context_memory.contracts.openapi.problems import BODY, CHANGING, INPUT, READING, TOKEN

_USED = TOKEN | READING | {"flags_unavailable"}
_CHANGED = TOKEN | BODY | CHANGING

OPERATIONS = (
    Operation(
        route="GET /v1/me/memory",
        name="showMyMemory",
        tag="me",
        summary="See all that is remembered.",
        callers=Callers.READERS,
        parameters=(IF_NONE_MATCH,),
        replies=(
            Reply(status=200, about="The memory.", model=ShownMemory, headers=("etag", *FRESH)),
            Reply(status=304, about="What is at hand still holds.", headers=("etag", *FRESH)),
        ),
        problems=_USED,
    ),
    Operation(
        route="PUT /v1/me/memory",
        name="editMyMemory",
        tag="me",
        summary="Let the memory be what the user has written.",
        callers=Callers.CHANGERS,
        parameters=(MUST_MATCH,),
        body=EditBody,
        replies=(Reply(status=200, about="The memory now.", model=ChangedMemory, headers=("etag", *FRESH)),),
        problems=_CHANGED | {"precondition_required", "version_conflict"},
    ),
    Operation(
        route="GET /v1/me/turns",
        name="listMyTurns",
        tag="me",
        summary="See what became of the newest turns.",
        callers=Callers.READERS,
        parameters=(limit(100, 20),),
        replies=(Reply(status=200, about="The turns.", model=RecentTurns),),
        problems=TOKEN | INPUT,
    ),
    Operation(
        route="GET /v1/me/settings",
        name="showMySettings",
        tag="me",
        summary="See what is set, and whether the memory is used.",
        callers=Callers.READERS,
        replies=(Reply(status=200, about="The settings.", model=ShownSettings),),
        problems=TOKEN | {"flags_unavailable"},
    ),
    Operation(
        route="PUT /v1/me/settings",
        name="switchMyMemory",
        tag="me",
        summary="Turn memory on, or off for good, which erases it.",
        callers=Callers.CHANGERS,
        body=SettingsBody,
        replies=(
            Reply(status=200, about="The settings; nothing was erased.", model=ShownSettings),
            Reply(status=202, about="The receipt of the erase.", model=ErasureReceipt),
        ),
        problems=TOKEN | BODY | {"confirmation_required", "erase_running", "flags_unavailable"},
    ),
    Operation(
        route="DELETE /v1/me/memory",
        name="eraseMyMemory",
        tag="me",
        summary="Erase all that is held, for good.",
        callers=Callers.CHANGERS,
        replies=(Reply(status=202, about="The receipt.", model=ErasureReceipt),),
        problems=TOKEN,
    ),
    Operation(
        route="GET /v1/me/erasure",
        name="showMyErasure",
        tag="me",
        summary="See the newest receipt.",
        callers=Callers.READERS,
        replies=(Reply(status=200, about="The receipt.", model=ErasureReceipt),),
        problems=TOKEN | {"never_erased"},
    ),
    Operation(
        route="PUT /v1/me/pins",
        name="pinMyBullets",
        tag="me",
        summary="Pin these bullets and no others.",
        callers=Callers.CHANGERS,
        body=PinsBody,
        replies=(Reply(status=200, about="What is pinned now.", model=ShownPins),),
        problems=_CHANGED,
    ),
    Operation(
        route="GET /v1/me/deny-rules",
        name="showMyDenyRules",
        tag="me",
        summary="See what is never to be remembered.",
        callers=Callers.READERS,
        replies=(Reply(status=200, about="The rules.", model=ShownDenyRules),),
        problems=TOKEN | {"flags_unavailable"},
    ),
    Operation(
        route="PUT /v1/me/deny-rules",
        name="changeMyDenyRules",
        tag="me",
        summary="Say what is never to be remembered; what stands of it goes at once.",
        callers=Callers.CHANGERS,
        body=DenyRulesBody,
        replies=(Reply(status=200, about="The rules now.", model=ChangedDenyRules),),
        problems=_CHANGED,
    ),
    Operation(
        route="GET /v1/me/export",
        name="exportMyMemory",
        tag="me",
        summary="Take out all that is held.",
        callers=Callers.EXPORTERS,
        replies=(Reply(status=200, about="One document.", model=Exported, headers=("content-disposition",)),),
        problems=_USED,
    ),
    Operation(
        route="POST /v1/me/import",
        name="importMyMemory",
        tag="me",
        summary="Take a file in, or see what that would do.",
        callers=Callers.CHANGERS,
        parameters=(
            in_query("preview", "Whether to tell what would become of it and change nothing.", FLAG),
            in_query(
                "mode",
                "Whether the file comes beside what stands or in its place.",
                {"type": "string", "enum": ["merge", "replace"], "default": "merge"},
            ),
            IF_MATCH,
        ),
        body=ImportBody,
        replies=(
            Reply(
                status=200,
                about="The memory now, or what would become of it.",
                model=ImportAnswer,
                headers=("etag", *FRESH),
            ),
        ),
        problems=_CHANGED | {"precondition_required", "version_conflict"},
    ),
)
