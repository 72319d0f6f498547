"""Whose facts: one user's, those of a space, or those of the whole company."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from context_memory.domain.ids import company, encode

if TYPE_CHECKING:
    from context_memory.domain.ids import UserKey


class Scope(StrEnum):
    """How far a fact reaches. Turns write to `USER` alone; the others are the administrators' to write."""

    USER = "user"
    WORKSPACE = "workspace"
    GLOBAL = "global"


@dataclass(frozen=True, slots=True)
class UserScope:
    """The facts of one user, on every channel that is linked to them."""

    user: UserKey

    @property
    def scope(self) -> Scope:
        """Its kind."""
        return Scope.USER

    @property
    def company_id(self) -> str:
        """Whose company."""
        return self.user.company_id

    @property
    def partition(self) -> str:
        """Partition key in the user table (`acme#lena`)."""
        return self.user.partition

    @property
    def folder(self) -> str:
        """Prefix of its objects in the work bucket, with its closing slash."""
        return f"recall/{self.user.home}"


@dataclass(frozen=True, slots=True)
class SharedScope:
    """The facts of a space (`space_id`), or of the whole company (None): read by all of its users, written by none."""

    company_id: str
    space_id: str | None = None

    def __post_init__(self) -> None:
        """Refuse what has no encoding, so that every key of this scope exists."""
        company(self.company_id)
        if self.space_id is not None:
            encode(self.space_id, "space_id")

    @property
    def scope(self) -> Scope:
        """Its kind."""
        return Scope.GLOBAL if self.space_id is None else Scope.WORKSPACE

    @property
    def partition(self) -> str:
        """Partition key in the company table (`acme##global`, `acme##space#sales`); no user's key holds `##`."""
        if self.space_id is None:
            return f"{self.company_id}##global"
        return f"{self.company_id}##space#{encode(self.space_id, 'space_id')}"

    @property
    def folder(self) -> str:
        """Prefix of its objects in the work bucket, with its closing slash."""
        if self.space_id is None:
            return f"recall/{self.company_id}/global/"
        return f"{self.folder_of_spaces}{encode(self.space_id, 'space_id')}/"

    @property
    def folder_of_spaces(self) -> str:
        """Prefix of the objects of all spaces of the company."""
        return f"recall/{self.company_id}/space-"


type FactScope = UserScope | SharedScope
"""Where facts live: each scope has its facts, its head and its index for itself."""


def readable(scope: FactScope, user: UserKey) -> FactScope:
    """The scope, if it is the user's own or shared in their company.

    Raises:
        PermissionError: it is neither. The user's credentials would not open it; nobody should ask.
    """
    own = isinstance(scope, UserScope) and scope.user == user
    if own or (isinstance(scope, SharedScope) and scope.company_id == user.company_id):
        return scope
    raise PermissionError("These facts are neither the user's own nor shared with them.")
