"""Revisions as history is read, redacted and trimmed, and what was forgotten."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from context_memory.domain.condemnation import Condemnation
from context_memory.domain.forgotten import Forgotten
from tests.support.records import LENA, LOOK_ALIKES, pointer, revision, stored
from tests.support.stores import at

if TYPE_CHECKING:
    from tests.support.stores import Stores


def changes(stores: Stores, number: int, *, epoch: int = 0) -> None:
    """Store changes that rest on no turn, one after the other."""
    for count in range(1, number + 1):
        base = pointer(count - 1, epoch=epoch) if count > 1 else None
        stores.table.settle(stored(turn_count=count, base=base, outcome=None, epoch=epoch))


def test_revisions_are_read_newest_first_in_pages(stores: Stores) -> None:
    changes(stores, 12)
    first = stores.table.revisions(LENA, 0, limit=5)
    second = stores.table.revisions(LENA, 0, before=first[-1].turn_count, limit=5)
    third = stores.table.revisions(LENA, 0, before=second[-1].turn_count, limit=5)
    assert [one.turn_count for one in (*first, *second, *third)] == list(range(12, 0, -1))
    assert first[0] == revision(12)
    assert stores.table.revisions(LENA, 0, before=1, limit=5) == []


def test_a_revision_says_what_it_unlearned(stores: Stores) -> None:
    condemned = Condemnation(
        turn_ids=frozenset({"t2", "t1"}), chat_ids=frozenset({"c1"}), since=at(1), models=frozenset({"m1"})
    )
    settlement = stored(outcome=None)
    assert settlement.revision is not None
    stores.table.settle(replace(settlement, revision=replace(settlement.revision, unlearned=condemned)))
    (found,) = stores.table.revisions(LENA, 0, limit=5)
    assert found.unlearned == condemned


def test_revisions_of_others_and_of_other_epochs_are_not_among_them(stores: Stores) -> None:
    changes(stores, 2)
    for other in LOOK_ALIKES:
        assert stores.table.revisions(other, 0, limit=5) == []
    assert stores.table.revisions(LENA, 1, limit=5) == []


def test_what_is_redacted_is_written_over_the_revision_and_nothing_else_of_it(stores: Stores) -> None:
    changes(stores, 2)
    operations = tuple(replace(one, before=None, after=None) for one in revision(1).operations)
    redacted = replace(revision(1), operations=operations, redacted_at=at(9), version_gone=True)
    stores.table.redact_revision(LENA, replace(redacted, reason="other", model=None))
    assert stores.table.revision(LENA, 0, 1) == redacted
    assert stores.table.revision(LENA, 0, 2) == revision(2)
    assert "version-of-1" in stores.table.named_versions(LENA)


def test_a_revision_that_is_gone_is_not_brought_back_by_its_redaction(stores: Stores) -> None:
    changes(stores, 1)
    stores.table.redact_revision(LENA, revision(7))
    assert stores.table.revision(LENA, 0, 7) is None


@pytest.mark.parametrize("number", [1, 130])
def test_revisions_are_dropped_however_many(stores: Stores, number: int) -> None:
    changes(stores, number + 2)
    stores.table.drop_revisions(LENA, 0, [*range(1, number + 1), 7_000])
    stores.table.drop_revisions(LENA, 0, [1])
    assert [one.turn_count for one in stores.table.revisions(LENA, 0, limit=100)] == [number + 2, number + 1]
    assert stores.table.named_versions(LENA) == {f"version-of-{number + 1}", f"version-of-{number + 2}"}


def test_of_several_forgettings_the_one_said_last_counts(stores: Stores) -> None:
    assert stores.table.forgotten(LENA) == {}
    stores.table.remember_forgotten(LENA, 0, ["f1", "f2"], Forgotten(at(3), at(4)))
    stores.table.remember_forgotten(LENA, 0, ["f2"], Forgotten(at(5), at(6)))
    stores.table.remember_forgotten(LENA, 0, ["f1"], Forgotten(at(1), at(7)))
    assert stores.table.forgotten(LENA) == {"f1": Forgotten(at(3), at(4)), "f2": Forgotten(at(5), at(6))}


def test_the_same_forgetting_again_does_not_put_off_when_it_is_final(stores: Stores) -> None:
    stores.table.remember_forgotten(LENA, 0, ["f1"], Forgotten(at(3), at(4)))
    stores.table.remember_forgotten(LENA, 0, ["f1"], Forgotten(at(3), at(9)))
    assert stores.table.forgotten(LENA) == {"f1": Forgotten(at(3), at(4))}


def test_forgettings_at_once_leave_the_one_said_last(stores: Stores) -> None:
    said = [Forgotten(at(minute), at(minute)) for minute in range(1, 9)]
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda one: stores.table.remember_forgotten(LENA, 0, ["f1"], one), said))
    assert stores.table.forgotten(LENA) == {"f1": said[-1]}


def test_what_was_forgotten_can_be_taken_back(stores: Stores) -> None:
    stores.table.remember_forgotten(LENA, 0, ["f1", "f2"], Forgotten(at(3), at(4)))
    stores.table.recall_forgotten(LENA, ["f1", "unknown"])
    stores.table.recall_forgotten(LENA, [])
    assert stores.table.forgotten(LENA).keys() == {"f2"}
