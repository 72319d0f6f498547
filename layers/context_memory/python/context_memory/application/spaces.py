"""What administrators see and register of their company's spaces. No user's data is near."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from context_memory.application.expecting import expected_version
from context_memory.domain.errors import InvalidInput, UnknownSpace
from context_memory.domain.spaces import NOT_REGISTERED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from context_memory.domain.language_models import AllowedModels
    from context_memory.domain.spaces import SpaceSettings, StoredSpace
    from context_memory.ports.companies import Spaces
    from context_memory.ports.telemetry import Telemetry


@dataclass(frozen=True, slots=True, kw_only=True)
class SpaceAdministration:
    """The use cases behind `/v1/companies/{company_id}/spaces`. `models` are those that a space may choose."""

    spaces: Spaces
    models: AllowedModels
    telemetry: Telemetry

    def show(self, company_id: str, space_id: str) -> StoredSpace:
        """What is registered about a space.

        Raises:
            UnknownSpace: nothing is: it has a memory, with the company's values.
        """
        found = self.spaces.space(company_id, space_id)
        if found is None:
            raise UnknownSpace("No space of this id is registered.")
        return found

    def page(self, company_id: str, *, limit: int, after: str | None) -> tuple[Sequence[StoredSpace], str | None]:
        """At most `limit` spaces behind `after`, and the last one's id where more stand behind it."""
        found = self.spaces.spaces(company_id, limit=limit + 1, after=after)
        page = found[:limit]
        return page, page[-1].space_id if len(found) > limit else None

    def register(
        self, company_id: str, space_id: str, settings: SpaceSettings, *, expected: frozenset[str] | None = None
    ) -> StoredSpace:
        """Replace all settings of a space. Readers follow within the time that they keep what they know.

        Raises:
            InvalidInput: `language_model` is not on the environment's list.
            VersionConflict: nothing was changed; names the version that counts now.
        """
        if self.models.refuses(settings.language_model):
            raise InvalidInput("language_model", "must be on the environment's list of models")
        version = expected_version(expected, lambda: self._version(company_id, space_id))
        stored = self.spaces.register(company_id, space_id, settings, version=version)
        self.telemetry.event("registered a space", version=stored.version)
        return stored

    def unregister(self, company_id: str, space_id: str, *, expected: frozenset[str] | None = None) -> None:
        """Remove what is registered about a space: from then on it has a memory, with the company's values.

        Raises:
            VersionConflict: nothing was changed; names the version that counts now.
        """
        version = expected_version(expected, lambda: self._version(company_id, space_id))
        self.spaces.unregister(company_id, space_id, version=version)
        self.telemetry.event("removed a space")

    def _version(self, company_id: str, space_id: str) -> int:
        found = self.spaces.space(company_id, space_id)
        return found.version if found else NOT_REGISTERED
