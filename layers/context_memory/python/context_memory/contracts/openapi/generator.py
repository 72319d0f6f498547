"""Makes the description out of the operations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pydantic.json_schema import models_json_schema

from context_memory.contracts.openapi.operation import USERS, Callers
from context_memory.contracts.openapi.operations import OPERATIONS
from context_memory.contracts.openapi.parameters import HEADERS
from context_memory.contracts.openapi.problems import (
    ALWAYS,
    GATEWAY,
    TITLES,
    GatewayMessage,
    Problem,
    by_status,
    schema_of,
)

if TYPE_CHECKING:
    from pydantic import BaseModel
    from pydantic.json_schema import JsonSchemaMode

    from context_memory.contracts.openapi.operation import Operation, Parameter, Reply

_SCHEMA = "#/components/schemas/{model}"
_TAGS = {
    "turns": "What orchestrators do: load a memory before a turn, look up facts, hand the turn over after it.",
    "me": "What users do with their own memory.",
    "users": "What administrators do for one user.",
    "companies": "What administrators set of their company and its spaces.",
    "links": "What administrators and sign-ins set of channels and users.",
    "jobs": "What administrators start for a whole company.",
    "description": "This document.",
}
_NO_TOKEN = 401
_MORE_HEADERS = {401: ("www-authenticate",), 412: ("etag",), 429: ("retry-after",), 503: ("retry-after",)}
"""What problems of a status say in headers."""
_SECURITY = {
    Callers.IAM: {
        "type": "apiKey",
        "in": "header",
        "name": "authorization",
        "description": "AWS Signature Version 4 for the service execute-api; IAM decides upon method and path.",
    },
    Callers.READERS: {
        "type": "http",
        "scheme": "bearer",
        "bearerFormat": "JWT",
        "description": "An access token of the environment's issuer with a scope that reads or changes.",
    },
    Callers.CHANGERS: {
        "type": "http",
        "scheme": "bearer",
        "bearerFormat": "JWT",
        "description": "An access token of the environment's issuer with the scope that changes.",
    },
    Callers.EXPORTERS: {
        "type": "http",
        "scheme": "bearer",
        "bearerFormat": "JWT",
        "description": "An access token of the environment's issuer with the scope that exports.",
    },
}


def document() -> dict[str, Any]:
    """The whole description as JSON, in a stable order."""
    paths: dict[str, dict[str, Any]] = {}
    for operation in OPERATIONS:
        paths.setdefault(operation.path, {})[operation.method.lower()] = _operation(operation)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Context Memory",
            "version": "1",
            "description": "One small readable memory for every user of a company's AI agents.",
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "tags": [{"name": name, "description": about} for name, about in _TAGS.items()],
        "paths": paths,
        "components": {
            "schemas": _schemas(),
            "securitySchemes": {str(name): scheme for name, scheme in _SECURITY.items()},
            "headers": {name: {"description": about, "schema": {"type": "string"}} for name, about in HEADERS.items()},
        },
    }


def _operation(operation: Operation) -> dict[str, Any]:
    told: dict[str, Any] = {
        "operationId": operation.name,
        "tags": [operation.tag],
        "summary": operation.summary,
        "security": [{str(operation.callers): []}] if operation.callers else [],
    }
    if operation.parameters:
        told["parameters"] = [_parameter(one) for one in operation.parameters]
    if operation.body:
        told["requestBody"] = {
            "required": True,
            "content": {"application/json": {"schema": _reference(operation.body)}},
        }
    told["responses"] = _responses(operation)
    return told


def _parameter(one: Parameter) -> dict[str, Any]:
    return {
        "name": one.name,
        "in": one.where,
        "required": one.required,
        "description": one.about,
        "schema": dict(one.schema),
    }


def _responses(operation: Operation) -> dict[str, Any]:
    """By status: what is answered, the problems, and what the gateway says by itself."""
    told = {reply.status: _reply(reply) for reply in operation.replies}
    for status, names in by_status(operation.problems | ALWAYS).items():
        told[status] = {
            "description": " ".join(dict.fromkeys(TITLES[name] for name in names)),
            "headers": _headers("x-request-id", *_MORE_HEADERS.get(status, ())),
            "content": {"application/problem+json": {"schema": schema_of(names)}},
        }
    for status, about in GATEWAY.items():
        if status == _NO_TOKEN and operation.callers not in USERS:
            continue
        response = told.setdefault(status, {"description": about})
        response.setdefault("content", {})["application/json"] = {"schema": _reference(GatewayMessage)}
    return {str(status): told[status] for status in sorted(told)}


def _reply(reply: Reply) -> dict[str, Any]:
    told: dict[str, Any] = {"description": reply.about, "headers": _headers("x-request-id", *reply.headers)}
    if reply.model:
        told["content"] = {"application/json": {"schema": _reference(reply.model)}}
    return told


def _headers(*names: str) -> dict[str, Any]:
    return {name: {"$ref": f"#/components/headers/{name}"} for name in names}


def _schemas() -> dict[str, Any]:
    """The schemas of all bodies, by the names of their models."""
    asked: dict[type[BaseModel], JsonSchemaMode] = {Problem: "validation", GatewayMessage: "validation"}
    for operation in OPERATIONS:
        models = [operation.body, *(reply.model for reply in operation.replies)]
        asked |= {model: "validation" for model in models if model}
    _, schema = models_json_schema(list(asked.items()), ref_template=_SCHEMA)
    return dict(sorted(schema["$defs"].items()))


def _reference(model: type[BaseModel]) -> dict[str, str]:
    return {"$ref": _SCHEMA.format(model=model.__name__)}
