"""What the user-data roles may do: only what belongs to the user, or company, that their session tags name.

A function has no right to user data of its own. It assumes one of these roles with the tags `company_id` and
`user_id`; the policies name the tags as variables, so that no key of another user is within reach.
An encoded id holds none of the signs that a policy reads as wildcards.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from aws_cdk import aws_iam

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from infra.names import Names

COMPANY = "${aws:PrincipalTag/company_id}"
USER = "${aws:PrincipalTag/user_id}"
FILE = "memory.md"


class UserDataPolicies:
    """Builds the statements of each role for one environment."""

    def __init__(self, *, names: Names, root_folder: str) -> None:
        self._names, self._root_folder = names, root_folder
        self._profiles = names.bucket_arn(names.profile_bucket)
        self._work = names.bucket_arn(names.work_bucket)
        # The root folder is the environment's and stands here literally; only the tags are variables.
        self._profile_key = f"{COMPANY}/home-{USER}/{root_folder}/{FILE}"
        self._legacy_key = f"{COMPANY}/{root_folder}/{USER}/{FILE}"
        # What was said in turns: of those that wait, and of those that are kept.
        self._payloads = tuple(f"{folder}/{COMPANY}/home-{USER}/" for folder in ("turns", "kept"))
        # An empty object by which a company's users are found; it says that there is such a user, and nothing else.
        self._marker = f"users/{COMPANY}/home-{USER}/known"
        # What recall looks facts up in; a space's and a company's are everybody's of the company to read.
        self._index = f"recall/{COMPANY}/home-{USER}/"
        self._readable_indexes = (self._index, f"recall/{COMPANY}/space-", f"recall/{COMPANY}/global/")

    def read(self) -> list[aws_iam.PolicyStatement]:
        """Get the profile, its versions and the legacy file; read the user's items, and what the company shares."""
        return [
            _allow("ReadProfile", ["s3:GetObject", "s3:GetObjectVersion"], [f"{self._profiles}/{self._profile_key}"]),
            _allow("ReadLegacy", ["s3:GetObject"], [f"{self._profiles}/{self._legacy_key}"]),
            # Absence is never read from a GET, only from an empty listing of exactly this key.
            _allow("FindLegacy", ["s3:ListBucket"], [self._profiles], _prefixes(self._legacy_key)),
            self._items("ReadItems", ["dynamodb:GetItem", "dynamodb:Query"]),
            self._shared(),
            _allow("ReadIndexes", ["s3:GetObject"], [f"{self._work}/{prefix}*" for prefix in self._readable_indexes]),
            _allow(
                "ListIndexes",
                ["s3:ListBucket"],
                [self._work],
                {"StringLike": {"s3:prefix": [f"{prefix}*" for prefix in self._readable_indexes]}},
            ),
        ]

    def recall(self) -> list[aws_iam.PolicyStatement]:
        """Read, and note what was given for a prompt and how often; delete nothing and put no object."""
        noting = ["dynamodb:PutItem", "dynamodb:UpdateItem", "dynamodb:ConditionCheckItem"]
        return [*self.read(), self._items("NoteWhatWasGiven", noting)]

    def write(self) -> list[aws_iam.PolicyStatement]:
        """Read, and put the profile and the user's marker, use payloads, write the user's items and index."""
        return [
            *self.read(),
            _allow("WriteProfile", ["s3:PutObject"], [f"{self._profiles}/{self._profile_key}"]),
            _allow(
                "UsePayloads",
                ["s3:GetObject", "s3:PutObject", "s3:DeleteObject"],
                [f"{self._work}/{prefix}*" for prefix in self._payloads],
            ),
            _allow("MarkUser", ["s3:PutObject"], [f"{self._work}/{self._marker}"]),
            _allow("WriteIndex", ["s3:PutObject", "s3:DeleteObject"], [f"{self._work}/{self._index}*"]),
            # A transaction needs the rights of each of its parts.
            self._items(
                "WriteItems",
                ["dynamodb:PutItem", "dynamodb:UpdateItem", "dynamodb:DeleteItem", "dynamodb:ConditionCheckItem"],
            ),
        ]

    def erase(self) -> list[aws_iam.PolicyStatement]:
        """Write, and list and delete every version of what the user has."""
        return [
            *self.write(),
            _allow(
                "EraseProfile",
                ["s3:DeleteObject", "s3:DeleteObjectVersion"],
                # Whatever lies in the user's home, also what another release or another root folder has left.
                [f"{self._profiles}/{COMPANY}/home-{USER}/*", f"{self._profiles}/{self._legacy_key}"],
            ),
            _allow(
                "ListVersions",
                ["s3:ListBucketVersions"],
                [self._profiles],
                _prefixes(f"{COMPANY}/home-{USER}/", self._profile_key, self._legacy_key),
            ),
            _allow("ListPayloads", ["s3:ListBucket"], [self._work], _prefixes(*self._payloads)),
            _allow("UnmarkUser", ["s3:DeleteObject"], [f"{self._work}/{self._marker}"]),
        ]

    def lister(self) -> list[aws_iam.PolicyStatement]:
        """List which users of the company there are, and which have payloads waiting or kept; read nothing."""
        return [
            _allow(
                "ListUsersWithTurns", ["s3:ListBucket"], [self._work], _folders(f"turns/{COMPANY}/", f"kept/{COMPANY}/")
            ),
            _allow("ListMarkedUsers", ["s3:ListBucket"], [self._work], _folders(f"users/{COMPANY}/")),
            _allow("ListHomes", ["s3:ListBucket"], [self._profiles], _folders(f"{COMPANY}/")),
            _allow("ListLegacyHomes", ["s3:ListBucket"], [self._profiles], _folders(f"{COMPANY}/{self._root_folder}/")),
        ]

    def _shared(self) -> aws_iam.PolicyStatement:
        """Facts of the company and of its spaces, for everybody of the company to read; a user's key holds no `##`."""
        conditions = {
            "ForAllValues:StringLike": {"dynamodb:LeadingKeys": [f"{COMPANY}##global", f"{COMPANY}##space#*"]},
            "Null": {"dynamodb:LeadingKeys": "false"},
        }
        companies = self._names.table_arn(self._names.company_table)
        return _allow(
            "ReadSharedFacts",
            [f"dynamodb:{action}" for action in ("GetItem", "BatchGetItem", "Query")],
            [companies],
            conditions,
        )

    def _items(self, sid: str, actions: Sequence[str]) -> aws_iam.PolicyStatement:
        # ForAllValues alone is true when the request names no key at all, as a Scan does: hence the Null guard.
        conditions = {
            "ForAllValues:StringEquals": {"dynamodb:LeadingKeys": [f"{COMPANY}#{USER}"]},
            "Null": {"dynamodb:LeadingKeys": "false"},
        }
        return _allow(sid, actions, [self._names.table_arn(self._names.user_table)], conditions)


def _prefixes(*prefixes: str) -> dict[str, Mapping[str, list[str]]]:
    return {"StringEquals": {"s3:prefix": list(prefixes)}}


def _folders(*prefixes: str) -> dict[str, Mapping[str, str | list[str]]]:
    """What stands directly below one of these prefixes, and nothing deeper."""
    return {"StringEquals": {"s3:prefix": prefixes[0] if len(prefixes) == 1 else list(prefixes), "s3:delimiter": "/"}}


def _allow(
    sid: str, actions: Sequence[str], resources: Sequence[str], conditions: Mapping[str, object] | None = None
) -> aws_iam.PolicyStatement:
    return aws_iam.PolicyStatement(
        sid=sid, actions=list(actions), resources=list(resources), conditions=dict(conditions or {})
    )
