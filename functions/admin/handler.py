"""`/v1/companies/{company_id}`: what administrators see and set of their company."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from context_memory import edge
from context_memory.bootstrap.admin import admin as build
from context_memory.contracts.companies import CompanyBody, budget_document, flags_document, settings_document
from context_memory.contracts.http import answer, expected_etags, version_etag
from context_memory.domain.ids import company

if TYPE_CHECKING:
    from context_memory.contracts.http import Answer, Request

administration, locks, audit, telemetry = build(os.environ)


def get_company(request: Request) -> Answer:
    """Show what is set and what is switched, and the budget of the day."""
    company_id = company(request.path["company_id"])
    stored, flags, standing = administration.show(company_id)
    shown = {"flags": flags_document(flags), "budget": budget_document(standing)}
    body = settings_document(company_id, stored) | shown
    return answer(200, body, {"etag": version_etag(stored.version)})


def put_company(request: Request) -> Answer:
    """Replace all settings."""
    company_id = company(request.path["company_id"])
    settings = CompanyBody.parse(request.body)
    stored = administration.change(company_id, settings, expected=expected_etags(request.headers.get("if-match")))
    return answer(200, settings_document(company_id, stored), {"etag": version_etag(stored.version)})


handler = edge.http(
    {"GET /v1/companies/{company_id}": get_company, "PUT /v1/companies/{company_id}": put_company},
    telemetry,
    locks=locks,
    audit=audit,
)
