"""A request's body as a model: read in one place, so that each complaint sounds the same and quotes nothing."""

from __future__ import annotations

from typing import Self

from pydantic import BaseModel, ConfigDict, ValidationError

from context_memory.contracts.complaints import check_size, first_complaint


def checked[Model: BaseModel](model: type[Model], raw: bytes) -> Model:
    """A body as a model.

    Raises:
        BodyTooLarge: more than 1 MB.
        InvalidInput: names the first field that is wrong.
    """
    check_size(raw)
    try:
        return model.model_validate_json(raw)
    except ValidationError as error:
        raise first_complaint(error) from None  # the cause would quote the body


class Strict(BaseModel):
    """An object that has no other fields than these, each of just its type."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Body(Strict):
    """The whole of a request's body."""

    @classmethod
    def parse(cls, raw: bytes) -> Self:
        """Check a request's body.

        Raises:
            BodyTooLarge: more than 1 MB.
            InvalidInput: names the first field that is wrong.
        """
        return checked(cls, raw)
