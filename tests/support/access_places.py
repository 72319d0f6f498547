"""Places that somebody may want to reach: what ARN a request names there, and what else it says."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping

    from infra.names import Names


Context = dict[str, str | list[str]]
Tags = tuple[tuple[str, str], ...]


class Place(Protocol):
    """What somebody wants to reach."""

    def arn(self, names: Names) -> str:
        """ARN that the request names."""

    def guarded_by(self, names: Names) -> str:
        """ARN of the resource whose own policy decides too."""

    def context(self, names: Names) -> Context:
        """Condition keys that the request sets."""


@dataclass(frozen=True, slots=True)
class Object:
    """An object; `bucket` is `profiles` or `work`, and `another` one whose name begins as that."""

    bucket: str
    key: str
    another: bool = False

    def arn(self, names: Names) -> str:
        """ARN of the object."""
        return f"{self.guarded_by(names)}/{self.key}"

    def guarded_by(self, names: Names) -> str:
        """ARN of the bucket."""
        return _bucket_arn(self.bucket, names, another=self.another)

    def context(self, names: Names) -> Context:  # noqa: ARG002 - as other places
        """None."""
        return {}


@dataclass(frozen=True, slots=True)
class Listing:
    """A listing of a bucket, or of `another` whose name begins as its; None leaves a parameter out."""

    bucket: str
    prefix: str | None = None
    delimiter: str | None = None
    another: bool = False

    def arn(self, names: Names) -> str:
        """ARN of the bucket."""
        return _bucket_arn(self.bucket, names, another=self.another)

    def guarded_by(self, names: Names) -> str:
        """ARN of the bucket."""
        return self.arn(names)

    def context(self, names: Names) -> Context:  # noqa: ARG002 - as other places
        """Its parameters."""
        given = {"s3:prefix": self.prefix, "s3:delimiter": self.delimiter}
        return {key: value for key, value in given.items() if value is not None}


@dataclass(frozen=True, slots=True)
class Items:
    """Items of a table (`users`, `companies`) under these partition keys; none is what a Scan names."""

    table: str
    partitions: tuple[str, ...] = ()

    def arn(self, names: Names) -> str:
        """ARN of the table."""
        return names.table_arn(names.plain(self.table))

    def guarded_by(self, names: Names) -> str:
        """ARN of the table, which has no policy."""
        return self.arn(names)

    def context(self, names: Names) -> Context:  # noqa: ARG002 - as other places
        """Partition keys named."""
        return {"dynamodb:LeadingKeys": list(self.partitions)} if self.partitions else {}


@dataclass(frozen=True, slots=True)
class Named:
    """Anything that a service knows by an ARN of its own: a queue, a secret, the streams of a log group.

    `{environment}`, `{account}` and `{region}` are filled in; `*` stays for services that know no resources.
    """

    service: str
    resource: str
    asked: Mapping[str, str] = field(default_factory=dict, hash=False)

    def arn(self, names: Names) -> str:
        """Its ARN."""
        return "*" if self.resource == "*" else names.arn(self.service, filled(self.resource, names))

    def guarded_by(self, names: Names) -> str:
        """The same ARN."""
        return self.arn(names)

    def context(self, names: Names) -> Context:
        """What is asked of it."""
        return {key: filled(value, names) for key, value in self.asked.items()}


@dataclass(frozen=True, slots=True)
class Assumption:
    """Assuming a role (its name's last part, or the one for callers of a company), with session tags or none."""

    role: str = ""
    tags: Tags = ()
    caller_of: str = ""

    def arn(self, names: Names) -> str:
        """ARN of the role."""
        return names.role_arn(names.caller_role(self.caller_of) if self.caller_of else names.role(self.role))

    def guarded_by(self, names: Names) -> str:
        """The role, whose trust is its policy."""
        return self.arn(names)

    def context(self, names: Names) -> Context:  # noqa: ARG002 - as other places
        """Tags asked for."""
        if not self.tags:
            return {}
        return {
            "aws:TagKeys": [key for key, _ in self.tags],
            **{f"aws:RequestTag/{key}": value for key, value in self.tags},
        }


def _bucket_arn(bucket: str, names: Names, *, another: bool) -> str:
    return names.bucket_arn(names.bucket(bucket)) + ("2" if another else "")


def filled(text: str, names: Names) -> str:
    """A text with environment, account and region filled in."""
    return text.format(environment=names.environment, account=names.account, region=names.region)
