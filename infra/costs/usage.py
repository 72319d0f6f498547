"""What a turn uses: each number is an assumption or a measurement that docs/deploying.md names."""

from __future__ import annotations

from dataclasses import dataclass

from infra.cells import Day
from infra.costs import prices

DAY, WORKING_DAYS = Day(), 20
TURNS_PER_USER_AND_MONTH = DAY.turns * WORKING_DAYS
UPDATE_SHARE = DAY.matters
ALARMS = 34
MONTHS = 12  # in service when storage is counted
KEPT_TURN_MONTHS = 2  # TURN items go after 60 days


@dataclass(frozen=True, slots=True, kw_only=True)
class Chain:
    """One consolidation: tokens from docs/benchmarks.md, calls of the model one after another, write units."""

    input_tokens: int
    output_tokens: int
    calls: int
    write_units: int
    object_writes: int

    @property
    def model(self) -> float:
        """Dollars to the model's provider."""
        return self.input_tokens * prices.MODEL_INPUT + self.output_tokens * prices.MODEL_OUTPUT

    @property
    def aws(self) -> float:
        """Dollars to AWS: a GB of memory for so long, doorbell, items, objects."""
        return (
            prices.LAMBDA_REQUEST
            + (self.calls * DAY.call_seconds + DAY.store_seconds) * prices.LAMBDA_GB_SECOND
            + 2 * prices.QUEUE_REQUEST  # received and deleted; it was sent by ingest
            + 4 * prices.READ_UNIT
            + self.write_units * prices.WRITE_UNIT
            + 2 * prices.S3_READ
            + self.object_writes * prices.S3_WRITE
        )


NOOP = Chain(input_tokens=555, output_tokens=2, calls=1, write_units=11, object_writes=0)
UPDATE = Chain(input_tokens=3086, output_tokens=808, calls=3, write_units=19, object_writes=1)


def model() -> float:
    """Dollars a turn to the model's provider."""
    return UPDATE_SHARE * UPDATE.model + (1 - UPDATE_SHARE) * NOOP.model


def load() -> float:
    """Dollars a turn: a load for each chat, with one Query of up to 4 KB and one object."""
    gigabytes = 1.0
    function = prices.LAMBDA_REQUEST + DAY.load_seconds * gigabytes * prices.LAMBDA_GB_SECOND
    return DAY.chats / DAY.turns * (prices.API_REQUEST + function + prices.READ_UNIT + prices.S3_READ)


def ingest() -> float:
    """Dollars a turn: payload, two items in a transaction, doorbell; the turn's state is asked for once."""
    gigabytes, requests = 1.0, 2
    function = requests * prices.LAMBDA_REQUEST + DAY.accept_seconds * gigabytes * prices.LAMBDA_GB_SECOND
    stores = prices.S3_WRITE + 4 * prices.WRITE_UNIT + 3 * prices.READ_UNIT
    return requests * prices.API_REQUEST + function + stores + prices.QUEUE_REQUEST


def consolidate() -> float:
    """Dollars a turn to AWS, the wait for the model included."""
    return UPDATE_SHARE * UPDATE.aws + (1 - UPDATE_SHARE) * NOOP.aws


def keys() -> float:
    """Dollars a turn: each of six calls asks the key anew, the worst case; bucket keys make it less."""
    return 6 * prices.KMS_REQUEST


def logs() -> float:
    """Dollars a turn: as measured, some 50 lines of three functions and the gateway, most of them metrics, 16 KB."""
    return 16 * 1024 / prices.GIB * prices.LOG_GB


def traces(turns_a_month_and_cell: float) -> float:
    """Dollars a turn: X-Ray records the first request of each second and a twentieth of the others, at each function.

    So few turns as hardly ever share a second are recorded whole.
    """
    requests = DAY.chats / DAY.turns + 2 + 1
    seconds = WORKING_DAYS * 86_400
    first = min(1.0, seconds / (turns_a_month_and_cell * requests))
    return requests * (first + (1 - first) / 20) * prices.TRACE


def storage() -> float:
    """Dollars a turn, once a year's versions and revisions have gathered: nothing of them is ever deleted."""
    updates = UPDATE_SHARE * TURNS_PER_USER_AND_MONTH * MONTHS
    objects = updates * 8 * 1024 / prices.GIB * prices.S3_GB_MONTH
    items = updates * 2 * 1024 + TURNS_PER_USER_AND_MONTH * KEPT_TURN_MONTHS * 1.5 * 1024
    return (objects + items / prices.GIB * prices.TABLE_GB_MONTH) / TURNS_PER_USER_AND_MONTH


def standing() -> float:
    """Dollars a month and cell, whoever uses it: what watches, secrets, keys, polls of queues and flags."""
    watching = 150 * prices.METRIC_MONTH + ALARMS * prices.ALARM_MONTH + 2 * prices.DASHBOARD_MONTH
    polls = 1_300_000 * prices.QUEUE_REQUEST
    # Five environments poll once a minute; an environment that starts, twelve a day for each, is handed the flags.
    flags = 5 * 43_200 * prices.FLAGS_REQUEST + 5 * 12 * 30 * prices.FLAGS_RECEIVED
    return watching + 2 * prices.SECRET_MONTH + 4 * prices.KEY_MONTH + polls + flags
