"""Snapshots in the work bucket: published whole by one writer, fetched once, never believed when damaged."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from moto import mock_aws

from context_memory.adapters.indexes.in_memory import InMemoryIndex
from context_memory.adapters.indexes.kept_snapshots import KeptSnapshots
from context_memory.adapters.indexes.warm_indexes import WarmIndexes
from context_memory.adapters.s3.snapshots import S3Snapshots, S3SnapshotWriter
from context_memory.adapters.sqlite_backend import SqliteBackend
from context_memory.adapters.sts import Role
from context_memory.domain.errors import StoreUnavailable
from context_memory.domain.facts.fact import Tier
from context_memory.domain.facts.vectors import quantised
from context_memory.domain.recall.match import Query
from context_memory.ports.indexes import MOST_READ_AT_ONCE, IndexChange, Lags, LargeScope
from context_memory.ports.recall import IndexedScope
from tests.support.facts import COMPANY, LENA, SALES, a_fact
from tests.support.stores import WORK_BUCKET, MockedAws

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from context_memory.domain.facts.fact import Fact
    from context_memory.domain.facts.scopes import SharedScope
    from context_memory.domain.ids import UserKey
    from context_memory.domain.recall.match import Match

RULES = [
    a_fact(f"Rule {number} of the house", COMPANY, vector=quantised("e5", [1.0, number + 1.0]))
    for number in range(MOST_READ_AT_ONCE + 1)
]
SCARF = a_fact("Silk scarves may be sent back within 14 days", COMPANY, vector=quantised("e5", [-1.0, 0.1]))


@pytest.fixture
def aws(mocked_aws: MockedAws) -> Iterator[MockedAws]:
    with mock_aws():
        mocked_aws.deploy()
        yield mocked_aws


@pytest.fixture
def writer(aws: MockedAws) -> S3SnapshotWriter:
    return S3SnapshotWriter(client=aws.clients.s3, bucket=WORK_BUCKET, own_role=aws.clients.own_role)


@pytest.fixture
def snapshots(aws: MockedAws) -> S3Snapshots:
    return S3Snapshots(client=aws.clients.s3, bucket=WORK_BUCKET, credentials=aws.credentials(), role=Role.READ)


def everything(_user: object, _scope: object, ids: Iterable[str]) -> list[Fact]:
    """A store in which all facts of these tests stand."""
    return [fact for fact in (*RULES, SCARF) if fact.id in set(ids)]


@pytest.fixture
def kept(snapshots: S3Snapshots, tmp_path: Path) -> KeptSnapshots:
    return KeptSnapshots(snapshots, tmp_path / "kept", everything)


def company(version: int, *more: Fact) -> IndexedScope:
    return IndexedScope(COMPANY, version, [*RULES, *more])


def texts(found: Sequence[Match]) -> list[str]:
    return [match.fact.text for match in found]


def look(kept: KeptSnapshots, query: str, version: int = 1) -> list[str]:
    return texts(kept.search(LENA.user, LargeScope(COMPANY, version), Query(text=query)))


def objects(aws: MockedAws) -> list[str]:
    with aws.clients.own_role():
        listed = aws.clients.s3.list_objects_v2(Bucket=WORK_BUCKET, Prefix=COMPANY.folder).get("Contents", ())
    return [one["Key"].removeprefix(COMPANY.folder) for one in listed]


def damage(aws: MockedAws, version: int, body: bytes, metadata: dict[str, str]) -> None:
    key = f"{COMPANY.folder}snapshots/{version}.sqlite"
    with aws.clients.own_role():
        aws.clients.s3.put_object(Bucket=WORK_BUCKET, Key=key, Body=body, Metadata=metadata)


def test_facts_of_a_large_scope_are_found_in_its_snapshot(writer: S3SnapshotWriter, kept: KeptSnapshots) -> None:
    writer.replace(company(1, SCARF))
    [found] = kept.search(LENA.user, LargeScope(COMPANY, 1), Query(text="Can I send the scarf back?"))
    assert (found.fact, found.scope, found.why) == (SCARF, COMPANY, ("keywords",))


def test_vectors_are_in_it_too(writer: S3SnapshotWriter, kept: KeptSnapshots) -> None:
    writer.replace(company(1, SCARF))
    asked = Query(text="returns", vector=quantised("e5", [-1.0, 0.0]))
    found = kept.search(LENA.user, LargeScope(COMPANY, 1), asked)
    assert (found[0].fact, found[0].why) == (SCARF, ("meaning",))
    assert not kept.search(LENA.user, LargeScope(COMPANY, 1), Query(text="x", vector=quantised("e6", [-1.0, 0.0])))


def test_nothing_is_found_where_nothing_was_published_which_is_told(kept: KeptSnapshots) -> None:
    lags = Lags()
    assert kept.search(LENA.user, LargeScope(COMPANY, 1), Query(text="rule"), lags) == ()
    assert lags == Lags({COMPANY}, {COMPANY})


def test_a_snapshot_that_is_older_than_the_head_is_searched_and_told(
    writer: S3SnapshotWriter, kept: KeptSnapshots
) -> None:
    writer.replace(company(1, SCARF))
    for version, told in ((1, Lags()), (2, Lags({COMPANY}))):
        lags = Lags()
        assert texts(kept.search(LENA.user, LargeScope(COMPANY, version), Query(text="scarves"), lags)) == [SCARF.text]
        assert lags == told


def test_a_writer_knows_how_far_the_newest_snapshot_has_come(writer: S3SnapshotWriter) -> None:
    writer.replace(company(5))
    assert [writer.change(IndexChange(scope=COMPANY, base=one, version=one)) for one in (4, 5, 6)] == [
        True,
        True,
        False,
    ]


def test_a_snapshot_is_fetched_once_for_each_version(
    aws: MockedAws, writer: S3SnapshotWriter, kept: KeptSnapshots
) -> None:
    writer.replace(company(1))
    look(kept, "scarves")
    before = len(aws.wire.signed)
    look(kept, "scarves")
    assert len(aws.wire.signed) == before
    writer.replace(company(2, SCARF))
    assert look(kept, "scarves", version=2) == [SCARF.text]


def test_until_the_next_one_is_published_the_last_one_is_searched(
    writer: S3SnapshotWriter, kept: KeptSnapshots
) -> None:
    writer.replace(company(1, SCARF))
    assert look(kept, "scarves", version=2) == [SCARF.text]


def test_of_one_that_is_behind_only_what_still_stands_is_found_and_as_it_stands(
    writer: S3SnapshotWriter, snapshots: S3Snapshots, tmp_path: Path
) -> None:
    writer.replace(company(1, SCARF))
    now = replace(SCARF, tier=Tier.ARCHIVAL)
    stands, asked = {SCARF.id: now}, []

    def named(user: UserKey, scope: SharedScope, ids: Iterable[str]) -> list[Fact]:
        asked.append((user, scope))
        return [stands[one] for one in ids if one in stands]

    kept = KeptSnapshots(snapshots, tmp_path / "kept", named)
    assert look(kept, "scarves") == [SCARF.text]
    assert asked == []
    [found] = kept.search(LENA.user, LargeScope(COMPANY, 2), Query(text="scarves"))
    assert (found.fact, asked) == (now, [(LENA.user, COMPANY)])
    stands.clear()
    assert look(kept, "scarves", version=2) == []


def test_of_a_scope_only_the_newest_two_stay_and_a_late_writer_adds_none(
    aws: MockedAws, writer: S3SnapshotWriter
) -> None:
    for version in (1, 2, 10):
        writer.replace(company(version))
    assert objects(aws) == ["snapshots/10.sqlite", "snapshots/2.sqlite"]
    writer.replace(company(9))
    assert objects(aws) == ["snapshots/10.sqlite", "snapshots/2.sqlite"]


def test_a_scope_that_can_be_read_at_once_has_no_snapshot(aws: MockedAws, writer: S3SnapshotWriter) -> None:
    writer.replace(company(1))
    writer.replace(IndexedScope(COMPANY, 2, RULES[:10]))
    assert objects(aws) == []


def test_a_snapshot_is_always_made_as_a_whole(writer: S3SnapshotWriter) -> None:
    assert not writer.change(IndexChange(scope=COMPANY, base=1, version=2, puts=[SCARF]))


@pytest.mark.parametrize("digest", ["0" * 64, ""])
def test_what_is_not_as_it_was_published_is_refused(
    aws: MockedAws, writer: S3SnapshotWriter, kept: KeptSnapshots, digest: str, tmp_path: Path
) -> None:
    writer.replace(company(1))
    damage(aws, 1, b"SQLite format 3", {"sha256": digest} if digest else {})
    with pytest.raises(StoreUnavailable):
        look(kept, "rule")
    assert list((tmp_path / "kept").iterdir()) == []


def test_a_published_file_that_is_no_database_is_told_and_not_kept(
    aws: MockedAws, writer: S3SnapshotWriter, kept: KeptSnapshots, tmp_path: Path
) -> None:
    writer.replace(company(1))
    damage(aws, 1, b"rubbish" * 1000, {"sha256": hashlib.sha256(b"rubbish" * 1000).hexdigest()})
    with pytest.raises(StoreUnavailable):
        look(kept, "rule")
    assert list((tmp_path / "kept").iterdir()) == []


def test_a_kept_file_that_breaks_is_fetched_again(
    writer: S3SnapshotWriter, kept: KeptSnapshots, tmp_path: Path
) -> None:
    writer.replace(company(1, SCARF))
    assert look(kept, "scarves") == [SCARF.text]
    [file] = (tmp_path / "kept").iterdir()
    with file.open("r+b") as opened:
        opened.write(b"\xff" * file.stat().st_size)
    assert look(kept, "scarves") == [SCARF.text]


def test_the_snapshot_that_was_asked_for_longest_ago_makes_room(
    writer: S3SnapshotWriter, snapshots: S3Snapshots, tmp_path: Path
) -> None:
    writer.replace(company(1))
    writer.replace(IndexedScope(SALES, 1, RULES))
    kept = KeptSnapshots(snapshots, tmp_path / "kept", everything, most_bytes=1)
    for scope in (COMPANY, SALES):
        assert len(kept.search(LENA.user, LargeScope(scope, 1), Query(text="rule 7"))) > 0
        assert len(list((tmp_path / "kept").iterdir())) == 1


def test_what_a_user_says_is_ranked_together_with_what_the_company_published(
    writer: S3SnapshotWriter, kept: KeptSnapshots
) -> None:
    writer.replace(company(1, SCARF))
    own = a_fact("Bought two silk scarves")
    said = a_fact("Wants to send the silk scarves back", tier=Tier.EPHEMERAL)
    backend = SqliteBackend(indexes=WarmIndexes(), snapshots=kept, among=InMemoryIndex)
    index = backend.over(LENA.user, [IndexedScope(LENA, 1, [own])], [LargeScope(COMPANY, 1)])
    found = index.search(Query(text="send back silk scarves", ephemeral=(said,)))
    assert found[0].fact == said
    assert {(match.fact.text, match.scope) for match in found} == {
        (said.text, None),
        (SCARF.text, COMPANY),
        (own.text, LENA),
    }


def test_without_large_scopes_no_snapshot_is_asked_for(aws: MockedAws, kept: KeptSnapshots) -> None:
    backend = SqliteBackend(indexes=WarmIndexes(), snapshots=kept, among=InMemoryIndex)
    before: list[Any] = list(aws.wire.signed)
    index = backend.over(LENA.user, [IndexedScope(LENA, 1, [a_fact("Likes tea")])], [])
    assert texts(index.search(Query(text="tea"))) == ["Likes tea"]
    assert aws.wire.signed == before
