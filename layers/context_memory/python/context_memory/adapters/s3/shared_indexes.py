"""Indexes over facts that a company shares: `recall/<company>/global/` and `recall/<company>/space-<space>/`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from context_memory.adapters.aws_errors import told_as_ours
from context_memory.adapters.s3.deleting import BATCH, delete_objects
from context_memory.domain.facts.scopes import SharedScope

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from mypy_boto3_s3 import S3Client


@dataclass(frozen=True, slots=True, kw_only=True)
class S3SharedIndexes:
    """`SharedIndexes` over the work bucket.

    Args:
        client: S3, with credentials per request.
        bucket: the work bucket.
        own_role: signs with the function's own role (`AwsClients.own_role`).
    """

    client: S3Client
    bucket: str
    own_role: Callable[[], AbstractContextManager[None]]

    def clear(self, company_id: str) -> int:
        """Remove all of them; a user's own lie under `recall/<company>/home-<user>/`."""
        company = SharedScope(company_id)
        return self._removed(company.folder) + self._removed(company.folder_of_spaces)

    def _removed(self, prefix: str) -> int:
        removed = 0
        with told_as_ours("S3"), self.own_role():
            pages = self.client.get_paginator("list_objects_v2").paginate(
                Bucket=self.bucket, Prefix=prefix, PaginationConfig={"PageSize": BATCH}
            )
            for page in pages:
                if found := page.get("Contents", ()):
                    delete_objects(self.client, self.bucket, [{"Key": one["Key"]} for one in found])
                    removed += len(found)
        return removed
