from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import pytest

from context_memory.domain.facts.scopes import SharedScope
from context_memory.domain.ids import UserKey
from context_memory.domain.jobs import WITH_ID, CompanyJob, JobKind, MergeJob, ScopeJob, UserJob, WalkJob

if TYPE_CHECKING:
    from context_memory.domain.jobs import Job
    from tests.support.stores import Stores

AWKWARD = UserKey("acme", "ü/# 猫")
EVERY_JOB: list[Job] = [
    *(UserJob(kind=kind, user=AWKWARD) for kind in JobKind if kind not in {JobKind.EXPIRE, JobKind.PUBLISH, *WITH_ID}),
    UserJob(kind=JobKind.ERASE, user=AWKWARD, epoch=0),
    UserJob(kind=JobKind.ERASE, user=AWKWARD, epoch=3, off=True),
    UserJob(kind=JobKind.FOLLOW_UP, user=AWKWARD, epoch=2, turn_count=17),
    CompanyJob(kind=JobKind.EXPIRE, company_id="acme"),
    WalkJob(company_id="acme", job_id="01ARZ3NDEKTSV4RRFFQ69G5FAV"),
    MergeJob(company_id="acme", job_id="01ARZ3NDEKTSV4RRFFQ69G5FAV"),
    MergeJob(company_id="acme", job_id="01ARZ3NDEKTSV4RRFFQ69G5FAV", due=date(2026, 6, 18), mark="0f"),
    ScopeJob(scope=SharedScope("acme")),
    ScopeJob(scope=SharedScope("acme", "ü/# 猫"), due=date(2026, 6, 18), mark="0f"),
]


@pytest.mark.parametrize("job", EVERY_JOB, ids=repr)
def test_a_job_arrives_as_it_was_sent(stores: Stores, job: Job) -> None:
    stores.jobs.send(job)
    assert [sent for sent, _ in stores.sent()] == [job]


def test_the_same_job_sent_twice_is_two_messages(stores: Stores) -> None:
    for _ in range(2):
        stores.jobs.send(EVERY_JOB[0])
    assert [sent for sent, _ in stores.sent()] == [EVERY_JOB[0]] * 2


def test_a_delayed_job_is_not_to_be_seen_yet(stores: Stores) -> None:
    stores.jobs.send(EVERY_JOB[0], delay_seconds=900)
    assert stores.sent() == []


def test_a_received_job_is_hidden_until_it_is_let_go(stores: Stores) -> None:
    stores.jobs.send(EVERY_JOB[0])
    ((_, receipt),) = stores.sent()
    assert stores.sent() == []
    stores.jobs.postpone(receipt, 600)
    assert stores.sent() == []
    stores.jobs.postpone(receipt, 0)
    assert [sent for sent, _ in stores.sent()] == [EVERY_JOB[0]]
