"""Links between channels and users, and the facts that move with them."""

from __future__ import annotations

from context_memory.contracts.links import MOST_LINKS, DeclaredListBody, LinkBody, UnmergeBody
from context_memory.contracts.openapi.answers.links import (
    DeclaredLinks,
    LinksPage,
    MadeLink,
    RemovedLink,
    ShownLink,
    ShownMerge,
)
from context_memory.contracts.openapi.operation import Callers, Operation, Reply
from context_memory.contracts.openapi.parameters import COMPANY, ID, PROVIDER, in_path, in_query, limit
from context_memory.contracts.openapi.problems import BODY, LINKED, PINNED

_LINKS = "/v1/companies/{company_id}/links"
_LINK = f"{_LINKS}/{{provider}}"
_MERGE = in_path("job_id", "The merge.", {"type": "string", "pattern": "^[A-Za-z0-9-]{1,64}$"})

OPERATIONS = (
    Operation(
        route=f"GET {_LINKS}",
        name="listLinks",
        tag="links",
        summary="List links, whoever made them, and privileged users.",
        callers=Callers.IAM,
        parameters=(
            COMPANY,
            limit(MOST_LINKS, MOST_LINKS),
            in_query("after", "Where the page before ended: its `next`.", ID),
        ),
        replies=(Reply(status=200, about="A page of links.", model=LinksPage),),
        problems=PINNED,
    ),
    Operation(
        route=f"PUT {_LINKS}",
        name="declareLinks",
        tag="links",
        summary="Declare all links at once.",
        callers=Callers.IAM,
        parameters=(COMPANY,),
        body=DeclaredListBody,
        replies=(Reply(status=200, about="What became of links that stood.", model=DeclaredLinks),),
        problems=PINNED | BODY | {"confirmation_required", "version_conflict"},
    ),
    Operation(
        route=f"GET {_LINK}",
        name="showLink",
        tag="links",
        summary="See to whom a provider belongs.",
        callers=Callers.IAM,
        parameters=(COMPANY, PROVIDER),
        replies=(Reply(status=200, about="The link.", model=ShownLink),),
        problems=PINNED | LINKED,
    ),
    Operation(
        route=f"PUT {_LINK}",
        name="link",
        tag="links",
        summary="Let a provider belong to a user, and past facts move along if that is wanted.",
        callers=Callers.IAM,
        parameters=(COMPANY, PROVIDER),
        body=LinkBody,
        replies=(Reply(status=200, about="The link, and whom the provider left for it.", model=MadeLink),),
        problems=PINNED | BODY | {"confirmation_required", "link_declared"},
    ),
    Operation(
        route=f"DELETE {_LINK}",
        name="unlink",
        tag="links",
        summary="Let a provider belong to nobody, at once.",
        callers=Callers.IAM,
        parameters=(COMPANY, PROVIDER),
        replies=(Reply(status=200, about="Whom the provider left.", model=RemovedLink),),
        problems=PINNED | LINKED,
    ),
    Operation(
        route=f"GET {_LINK}/merges/{{job_id}}",
        name="showMerge",
        tag="links",
        summary="See how far a merge is.",
        callers=Callers.IAM,
        parameters=(COMPANY, PROVIDER, _MERGE),
        replies=(Reply(status=200, about="How far it is.", model=ShownMerge),),
        problems=PINNED | {"unknown_job"},
    ),
    Operation(
        route=f"POST {_LINK}/unmerge",
        name="unmerge",
        tag="links",
        summary="Put everything back that a merge has moved.",
        callers=Callers.IAM,
        parameters=(COMPANY, PROVIDER),
        body=UnmergeBody,
        replies=(Reply(status=202, about="It goes on by itself.", model=ShownMerge),),
        problems=PINNED | BODY | {"unknown_job", "merge_running", "merge_gone"},
    ),
)
