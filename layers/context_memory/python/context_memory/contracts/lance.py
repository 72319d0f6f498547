"""What the function `lance` is asked, and what it answers: JSON both ways, of our own making on both sides.

Facts travel as documents (`adapters/fact_documents.py`). Whoever asks lends the credentials with which the tables are
opened: the function has no rights of its own.
"""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict


class Credentials(TypedDict):
    """Of a session that may do what is asked for, and nothing else."""

    access_key: str
    secret_key: str
    token: str


class AskedScope(TypedDict):
    """The folder of a scope, and the stamp of the head that was read of it; None: as its table stands.

    `core`: its core facts are wanted, too, whatever is looked for. Recall and the image are not deployed in one moment:
    whoever does not know of them neither asks nor tells.
    """

    folder: str
    stamp: int | None
    core: NotRequired[bool]


class Search(TypedDict):
    """Search scopes. `vector` is the model's name with the bytes in base64."""

    do: Literal["search"]
    credentials: Credentials
    scopes: list[AskedScope]
    text: str
    vector: list[str] | None


class Replace(TypedDict):
    """All facts of a scope as they are at `stamp`; `last`: there are no more than those that were brought so far.

    `dimensions` of their vectors; None, there and in a change: they have none, and the table may stay as it is.
    """

    do: Literal["replace"]
    credentials: Credentials
    folder: str
    stamp: int
    dimensions: int | None
    facts: list[dict[str, Any]]
    last: bool


class Change(TypedDict):
    """What one write did to a scope: it led from `base` to `stamp`."""

    do: Literal["change"]
    credentials: Credentials
    folder: str
    base: int
    stamp: int
    dimensions: int | None
    puts: list[dict[str, Any]]
    drops: list[str]


type Asked = Search | Replace | Change


class FoundFact(TypedDict):
    """What a leg found in the scope at this place among those asked for."""

    scope: int
    fact: dict[str, Any]
    score: float


class Answer(TypedDict):
    """What came of it.

    `failed`: the class of an error; nothing else counts then. `done`: the write is in the table. `behind`: places of
    scopes whose tables stand at another stamp, which were not searched. `core`: with a score of 0.
    """

    failed: NotRequired[str]
    done: NotRequired[bool]
    behind: NotRequired[list[int]]
    words: NotRequired[list[FoundFact]]
    vectors: NotRequired[list[FoundFact]]
    core: NotRequired[list[FoundFact]]
