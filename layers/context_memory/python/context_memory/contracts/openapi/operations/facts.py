"""What is done with facts: by users with their own, by administrators with a user's and with shared ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from context_memory.contracts.facts import FactBody, FactsFileBody, NewFactBody
from context_memory.contracts.openapi.answers.facts import ExportedFacts, FactsPage, ImportedFacts, ShownFact
from context_memory.contracts.openapi.operation import Callers, Operation, Reply
from context_memory.contracts.openapi.parameters import (
    COMPANY,
    FLAG,
    IF_MATCH,
    SPACE,
    USER,
    in_path,
    in_query,
    limit,
)
from context_memory.contracts.openapi.problems import BODY, INPUT, LINKED, PINNED, TOKEN

if TYPE_CHECKING:
    from context_memory.contracts.openapi.operation import Parameter

_COMPANY = "/v1/companies/{company_id}"
_ID = {"type": "string", "pattern": "^[0-9a-f]{20}$"}
_FACT = in_path("fact_id", "The fact's id.")
_AFTER = in_query("after", "Where the page before ended: its `next`.", _ID)
_TIER = in_query("tier", "Only facts of this tier.", {"type": "string", "enum": ["core", "contextual", "archival"]})
_PREVIEW = in_query("preview", "Say what would become of it, and change nothing.", FLAG)
_WRITING = frozenset({"memory_off", "erase_running"})
_FOR = {"me": "", "users": "OfUser", "companies": "OfCompany", "spaces": "OfSpace"}


def _operations(
    base: str, whose: str, callers: Callers, parameters: tuple[Parameter, ...], problems: frozenset[str]
) -> dict[str, Operation]:
    """All that can be asked of the facts at `base`, by what it is; not every place has all of it."""
    tag = "companies" if whose == "spaces" else whose
    changers = Callers.CHANGERS if callers is Callers.READERS else callers
    of = _FOR[whose]
    page = Reply(status=200, about="A page of facts.", model=FactsPage, headers=("etag",))
    fact = Reply(status=200, about="The fact as it stands.", model=ShownFact, headers=("etag",))
    added = Reply(status=201, about="The fact; nothing said the same.", model=ShownFact, headers=("etag",))
    writing = problems | _WRITING
    return {
        "list": Operation(
            route=f"GET {base}",
            name=f"listFacts{of}",
            tag=tag,
            summary="List facts.",
            callers=callers,
            parameters=(*parameters, limit(500, 100), _AFTER, _TIER),
            replies=(page,),
            problems=problems | INPUT,
        ),
        "add": Operation(
            route=f"POST {base}",
            name=f"addFact{of}",
            tag=tag,
            summary="Store a fact, or confirm the one that says the same.",
            callers=changers,
            parameters=(*parameters, IF_MATCH),
            body=NewFactBody,
            replies=(fact, added),
            problems=writing | BODY | {"version_conflict"},
        ),
        "show": Operation(
            route=f"GET {base}/{{fact_id}}",
            name=f"showFact{of}",
            tag=tag,
            summary="See one fact.",
            callers=callers,
            parameters=(*parameters, _FACT),
            replies=(fact,),
            problems=problems | {"unknown_fact"},
        ),
        "change": Operation(
            route=f"PUT {base}/{{fact_id}}",
            name=f"changeFact{of}",
            tag=tag,
            summary="Let a fact say something else, or be of another tier.",
            callers=changers,
            parameters=(*parameters, _FACT, IF_MATCH),
            body=FactBody,
            replies=(fact,),
            problems=writing | BODY | {"unknown_fact", "version_conflict"},
        ),
        "delete": Operation(
            route=f"DELETE {base}/{{fact_id}}",
            name=f"deleteFact{of}",
            tag=tag,
            summary="Remove a fact for good, with what it said before.",
            callers=changers,
            parameters=(*parameters, _FACT, IF_MATCH),
            replies=(Reply(status=204, about="It is gone."),),
            problems=writing | {"unknown_fact", "version_conflict"},
        ),
        "expand": Operation(
            route=f"POST {base}/{{fact_id}}/expand",
            name=f"expandFact{of}",
            tag=tag,
            summary="Part a merged fact: the facts stand again that it was made of.",
            callers=changers,
            parameters=(*parameters, _FACT, IF_MATCH),
            replies=(Reply(status=200, about="What stands again.", model=FactsPage, headers=("etag",)),),
            problems=writing | INPUT | {"unknown_fact", "version_conflict"},
        ),
        "import": Operation(
            route=f"POST {base}/import",
            name=f"importFacts{of}",
            tag=tag,
            summary="Take in a file of facts, or see what that would do, line by line.",
            callers=changers,
            parameters=(*parameters, _PREVIEW),
            body=FactsFileBody,
            replies=(Reply(status=200, about="What became of it.", model=ImportedFacts, headers=("etag",)),),
            problems=writing | BODY,
        ),
        "export": Operation(
            route=f"GET {base}/export",
            name=f"exportFacts{of}",
            tag=tag,
            summary="Take out facts in a document that an import takes.",
            callers=callers,
            parameters=(*parameters, limit(5000, 5000), _AFTER, _TIER),
            replies=(
                Reply(
                    status=200,
                    about="As many as one answer can carry.",
                    model=ExportedFacts,
                    headers=("etag", "content-disposition"),
                ),
            ),
            problems=problems | INPUT,
        ),
    }


_MINE = _operations("/v1/me/facts", "me", Callers.READERS, (), TOKEN)
_OF_USERS = _operations(f"{_COMPANY}/users/{{user_id}}/facts", "users", Callers.IAM, (COMPANY, USER), PINNED | LINKED)
_OF_COMPANIES = _operations(f"{_COMPANY}/facts", "companies", Callers.IAM, (COMPANY,), PINNED)
_OF_SPACES = _operations(f"{_COMPANY}/spaces/{{space_id}}/facts", "spaces", Callers.IAM, (COMPANY, SPACE), PINNED)

OPERATIONS = (
    *(_MINE[what] for what in ("list", "add", "show", "change", "delete", "expand", "import")),
    *(_OF_USERS[what] for what in ("list", "delete", "expand", "import")),
    *(operation for what, operation in _OF_COMPANIES.items() if what != "expand"),
    *(operation for what, operation in _OF_SPACES.items() if what != "expand"),
)
