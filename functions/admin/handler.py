"""`/v1/companies/{company_id}`, its spaces, links and jobs, for administrators; and the API's own description."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from context_memory import edge
from context_memory.bootstrap.admin import admin as build
from context_memory.contracts.companies import CompanyBody, budget_document, flags_document, settings_document
from context_memory.contracts.http import answer, etags, expected_etags, version_etag
from context_memory.contracts.jobs import MOST_PAGES, ConfirmBody, JobBody, asked_document, job_document, job_id
from context_memory.contracts.links import (
    MOST_LINKS,
    DeclaredListBody,
    LinkBody,
    UnmergeBody,
    declared_document,
    link_document,
    linked_document,
    links_document,
    merge_document,
    unlinked_document,
)
from context_memory.contracts.openapi.published import published
from context_memory.contracts.spaces import MOST_SPACES, SpaceBody, space_document, spaces_document
from context_memory.domain.ids import company, encode
from context_memory.domain.links import Provider

if TYPE_CHECKING:
    from context_memory.contracts.http import Answer, Request

admin = build(os.environ)


def get_company(request: Request) -> Answer:
    """Show what is set and what is switched, and the budget of the day."""
    company_id = company(request.path["company_id"])
    stored, flags, standing = admin.company.show(company_id)
    shown = {"flags": flags_document(flags), "budget": budget_document(standing)}
    body = settings_document(company_id, stored) | shown
    return answer(200, body, {"etag": version_etag(stored.version)})


def put_company(request: Request) -> Answer:
    """Replace all settings."""
    company_id = company(request.path["company_id"])
    body = CompanyBody.parse(request.body)
    stored = admin.company.change(
        company_id,
        body.settings(),
        expected=_expected(request),
        caller=request.caller,
        opens=body.closed is False,
    )
    return answer(200, settings_document(company_id, stored), {"etag": version_etag(stored.version)})


def get_spaces(request: Request) -> Answer:
    """List what is registered, page by page."""
    company_id, after = company(request.path["company_id"]), request.query.get("after")
    if after is not None:
        encode(after, "after")
    limit = request.number("limit", otherwise=MOST_SPACES, most=MOST_SPACES)
    return answer(200, spaces_document(*admin.spaces.page(company_id, limit=limit, after=after)))


def get_space(request: Request) -> Answer:
    """Show what is registered about one space."""
    stored = admin.spaces.show(*_space(request))
    return answer(200, space_document(stored), {"etag": version_etag(stored.version)})


def put_space(request: Request) -> Answer:
    """Register a space, or replace all that is registered about it."""
    stored = admin.spaces.register(
        *_space(request), SpaceBody.parse(request.body).settings(), expected=_expected(request)
    )
    return answer(200, space_document(stored), {"etag": version_etag(stored.version)})


def delete_space(request: Request) -> Answer:
    """Remove what is registered about a space."""
    admin.spaces.unregister(*_space(request), expected=_expected(request))
    return answer(204)


def post_job(request: Request) -> Answer:
    """Begin a job about every user of the company, or say how to confirm it."""
    company_id, body = company(request.path["company_id"]), JobBody.parse(request.body)
    parameters = body.said or (
        admin.jobs.parameters_of(company_id, body.job_id)
        if body.job_id
        else admin.jobs.parameters_by_settings(company_id, body.kind)
    )
    asked = admin.jobs.ask(company_id, body.kind, caller=request.caller, dry_run=body.dry_run, parameters=parameters)
    return answer(202, asked_document(asked.walk, asked.code))


def get_job(request: Request) -> Answer:
    """Show how far a job has come, and its report page by page."""
    after = request.number("after", otherwise=0, most=MOST_PAGES)
    report = admin.jobs.report(*_job(request), after=after)
    return answer(200, job_document(report.walk, report.pages, report.following))


def confirm_job(request: Request) -> Answer:
    """Begin a job that waits for its code."""
    code = ConfirmBody.parse(request.body).code
    walk = admin.jobs.confirm(*_job(request), code)
    return answer(202, asked_document(walk))


def facts(request: Request) -> Answer:
    """Do what is asked about facts that the company shares."""
    return admin.facts()(request)


def get_links(request: Request) -> Answer:
    """List links page by page, whoever made them."""
    company_id, after = company(request.path["company_id"]), request.query.get("after")
    limit = request.number("limit", otherwise=MOST_LINKS, most=MOST_LINKS)
    behind = None if after is None else Provider.read(after)
    page = admin.links.declared.page(company_id, limit=limit, after=behind)
    return answer(200, links_document(page.links, page.privileged, page.following))


def put_links(request: Request) -> Answer:
    """Declare all links at once."""
    wanted = DeclaredListBody.parse(request.body).declared()
    left = admin.links.declared.declare(company(request.path["company_id"]), wanted)
    return answer(200, declared_document(wanted.twice, left, wanted.privileged))


def get_link(request: Request) -> Answer:
    """Show to whom a provider belongs."""
    return answer(200, link_document(admin.links.one.show(*_link(request))))


def put_link(request: Request) -> Answer:
    """Let a provider belong to a user."""
    linked = admin.links.one.link(*_link(request), LinkBody.parse(request.body).wish())
    return answer(200, linked_document(linked.link, linked.left, linked.merge))


def delete_link(request: Request) -> Answer:
    """Let a provider belong to nobody."""
    company_id, provider = _link(request)
    return answer(200, unlinked_document(provider, admin.links.one.unlink(company_id, provider)))


def get_merge(request: Request) -> Answer:
    """Show how far a merge is."""
    return answer(200, merge_document(admin.links.merges.show(*_link(request), job_id(request.path["job_id"]))))


def post_unmerge(request: Request) -> Answer:
    """Put back what a merge has moved."""
    merge = admin.links.merges.undo(*_link(request), UnmergeBody.parse(request.body).job_id)
    return answer(202, merge_document(merge))


def get_description(request: Request) -> Answer:
    """Tell anybody what the API can be asked."""
    description = published()
    headers = {"etag": description.etag, "cache-control": "public, max-age=300"}
    if description.etag in etags(request.headers.get("if-none-match")):
        return answer(304, headers=headers)
    return answer(200, headers=headers | {"content-type": "application/json"}) | {"body": description.text}


def _space(request: Request) -> tuple[str, str]:
    return company(request.path["company_id"]), request.path_id("space_id")


def _job(request: Request) -> tuple[str, str]:
    return company(request.path["company_id"]), job_id(request.path["job_id"])


def _link(request: Request) -> tuple[str, Provider]:
    return company(request.path["company_id"]), Provider.from_segment(request.path["provider"])


def _expected(request: Request) -> frozenset[str] | None:
    return expected_etags(request.headers.get("if-match"))


_COMPANY = "/v1/companies/{company_id}"
_SPACE = f"{_COMPANY}/spaces/{{space_id}}"
_JOB = f"{_COMPANY}/jobs/{{job_id}}"
_LINK = f"{_COMPANY}/links/{{provider}}"
ROUTES = {
    f"GET {_COMPANY}": get_company,
    f"PUT {_COMPANY}": put_company,
    f"GET {_COMPANY}/spaces": get_spaces,
    f"GET {_SPACE}": get_space,
    f"PUT {_SPACE}": put_space,
    f"DELETE {_SPACE}": delete_space,
    f"POST {_COMPANY}/jobs": post_job,
    f"GET {_JOB}": get_job,
    f"POST {_JOB}/confirm": confirm_job,
    f"GET {_COMPANY}/links": get_links,
    f"PUT {_COMPANY}/links": put_links,
    f"GET {_LINK}": get_link,
    f"PUT {_LINK}": put_link,
    f"DELETE {_LINK}": delete_link,
    f"GET {_LINK}/merges/{{job_id}}": get_merge,
    f"POST {_LINK}/unmerge": post_unmerge,
    "GET /v1/openapi.json": get_description,
} | {
    f"{method} {scope}/facts{behind}": facts
    for scope in (_COMPANY, _SPACE)
    for method, behind in (
        ("GET", ""),
        ("POST", ""),
        ("GET", "/{fact_id}"),
        ("PUT", "/{fact_id}"),
        ("DELETE", "/{fact_id}"),
        ("POST", "/import"),
        ("GET", "/export"),
    )
}

handler = edge.http(ROUTES, admin.telemetry, locks=admin.locks, linked=edge.unlinked, audit=admin.audit)
