"""The port `Flags` against both makes: in memory, and AppConfig's data plane over real HTTP."""

from __future__ import annotations

from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from threading import Event, Thread
from typing import TYPE_CHECKING

import botocore.session
import pytest
from botocore.config import Config

from context_memory.adapters.appconfig_flags import PAUSE_SECONDS, AppConfigFlags
from context_memory.adapters.in_memory.system import ManualClock
from context_memory.adapters.in_memory.telemetry import RecordingTelemetry
from context_memory.adapters.in_memory.world import InMemoryWorld
from context_memory.domain.enablement import OperatorFlags
from context_memory.domain.errors import FlagsUnavailable
from tests.support.appconfig_server import AppConfigServer, Fault

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from mypy_boto3_appconfigdata import AppConfigDataClient

    from context_memory.ports.companies import Flags

FRESH, STALE = 60.0, 300.0
ON = OperatorFlags(context_memory=True, context_memory_with_web_search=True)
NO_WEB = OperatorFlags(context_memory=True, daily_tokens=5_000_000)
FAULTS = {
    "broken": Fault(),
    "throttled": Fault(status=429, code="ThrottlingException"),
    "denied": Fault(status=403, code="AccessDeniedException"),
    "not there": Fault(status=404, code="ResourceNotFoundException"),
    "cut": Fault(breaks=True),
    "never a good token": Fault(status=400, code="BadRequestException"),
}
UNREADABLE = [b"no", b"[]", b'{"companies": []}', b'{"companies": {"acme": {}}}', b"\xff"]


@dataclass(frozen=True)
class Reader:
    """The adapter before a server, with a clock that the test moves."""

    flags: AppConfigFlags
    server: AppConfigServer
    clock: ManualClock
    telemetry: RecordingTelemetry

    def answer(self, company_id: str = "acme") -> OperatorFlags | None:
        """The flags, None when they are unknown."""
        try:
            return self.flags.flags(company_id)
        except FlagsUnavailable:
            return None


def document(**companies: OperatorFlags) -> dict[str, dict[str, dict[str, object]]]:
    def entry(flags: OperatorFlags) -> dict[str, object]:
        switches = {
            "context_memory": flags.context_memory,
            "context_memory_with_web_search": flags.context_memory_with_web_search,
        }
        return switches | ({"daily_tokens": flags.daily_tokens} if flags.daily_tokens else {})

    return {"companies": {company_id: entry(flags) for company_id, flags in companies.items()}}


@pytest.fixture(scope="module")
def session() -> botocore.session.Session:
    return botocore.session.Session()


@contextmanager
def client_of(session: botocore.session.Session, server: AppConfigServer) -> Iterator[AppConfigDataClient]:
    client: AppConfigDataClient = session.create_client(  # type: ignore[assignment] # botocore makes it at run time
        "appconfigdata",
        region_name="eu-central-1",
        endpoint_url=server.url,
        aws_access_key_id="key",
        aws_secret_access_key="secret",
        config=Config(connect_timeout=1, read_timeout=1, retries={"total_max_attempts": 1}),
    )
    try:
        yield client
    finally:
        client.close()


@pytest.fixture
def reader(session: botocore.session.Session) -> Iterator[Reader]:
    clock, telemetry = ManualClock(), RecordingTelemetry()
    with AppConfigServer() as server, client_of(session, server) as client:
        yield Reader(reading(client, clock, telemetry), server, clock, telemetry)


def reading(
    client: AppConfigDataClient, clock: ManualClock, telemetry: RecordingTelemetry, *, fresh_seconds: float = FRESH
) -> AppConfigFlags:
    return AppConfigFlags(
        client=lambda: client,
        configuration="switches/dev/companies",
        own_role=nullcontext,
        telemetry=telemetry,
        fresh_seconds=fresh_seconds,
        stale_seconds=STALE,
        monotonic=clock.monotonic,
    )


@pytest.fixture(params=["in_memory", "appconfig"])
def switched(request: pytest.FixtureRequest) -> tuple[Flags, Callable[[Mapping[str, OperatorFlags]], None]]:
    """The port, and a hand that sets what it says."""
    if request.param == "appconfig":
        made: Reader = request.getfixturevalue("reader")
        return made.flags, lambda companies: made.server.deploy(document(**companies))
    world = InMemoryWorld()
    return world.flags, world.flags.companies.update


def test_a_company_has_the_flags_that_the_operator_set(
    switched: tuple[Flags, Callable[[Mapping[str, OperatorFlags]], None]],
) -> None:
    flags, switch = switched
    switch({"acme": ON, "beta": NO_WEB})
    assert (flags.flags("acme"), flags.flags("beta")) == (ON, NO_WEB)


def test_a_company_that_nobody_named_is_off(
    switched: tuple[Flags, Callable[[Mapping[str, OperatorFlags]], None]],
) -> None:
    flags, switch = switched
    switch({"acme": ON})
    assert flags.flags("acme2") == OperatorFlags(decided=False)


def test_flags_are_asked_for_once_and_again_when_they_are_no_longer_fresh(reader: Reader) -> None:
    reader.server.deploy(document(acme=ON))
    assert [reader.answer() for _ in range(3)] == [ON] * 3
    assert reader.server.asked == ["session", "configuration"]
    reader.server.deploy(document(acme=NO_WEB))
    reader.clock.advance(FRESH - 1)
    assert reader.answer() == ON
    reader.clock.advance(1)
    assert reader.answer() == NO_WEB
    assert reader.server.asked == ["session", "configuration", "configuration"]
    assert reader.server.names == [("switches", "dev", "companies")]


def test_nothing_new_keeps_what_is_known_for_as_long_as_that_is_so(reader: Reader) -> None:
    reader.server.deploy(document(acme=ON))
    for _ in range(10):
        assert reader.answer() == ON
        reader.clock.advance(FRESH)
    assert reader.telemetry.lines == []


@pytest.mark.parametrize("fresh", [15.0, 20.0, FRESH, 900.0])
def test_nobody_polls_earlier_than_the_session_said(session: botocore.session.Session, fresh: float) -> None:
    clock = ManualClock()
    with AppConfigServer(clock=clock.monotonic) as server, client_of(session, server) as client:
        flags = reading(client, clock, RecordingTelemetry(), fresh_seconds=fresh)
        server.deploy(document(acme=ON))
        flags.prefetch().join()
        for _ in range(3):
            assert flags.flags("acme") == ON
            clock.advance(fresh)
        assert server.asked == ["session", "configuration", "configuration", "configuration"]


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
def test_before_anything_is_known_a_fault_is_unknown_and_not_off(reader: Reader, fault: Fault) -> None:
    reader.server.deploy(document(acme=ON))
    reader.server.fault = fault
    assert reader.answer() is None
    assert [(line.level, line.phrase) for line in reader.telemetry.lines] == [
        ("warning", "could not read the operator's switches")
    ]
    assert reader.telemetry.total("errors_total", stage="settings") == 1


def test_switches_that_were_never_deployed_are_unknown(reader: Reader) -> None:
    assert reader.answer() is None


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
def test_what_was_known_last_serves_for_a_while_and_then_no_more(reader: Reader, fault: Fault) -> None:
    reader.server.deploy(document(acme=ON))
    assert reader.answer() == ON
    reader.server.fault = fault
    reader.clock.advance(STALE)
    assert reader.answer() == ON
    reader.clock.advance(1)
    assert reader.answer() is None
    reader.server.fault = None
    reader.clock.advance(PAUSE_SECONDS)
    assert reader.answer() == ON


def test_an_outage_is_not_asked_about_by_every_request(reader: Reader) -> None:
    reader.server.fault = Fault()
    assert [reader.answer() for _ in range(5)] == [None] * 5
    assert reader.server.asked == ["session"]
    reader.clock.advance(PAUSE_SECONDS)
    assert reader.answer() is None
    assert reader.server.asked == ["session"] * 2


@pytest.mark.parametrize("rubbish", UNREADABLE)
def test_a_document_that_cannot_be_read_changes_nothing_and_is_asked_for_again(reader: Reader, rubbish: bytes) -> None:
    reader.server.deploy(document(acme=ON))
    assert reader.answer() == ON
    reader.server.deploy(rubbish)
    reader.clock.advance(FRESH)
    assert reader.answer() == ON
    reader.clock.advance(STALE)
    assert reader.answer() is None  # though AppConfig has nothing newer, this is not what holds
    reader.server.deploy(document(acme=NO_WEB))
    reader.clock.advance(PAUSE_SECONDS)
    assert reader.answer() == NO_WEB


@pytest.mark.parametrize("rubbish", UNREADABLE)
def test_a_first_document_that_cannot_be_read_is_unknown_and_not_off(reader: Reader, rubbish: bytes) -> None:
    reader.server.deploy(rubbish)
    assert reader.answer() is None


def test_a_session_that_has_ended_is_replaced_at_once(reader: Reader) -> None:
    reader.server.deploy(document(acme=ON))
    assert reader.answer() == ON
    reader.server.forget_sessions()
    reader.clock.advance(24 * 3600)
    assert reader.answer() == ON
    assert reader.telemetry.lines == []


def test_threads_that_ask_at_once_share_one_poll(reader: Reader) -> None:
    reader.server.deploy(document(acme=ON))
    reader.server.held = Event()
    answers: list[OperatorFlags | None] = []
    threads = [Thread(target=lambda: answers.append(reader.answer())) for _ in range(8)]
    for thread in threads:
        thread.start()
    reader.server.held.set()
    for thread in threads:
        thread.join()
    assert answers == [ON] * 8
    assert reader.server.asked == ["session", "configuration"]


def test_a_request_waits_for_the_poll_of_the_start_and_makes_none(reader: Reader) -> None:
    reader.server.deploy(document(acme=ON))
    reader.flags.prefetch()
    assert reader.answer() == ON
    assert reader.server.asked == ["session", "configuration"]


def test_a_poll_of_the_start_that_failed_is_made_up_for_by_the_first_request(reader: Reader) -> None:
    reader.server.deploy(document(acme=ON))
    reader.server.fault = Fault()
    reader.flags.prefetch().join()
    assert reader.telemetry.lines == []
    reader.server.fault = None
    assert reader.answer() == ON


def test_the_companies_that_the_operator_ever_named_are_told_sorted(
    switched: tuple[Flags, Callable[[Mapping[str, OperatorFlags]], None]],
) -> None:
    flags, switch = switched
    switch({"zeta": OperatorFlags(), "acme": ON})
    assert flags.named() == ["acme", "zeta"]


def test_which_companies_are_named_is_unknown_while_nothing_is_known(reader: Reader) -> None:
    reader.server.fault = Fault()
    with pytest.raises(FlagsUnavailable):
        reader.flags.named()
