"""Answers what the function `lance` is asked."""

from __future__ import annotations

from base64 import b64decode
from functools import partial
from typing import TYPE_CHECKING

from context_memory.adapters.fact_documents import document_of, fact_of
from context_memory.adapters.lance.searching import legs_of
from context_memory.adapters.lance.tables import Place, Tables
from context_memory.adapters.lance.writing import TableWriter
from context_memory.domain.errors import StoreUnavailable
from context_memory.domain.facts.vectors import Vector
from context_memory.domain.recall.terms import asked

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from context_memory.adapters.lance.searching import Found
    from context_memory.contracts.lance import Answer, Asked, Change, Credentials, FoundFact, Replace, Search


class LanceService:
    """Tables in one bucket, each request with the credentials that it brings.

    Args:
        root: address of the bucket (`s3://…`).
        options: of the object store, beside the credentials: region, and endpoint where it is not AWS's.
    """

    def __init__(self, *, root: str, options: Mapping[str, str]) -> None:
        self._root = root
        self._options = options

    def answer(self, request: Asked) -> Answer:
        """Do what is asked; an error is told by its class alone, since its words may name users."""
        tables = Tables(Place(self._root, {**self._options, **_signing(request["credentials"])}))
        try:
            if request["do"] == "search":
                return _searched(tables, request)
            return {"done": _written(tables, request)}
        except StoreUnavailable as error:
            return {"failed": type(error).__name__}


def _signing(credentials: Credentials) -> Mapping[str, str]:
    return {
        "aws_access_key_id": credentials["access_key"],
        "aws_secret_access_key": credentials["secret_key"],
        "aws_session_token": credentials["token"],
    }


def _written(tables: Tables, request: Replace | Change) -> bool:
    writer = TableWriter(tables, request["folder"], request["dimensions"])
    if request["do"] == "change":
        puts = list(map(fact_of, request["puts"]))
        return writer.change(puts, request["drops"], request["base"], request["stamp"])
    write = writer.replace if request["last"] else writer.bring
    write(list(map(fact_of, request["facts"])), request["stamp"])
    return True


def _searched(tables: Tables, request: Search) -> Answer:
    words, told = asked(request["text"]), request["vector"]
    vector = Vector(told[0], b64decode(told[1])) if told else None
    answer: Answer = {"behind": [], "words": [], "vectors": [], "core": []}
    for place, scope in enumerate(request["scopes"]):
        search = partial(legs_of, tables, scope["folder"], scope["stamp"], words, vector, core=scope.get("core", False))
        try:
            legs = search()
        except StoreUnavailable:
            legs = search()  # the version that it read may have been cleaned away meanwhile
        if legs is None:
            answer["behind"].append(place)
        else:
            answer["words"] += _told(place, legs.words)
            answer["vectors"] += _told(place, legs.vectors)
            answer["core"] += _told(place, legs.core)
    return answer


def _told(place: int, leg: Sequence[Found]) -> list[FoundFact]:
    return [{"scope": place, "fact": document_of(one.fact), "score": one.score} for one in leg]
