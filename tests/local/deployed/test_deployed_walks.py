"""Jobs about a whole company, from the API over queue, table and workers to the report."""

from __future__ import annotations

import io
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING, Any

import pytest
from botocore.credentials import Credentials
from rich.console import Console

from context_memory.adapters.dynamodb.company_table import CompanyTable
from context_memory.adapters.dynamodb.shared_facts import DynamoSharedFacts
from context_memory.adapters.system import SystemClock
from context_memory.domain.facts.scopes import SharedScope
from context_memory.domain.ids import UserKey
from context_memory.ports.facts import FactsHead
from infra.local import cli
from infra.local.commands import migrate
from infra.local.emulator_process import ACCOUNT
from infra.operate.switchboard import Switchboard
from tests.support.administrators import Administrator, new_company, switch
from tests.support.deployed import Somebody, eventually
from tests.support.facts import a_fact
from tests.support.mishaps import configured

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.support.deployed import Deployed

pytestmark = pytest.mark.deployed

FILE = "# User Memory\n\n## Identity\n- Lives in Basel.\n"
NAMES = ("lena", "lena-x", "lena.frei", "ü/#")


@pytest.fixture
def admin(deployed: Deployed) -> Administrator:
    """The account's root, who administers a company of this test alone that has a memory and old files."""
    emulated, company_id = deployed.local.emulated, new_company()
    switch(Switchboard(emulated.appconfig, emulated.names), company_id, on=True)
    administrator = Administrator(deployed, company_id, Credentials(ACCOUNT, "of the root"))
    assert administrator.put({"legacy": True}).status_code == 200
    return administrator


def put_file(admin: Administrator, name: str, text: bytes = FILE.encode(), *, company_id: str | None = None) -> None:
    """A file at the legacy place."""
    user, deployed = UserKey(company_id or admin.company_id, name), admin.deployed
    key = f"{user.company_id}/{deployed.local.outputs.root_folder}/{user.encoded}/memory.md"
    deployed.local.emulated.s3.put_object(Bucket=deployed.local.outputs.profile_bucket, Key=key, Body=text)


def somebody(admin: Administrator, name: str, company_id: str | None = None) -> Somebody:
    return Somebody(admin.deployed, UserKey(company_id or admin.company_id, name), admin.keys)


def remember(person: Somebody) -> None:
    """Let a turn be remembered, as soon as everybody has heard that the company has a memory."""
    eventually(lambda: person.post("t1", "I know Rust.").status_code, lambda code: code == 202)
    person.done("t1")
    assert "Rust" in person.memory()


def ask(admin: Administrator, **body: object) -> dict[str, Any]:
    answer = admin.call("POST", "/jobs", body)
    assert answer.status_code == 202, answer.text
    return dict(answer.json())


def report(admin: Administrator, job_id: str) -> dict[str, Any]:
    answer = admin.call("GET", f"/jobs/{job_id}")
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def over(admin: Administrator, job_id: str) -> dict[str, Any]:
    """The report once the job is over."""
    return eventually(lambda: report(admin, job_id), lambda job: job["status"] in {"done", "failed"})


def first_versions(person: Somebody) -> int:
    return len(person.versions())


def test_every_old_file_of_a_company_is_taken_over_and_none_of_a_company_with_a_similar_name(
    admin: Administrator,
) -> None:
    look_alike = f"{admin.company_id}2"
    for name in NAMES:
        put_file(admin, name)
        put_file(admin, name, company_id=look_alike)
    put_file(admin, "broken", b"\xff\xfe")
    dry = over(admin, ask(admin, job="migrate", dry_run=True)["job_id"])
    assert dry["counts"] == {"would_migrate": 4, "unreadable": 1}
    assert all(first_versions(somebody(admin, name)) == 0 for name in NAMES)
    job = over(admin, ask(admin, job="migrate")["job_id"])
    assert (job["status"], job["users"], job["counts"]) == ("done", 5, {"migrated": 4, "unreadable": 1})
    assert {line["user_id"]: line["result"] for line in job["report"]} == {
        **dict.fromkeys(NAMES, "migrated"),
        "broken": "unreadable",
    }
    for name in NAMES:
        assert first_versions(somebody(admin, name)) == 1
        assert first_versions(somebody(admin, name, look_alike)) == 0
    again = over(admin, ask(admin, job="migrate")["job_id"])
    assert again["counts"] == {"nothing": 4, "unreadable": 1}


def test_the_command_line_migrates_a_company_and_names_whom_it_left(admin: Administrator, tmp_path: Path) -> None:
    put_file(admin, "lena")
    put_file(admin, "broken", b"\xff\xfe")
    admin.deployed.local.outputs.write(tmp_path)
    asked = ["migrate", "--company", admin.company_id, "--every", "0.1", "--outputs", str(tmp_path)]
    screen = io.StringIO()
    arguments = cli.parser().parse_args(asked)
    assert migrate.run(arguments, Console(file=screen, width=120)) == 0
    assert "done: 2 users, 1 migrated, 1 unreadable" in screen.getvalue()
    assert "  broken: unreadable (ProfileNotUtf8)" in screen.getvalue()
    assert first_versions(somebody(admin, "lena")) == 1


@contextmanager
def deaf(admin: Administrator) -> Iterator[None]:
    """Nobody listens to the queue of jobs."""
    deployed = admin.deployed
    queue = deployed.environment("maintain")["JOBS_QUEUE_URL"].rpartition("/")[2]
    (mapping,) = [
        one
        for one in deployed.functions.list_event_source_mappings()["EventSourceMappings"]
        if one["EventSourceArn"].endswith(f":{queue}")
    ]
    deployed.functions.update_event_source_mapping(UUID=mapping["UUID"], Enabled=False)
    try:
        yield
    finally:
        deployed.functions.update_event_source_mapping(UUID=mapping["UUID"], Enabled=True)


def test_a_job_whose_message_is_lost_is_gone_on_with_by_the_round_of_the_agenda(admin: Administrator) -> None:
    put_file(admin, "lena")
    deployed, sqs = admin.deployed, admin.deployed.local.emulated.sqs
    url = deployed.local.emulated.sqs.get_queue_url(
        QueueName=deployed.environment("maintain")["JOBS_QUEUE_URL"].rpartition("/")[2]
    )["QueueUrl"]
    with deaf(admin):
        job_id = ask(admin, job="migrate")["job_id"]
        sqs.purge_queue(QueueUrl=url)
    assert report(admin, job_id)["users"] == 0
    assert deployed.invoke("maintain", {"job": "heal"})["jobs_rung"] >= 1
    assert over(admin, job_id)["counts"] == {"migrated": 1}


def test_a_message_that_nobody_can_read_goes_to_the_dead_letters(admin: Administrator) -> None:
    deployed, sqs = admin.deployed, admin.deployed.local.emulated.sqs
    names = deployed.local.emulated.names
    queue, dead = (sqs.get_queue_url(QueueName=name)["QueueUrl"] for name in (names.jobs_queue, names.dead_jobs_queue))
    body = '{"job":"of-another-release"}'
    sqs.send_message(QueueUrl=queue, MessageBody=body)

    def letters() -> list[str]:
        found = sqs.receive_message(QueueUrl=dead, MaxNumberOfMessages=10, VisibilityTimeout=0)
        return [one["Body"] for one in found.get("Messages", [])]

    assert body in eventually(letters, lambda found: body in found)


def test_an_administrator_of_another_company_sees_no_job(admin: Administrator) -> None:
    job_id = ask(admin, job="condense", dry_run=True)["job_id"]
    other = Administrator(admin.deployed, new_company(), admin.keys)
    assert other.call("GET", f"/jobs/{job_id}").status_code == 404
    assert other.call("POST", f"/jobs/{job_id}/confirm", {"code": "x"}).status_code == 404


def scopes_of(deployed: Deployed, company_id: str) -> tuple[DynamoSharedFacts, list[SharedScope]]:
    name = deployed.local.outputs.company_table
    table = CompanyTable(client=deployed.dynamodb, name=name, own_role=nullcontext)
    scopes = [SharedScope(company_id), SharedScope(company_id, "never registered")]
    return DynamoSharedFacts(table, SystemClock().now), scopes


def share(deployed: Deployed, company_id: str) -> None:
    """Let a company and a space of it share a fact, and an index over it."""
    facts, scopes = scopes_of(deployed, company_id)
    s3, bucket = deployed.local.emulated.s3, deployed.local.outputs.work_bucket
    for scope in scopes:
        facts.change(scope, FactsHead(), [a_fact("Closed on Fridays", scope)], [], count=1)
        s3.put_object(Bucket=bucket, Key=f"{scope.folder}snapshots/1.sqlite", Body=b"")


def shared(deployed: Deployed, company_id: str) -> tuple[list[str], int]:
    """Facts that a company shares, and how many objects of indexes."""
    facts, scopes = scopes_of(deployed, company_id)
    s3, bucket = deployed.local.emulated.s3, deployed.local.outputs.work_bucket
    objects = s3.list_objects_v2(Bucket=bucket, Prefix=f"recall/{company_id}/").get("Contents", [])
    return [one.text for scope in scopes for one in facts.facts(scope).facts], len(objects)


def test_a_company_is_erased_in_two_steps_and_a_company_with_a_similar_name_is_not(
    learning: Deployed, admin: Administrator
) -> None:
    look_alike = f"{admin.company_id}2"
    emulated = learning.local.emulated
    switch(Switchboard(emulated.appconfig, emulated.names), look_alike, on=True)
    people = [somebody(admin, name) for name in NAMES]
    stranger = somebody(admin, "lena", look_alike)
    for person in (*people, stranger):
        remember(person)
    for company_id in (admin.company_id, look_alike):
        share(learning, company_id)
    asked = ask(admin, job="erase")
    assert asked["status"] == "awaiting_confirmation"
    wrong = admin.call("POST", f"/jobs/{asked['job_id']}/confirm", {"code": "00000000"})
    assert (wrong.status_code, wrong.json()["type"]) == (409, "urn:context-memory:problem:confirmation_refused")
    assert all("Rust" in person.memory() for person in people)
    # Nobody is met again before the longest time is over for which anybody may take the company as open.
    with configured(learning, "maintain", FLAGS_STALE_SECONDS="2"):
        assert admin.call("POST", f"/jobs/{asked['job_id']}/confirm", {"code": asked["code"]}).status_code == 202
        job = over(admin, asked["job_id"])
    assert (job["status"], job["counts"]) == ("done", {"erased": len(NAMES)})
    assert {line["user_id"] for line in job["report"]} == {*NAMES}
    assert all(line["receipt_id"] for line in job["report"])
    assert admin.get().json()["closed"]
    for person in people:
        assert person.versions() == []
        person.let_go()
        assert {item["sk"]["S"] for item in person.items()} == {"A#SETTINGS"}
    assert "Rust" in stranger.memory()
    assert shared(learning, admin.company_id) == ([], 0)
    assert shared(learning, look_alike) == (["Closed on Fridays", "Closed on Fridays"], 2)
    assert not admin.put({"closed": False}).json()["closed"]
