"""What administrators read and write of their company, as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from context_memory.contracts.complaints import check_size, first_complaint
from context_memory.domain.company_settings import LARGEST_CAP, SMALLEST_CAP, CompanySettings

if TYPE_CHECKING:
    from context_memory.domain.company_settings import StoredSettings
    from context_memory.domain.enablement import OperatorFlags
    from context_memory.domain.spending import Standing

_DEFAULTS = CompanySettings()


class CompanyBody(BaseModel):
    """All settings of a company; one that is left out has its default again."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    max_tokens: Annotated[int, Field(ge=SMALLEST_CAP, le=LARGEST_CAP)] = _DEFAULTS.max_tokens
    legacy: bool = _DEFAULTS.legacy

    @classmethod
    def parse(cls, raw: bytes) -> CompanySettings:
        """Check a request's body.

        Raises:
            BodyTooLarge: more than 1 MB.
            InvalidInput: names the first field that is wrong.
        """
        check_size(raw)
        try:
            body = cls.model_validate_json(raw)
        except ValidationError as error:
            raise first_complaint(error) from None  # the cause would quote the body
        return CompanySettings(**body.model_dump())


def settings_document(company_id: str, stored: StoredSettings) -> dict[str, Any]:
    """What a company has set: `settings` is what a `PUT` would send."""
    settings = {"max_tokens": stored.settings.max_tokens, "legacy": stored.settings.legacy}
    return {"company_id": company_id, "settings": settings}


def flags_document(flags: OperatorFlags) -> dict[str, Any]:
    """What the operator switched, which administrators only read."""
    return {
        "context_memory": flags.context_memory,
        "context_memory_with_web_search": flags.context_memory_with_web_search,
        "daily_tokens": flags.daily_tokens,
    }


def budget_document(standing: Standing) -> dict[str, Any]:
    """What the company may spend on the model today and has spent; `used` is null when nobody knows."""
    return {
        "daily_tokens": standing.daily_tokens,
        "used": standing.used,
        "step": standing.step.value,
        "resets_at": standing.resets_at.isoformat(timespec="seconds"),
    }
