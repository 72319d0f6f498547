"""Requests and answers of an API Gateway HTTP API (payload format 2.0). Standard library only: load imports it."""

from __future__ import annotations

import base64
import json
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from context_memory.domain.errors import InvalidInput
from context_memory.domain.ids import UserKey, decode, encode

if TYPE_CHECKING:
    from collections.abc import Mapping

Event = dict[str, Any]
Answer = dict[str, Any]
NO_STORE = {"cache-control": "no-store"}
PRIVATE = {"cache-control": "private, no-store"}
"""Of what end users get, unless it has a validator of its own."""
_DIGITS = re.compile("[0-9]{1,9}")


@dataclass(frozen=True, slots=True)
class Request:
    """One request: `route` is `METHOD /path/{with}/names`, header names are lower-case.

    `caller` is the ARN that IAM authorised, None where no such caller is named.
    `claims` are those of the token that the gateway has checked, every value a text; empty on other routes.
    `provider` is set where the path named `channel:user` of a link, as it is spelled; the path names the user then.
    """

    route: str
    request_id: str
    path: Mapping[str, str]
    query: Mapping[str, str]
    headers: Mapping[str, str] = field(repr=False)
    body: bytes = field(repr=False)
    caller: str | None = None
    claims: Mapping[str, str] = field(default_factory=dict, repr=False)
    provider: str | None = field(default=None, repr=False)

    @classmethod
    def of(cls, event: Event) -> Request:
        """Read the event of API Gateway.

        Raises:
            InvalidInput: a body that is said to be base64 and is not.
        """
        body = event.get("body") or ""
        try:
            raw = base64.b64decode(body, validate=True) if event.get("isBase64Encoded") else body.encode()
        except ValueError as error:  # no base64, or no UTF-8
            raise InvalidInput("body", "must be UTF-8 text") from error
        return cls(
            route=event["routeKey"],
            request_id=event["requestContext"]["requestId"],
            path=event.get("pathParameters") or {},
            query=event.get("queryStringParameters") or {},
            headers={name.lower(): value for name, value in (event.get("headers") or {}).items()},
            body=raw,
            caller=_caller(event["requestContext"]),
            claims=((event["requestContext"].get("authorizer") or {}).get("jwt") or {}).get("claims") or {},
        )

    @property
    def changes(self) -> bool:
        """Whether it may change something: everything but a GET."""
        return not self.route.startswith("GET ")

    @property
    def names_provider(self) -> bool:
        """Whether the path names `channel:user` in place of a user; no user's spelling holds a literal `:`."""
        return ":" in self.path.get("user_id", "")

    @property
    def user(self) -> UserKey:
        """The user that the path names.

        Raises:
            InvalidId: a segment that is no id's spelling.
        """
        return UserKey.from_path(self.path["company_id"], self.path["user_id"])

    def path_id(self, name: str) -> str:
        """An id from a path segment.

        Raises:
            InvalidId: a segment that is no id's spelling.
        """
        return decode(self.path[name], name)

    def optional_id(self, name: str) -> str | None:
        """A query parameter that is an id as it stands; None when absent.

        Raises:
            InvalidId: a text that has no encoding.
        """
        value = self.query.get(name)
        if value is not None:
            encode(value, name)
        return value

    def flag(self, name: str) -> bool | None:
        """A query parameter that is `true` or `false`; None when absent.

        Raises:
            InvalidInput: any other value.
        """
        value = self.query.get(name)
        if value not in {None, "true", "false"}:
            raise InvalidInput(name, "must be 'true' or 'false'")
        return None if value is None else value == "true"

    def number(self, name: str, *, otherwise: int, most: int) -> int:
        """A query parameter that is a number from 1 to `most`; `otherwise` when absent.

        Raises:
            InvalidInput: any other value.
        """
        value = self.query.get(name)
        if value is None:
            return otherwise
        if _DIGITS.fullmatch(value) is None or not 1 <= int(value) <= most:
            raise InvalidInput(name, f"must be a number from 1 to {most}")
        return int(value)


def _caller(context: Mapping[str, Any]) -> str | None:
    """The caller's ARN where the gateway and the ARN agree on its account."""
    iam = (context.get("authorizer") or {}).get("iam") or {}
    arn = iam.get("userArn")
    return arn if isinstance(arn, str) and f"::{iam.get('accountId')}:" in arn else None


def etags(header: str | None) -> frozenset[str]:
    """The validators of an `If-None-Match`, compared weakly as the standard wants for a read."""
    return frozenset(tag.strip().removeprefix("W/") for tag in (header or "").split(",") if tag.strip())


ANY_VERSION = "*"


def expected_etags(header: str | None) -> frozenset[str] | None:
    """The validators of an `If-Match`, None when it is absent; weak ones never match, as the standard has it."""
    if header is None:
        return None
    return frozenset(tag.strip() for tag in header.split(",") if tag.strip() and not tag.strip().startswith("W/"))


def version_etag(version: int) -> str:
    """The validator of a version that is counted."""
    return f'"{version}"'


def profile_etag(version: tuple[int, int], more: str = "") -> str:
    """The validator of a profile: epoch, count, and whatever else an answer depends on, which no change is refused for.

    Args:
        version: epoch and count.
        more: letters and digits.
    """
    epoch, turn_count = version
    return f'"{epoch}-{turn_count}{more and "-"}{more}"'


_PROFILE_ETAG = re.compile(r'"([0-9]{1,10})-([0-9]{1,10})(-[0-9a-z]+)?"')


def expected_profiles(header: str | None) -> frozenset[tuple[int, int]] | None:
    """Epochs and counts that an `If-Match` names, None when it is absent; what is no validator of ours matches none."""
    tags = expected_etags(header)
    if tags is None:
        return None
    return frozenset((int(found[1]), int(found[2])) for tag in tags if (found := _PROFILE_ETAG.fullmatch(tag)))


def answer(status: int, body: object = None, headers: Mapping[str, str] | None = None) -> Answer:
    """An answer with a JSON body, never to be stored by a cache in between."""
    content = {} if body is None else {"body": json.dumps(body, ensure_ascii=False, separators=(",", ":"))}
    kind = {} if body is None else {"content-type": "application/json"}
    return {"statusCode": status, "headers": {**NO_STORE, **kind, **(headers or {})}, **content}
