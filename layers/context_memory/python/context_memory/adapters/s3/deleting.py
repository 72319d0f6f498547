"""Deleting many objects at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from context_memory.domain.errors import StoreUnavailable

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client
    from mypy_boto3_s3.type_defs import ObjectIdentifierTypeDef

BATCH = 1000
"""Objects in one listing, and in one request that deletes them; S3 takes no more."""
_GONE = frozenset({"NoSuchKey", "NoSuchVersion"})


def delete_objects(client: S3Client, bucket: str, objects: list[ObjectIdentifierTypeDef]) -> None:
    """Remove up to 1,000 objects or versions for good; those that are gone already are no error.

    Raises:
        StoreUnavailable: some are left.
    """
    answer = client.delete_objects(Bucket=bucket, Delete={"Objects": objects, "Quiet": True})
    if any(error.get("Code") not in _GONE for error in answer.get("Errors", ())):
        raise StoreUnavailable("S3 has deleted some objects of a batch only.")
