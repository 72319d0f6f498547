"""What administrators set of their company and its spaces."""

from __future__ import annotations

from context_memory.contracts.companies import CompanyBody
from context_memory.contracts.openapi.answers.companies import ChangedCompany, ShownCompany, ShownSpace, SpacesPage
from context_memory.contracts.openapi.operation import Callers, Operation, Reply
from context_memory.contracts.openapi.parameters import COMPANY, ID, IF_MATCH, SPACE, in_query, limit
from context_memory.contracts.openapi.problems import BODY, PINNED
from context_memory.contracts.spaces import MOST_SPACES, SpaceBody

_COMPANY = "/v1/companies/{company_id}"
_SPACE = f"{_COMPANY}/spaces/{{space_id}}"

OPERATIONS = (
    Operation(
        route=f"GET {_COMPANY}",
        name="showCompany",
        tag="companies",
        summary="See what the company has set, what is switched for it, and its budget.",
        callers=Callers.IAM,
        parameters=(COMPANY,),
        replies=(Reply(status=200, about="All of it.", model=ShownCompany, headers=("etag",)),),
        problems=PINNED | {"flags_unavailable"},
    ),
    Operation(
        route=f"PUT {_COMPANY}",
        name="changeCompany",
        tag="companies",
        summary="Replace all settings of the company.",
        callers=Callers.IAM,
        parameters=(COMPANY, IF_MATCH),
        body=CompanyBody,
        replies=(Reply(status=200, about="What is set now.", model=ChangedCompany, headers=("etag",)),),
        problems=PINNED | BODY | {"version_conflict", "erase_running"},
    ),
    Operation(
        route=f"GET {_COMPANY}/spaces",
        name="listSpaces",
        tag="companies",
        summary="List the registered spaces.",
        callers=Callers.IAM,
        parameters=(
            COMPANY,
            limit(MOST_SPACES, MOST_SPACES),
            in_query("after", "Where the page before ended: its `next`.", ID),
        ),
        replies=(Reply(status=200, about="A page of spaces.", model=SpacesPage),),
        problems=PINNED,
    ),
    Operation(
        route=f"GET {_SPACE}",
        name="showSpace",
        tag="companies",
        summary="See what is registered about a space.",
        callers=Callers.IAM,
        parameters=(COMPANY, SPACE),
        replies=(Reply(status=200, about="Its settings.", model=ShownSpace, headers=("etag",)),),
        problems=PINNED | {"unknown_space"},
    ),
    Operation(
        route=f"PUT {_SPACE}",
        name="registerSpace",
        tag="companies",
        summary="Register a space, or replace all its settings.",
        callers=Callers.IAM,
        parameters=(COMPANY, SPACE, IF_MATCH),
        body=SpaceBody,
        replies=(Reply(status=200, about="What is registered now.", model=ShownSpace, headers=("etag",)),),
        problems=PINNED | BODY | {"version_conflict"},
    ),
    Operation(
        route=f"DELETE {_SPACE}",
        name="unregisterSpace",
        tag="companies",
        summary="Forget the registration of a space.",
        callers=Callers.IAM,
        parameters=(COMPANY, SPACE, IF_MATCH),
        replies=(Reply(status=204, about="It has the defaults again."),),
        problems=PINNED | {"version_conflict"},
    ),
)
