"""One route as the description tells it."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pydantic import BaseModel


class Callers(StrEnum):
    """How a caller shows who it is: names of security schemes, but for the one that asks for nothing."""

    IAM = "sigv4"
    READERS = "userReads"
    CHANGERS = "userChanges"
    EXPORTERS = "userExports"
    ANYBODY = ""


USERS = frozenset({Callers.READERS, Callers.CHANGERS, Callers.EXPORTERS})
"""Those who show a user's token."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """A value in the path, the query or a header; those of paths are always required."""

    name: str
    where: Literal["path", "query", "header"]
    about: str
    schema: Mapping[str, object]
    required: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """An answer that is no problem; without a model it has no body. `headers` are names of `headers.HEADERS`."""

    status: int
    about: str
    model: type[BaseModel] | None = None
    headers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """One method on one path.

    `name` is unique, in camel case; `tag` groups; `problems` are names of `contracts.problems`, beside those that
    `problems.ALWAYS` lists.
    """

    route: str
    name: str
    tag: str
    summary: str
    callers: Callers
    replies: tuple[Reply, ...]
    parameters: tuple[Parameter, ...] = ()
    body: type[BaseModel] | None = None
    problems: frozenset[str] = field(default_factory=frozenset)

    @property
    def method(self) -> str:
        """As HTTP spells it, such as `GET`."""
        return self.route.partition(" ")[0]

    @property
    def path(self) -> str:
        """With names in braces."""
        return self.route.partition(" ")[2]
