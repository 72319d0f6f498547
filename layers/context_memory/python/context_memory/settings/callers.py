"""Who may call for a company, and whose tokens are believed."""

from __future__ import annotations

import json
from dataclasses import fields
from typing import TYPE_CHECKING

from context_memory.domain.callers import CompanyLock, Principal
from context_memory.domain.claims import Trust
from context_memory.settings.values import json_object, texts

if TYPE_CHECKING:
    from collections.abc import Mapping


def locks(text: str) -> Mapping[str, CompanyLock]:
    """Locks by company; an entry that would lock nothing is a mistake."""
    return {name: _lock(entry) for name, entry in json_object(json.loads(text)).items()}


def _lock(entry: object) -> CompanyLock:
    values = json_object(entry)
    callers, required = values.pop("callers", []), values.pop("require_user_token", False)
    if values or not isinstance(callers, list) or not isinstance(required, bool) or not (callers or required):
        raise ValueError("COMPANY_LOCKS")
    return CompanyLock(callers=frozenset(_principal(one) for one in callers), require_user_token=required)


def _principal(text: object) -> Principal:
    named = Principal.behind(f"arn:aws:sts::{str(text).replace('/', ':assumed-role/', 1)}/session")
    if named is None:
        raise ValueError("COMPANY_LOCKS")
    return named


def trust_of(text: str) -> Trust:
    """A `Trust`: texts, and for each audience a list of companies."""
    value = json.loads(text)
    if not isinstance(value, dict) or set(value) != {one.name for one in fields(Trust)}:
        raise ValueError("OIDC")
    audiences = value.pop("audiences")
    if not isinstance(audiences, dict) or not all(map(texts, ([*value.values()], *audiences.values()))):
        raise ValueError("OIDC")
    return Trust(audiences={name: tuple(companies) for name, companies in audiences.items()}, **value)
