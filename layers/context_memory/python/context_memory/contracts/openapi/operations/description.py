"""The description itself."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict

from context_memory.contracts.openapi.operation import Callers, Operation, Reply
from context_memory.contracts.openapi.parameters import IF_NONE_MATCH


class Description(BaseModel):
    """An OpenAPI document."""

    model_config = ConfigDict(extra="allow")

    openapi: str


OPERATIONS = (
    Operation(
        route="GET /v1/openapi.json",
        name="describe",
        tag="description",
        summary="This document.",
        callers=Callers.ANYBODY,
        parameters=(IF_NONE_MATCH,),
        replies=(
            Reply(status=200, about="The document.", model=Description, headers=("etag",)),
            Reply(status=304, about="What is at hand still holds.", headers=("etag",)),
        ),
    ),
)
