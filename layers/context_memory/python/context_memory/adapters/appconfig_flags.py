"""The operator's switches, polled from AppConfig.

What was known last serves for a while when AppConfig cannot say whether it still holds; after that, and before
anything is known, whether memory is on is *unknown*, which is not "off".
"""

from __future__ import annotations

import time
from threading import Lock, Thread
from typing import TYPE_CHECKING

from context_memory.adapters.aws_errors import told_as_ours
from context_memory.contracts.flags import read_flags
from context_memory.domain.enablement import NEVER_NAMED
from context_memory.domain.errors import ContextMemoryError, FlagsUnavailable, kind_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from contextlib import AbstractContextManager

    from mypy_boto3_appconfigdata import AppConfigDataClient

    from context_memory.domain.enablement import OperatorFlags
    from context_memory.ports.telemetry import Telemetry

PAUSE_SECONDS = 5.0
"""How long AppConfig is left alone after it did not answer, so that not every request of an outage waits for it."""
_AT_ONCE = float("-inf")
_MOST_OFTEN_SECONDS, _MOST_SELDOM_SECONDS = 15, 86400  # how often a session may say that it polls


class AppConfigFlags:
    """`Flags` of one execution environment; threads that ask at once share one poll.

    Args:
        client: gives AppConfig's data plane, with credentials per request; asked by whoever polls, so that a start
            does not wait for it.
        configuration: names of application, environment and profile, with slashes between.
        own_role: signs with the function's own role (`AwsClients.own_role`).
        telemetry: is told when a poll comes to nothing.
        fresh_seconds: how old what is known may be before AppConfig is asked again.
        stale_seconds: how old it may be while AppConfig does not answer.
        monotonic: seconds that never run backwards.
    """

    def __init__(
        self,
        *,
        client: Callable[[], AppConfigDataClient],
        configuration: str,
        own_role: Callable[[], AbstractContextManager[None]],
        telemetry: Telemetry,
        fresh_seconds: float,
        stale_seconds: float,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._client = client
        self._application, self._environment, self._profile = configuration.split("/")
        self._own_role = own_role
        self._telemetry = telemetry
        self._fresh_seconds = fresh_seconds
        self._stale_seconds = stale_seconds
        self._monotonic = monotonic
        self._lock = Lock()
        self._token: str | None = None
        self._known: Mapping[str, OperatorFlags] | None = None
        self._known_at = _AT_ONCE
        self._ask_at = _AT_ONCE

    def flags(self, company_id: str) -> OperatorFlags:
        """The flags of a company; one that the document does not name is off.

        Raises:
            FlagsUnavailable: nothing is known, or nothing recent enough.
        """
        return self._current().get(company_id, NEVER_NAMED)

    def named(self) -> Sequence[str]:
        """Companies that the document names, sorted.

        Raises:
            FlagsUnavailable: as above.
        """
        return sorted(self._current())

    def _current(self) -> Mapping[str, OperatorFlags]:
        with self._lock:
            now = self._monotonic()
            if now >= self._ask_at:
                fault = self._poll(now)
                pause = self._fresh_seconds if fault is None else min(PAUSE_SECONDS, self._fresh_seconds)
                self._ask_at = self._monotonic() + pause
                self._tell(fault)
            if self._known is None or now - self._known_at > self._stale_seconds:
                raise FlagsUnavailable("The operator's switches are out of reach.")
            return self._known

    def prefetch(self) -> Thread:
        """Poll beside whatever else a start has to do, in the thread returned.

        The first request waits for what is left of it, and polls by itself, and tells, when it came to nothing.
        """
        thread = Thread(target=self._first_poll, daemon=True)
        thread.start()
        return thread

    def _first_poll(self) -> None:
        with self._lock:
            if self._poll(self._monotonic()) is None:
                self._ask_at = self._monotonic() + self._fresh_seconds

    def _poll(self, now: float) -> Exception | None:
        """Bring what is known up to date; what stood against it, if anything."""
        try:
            document = self._latest()
            if document:
                self._known = read_flags(document)
            elif self._known is None:
                raise FlagsUnavailable("AppConfig holds no deployed switches.")
        except (ContextMemoryError, ValueError) as error:
            # Another session gets the whole document again: in this one it would count as delivered.
            self._token = None
            return error
        self._known_at = now
        return None

    def _tell(self, fault: Exception | None) -> None:
        if fault is not None:
            self._telemetry.warning("could not read the operator's switches", error_type=type(fault).__name__)
            self._telemetry.count("errors_total", stage="settings", error_type=kind_of(fault))

    def _latest(self) -> bytes:
        """The document, or nothing when it is the one that this session has had."""
        with told_as_ours("AppConfig"), self._own_role():
            client = self._client()
            token, self._token = self._token, None  # each is good for one call
            try:
                answer = client.get_latest_configuration(ConfigurationToken=token or self._session(client))
            except client.exceptions.BadRequestException:  # a session ends after a day without a poll, or was too early
                answer = client.get_latest_configuration(ConfigurationToken=self._session(client))
            document = answer["Configuration"].read()
            self._token = answer["NextPollConfigurationToken"]
            return document

    def _session(self, client: AppConfigDataClient) -> str:
        return client.start_configuration_session(
            ApplicationIdentifier=self._application,
            EnvironmentIdentifier=self._environment,
            ConfigurationProfileIdentifier=self._profile,
            # Who says nothing is held to a minute, and refused when earlier.
            RequiredMinimumPollIntervalInSeconds=min(
                max(int(self._fresh_seconds), _MOST_OFTEN_SECONDS), _MOST_SELDOM_SECONDS
            ),
        )["InitialConfigurationToken"]
