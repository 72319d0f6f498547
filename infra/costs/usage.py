"""What a turn uses: each number is an assumption or a measurement that docs/deploying.md names."""

from __future__ import annotations

from dataclasses import dataclass

from infra.cells import Day
from infra.costs import prices

DAY, WORKING_DAYS = Day(), 20
TURNS_PER_USER_AND_MONTH = DAY.turns * WORKING_DAYS
UPDATE_SHARE = DAY.matters
ALARMS = 44
KEPT_UPDATE_MONTHS = 3  # versions and revisions go after 90 days, unless a company keeps them longer
KEPT_TURN_MONTHS = 2  # TURN items go after 60 days
ACCEPTED_CLAUSES = 3  # turn, open item, settings
FACTS, FACT_BYTES = 200, 700  # of a user; a fact with its vector
QUESTION_TOKENS, FACT_TOKENS, FACTS_A_TURN = 25, 20, 2
WARM_SHARE = 0.5  # of recalls find the facts in memory, and read their head alone
RECALL_READS = 5  # user's state, heads of user, space and company, and what is noted of the prompt
RECALL_WRITES = 2  # units: a dozen facts and three core ones, noted by one update
_TRANSACTED = 2  # units for each item of up to 1 KB that a transaction writes or checks


@dataclass(frozen=True, slots=True, kw_only=True)
class Chain:
    """One consolidation: tokens from docs/benchmarks.md, calls of the model one after another, requests to stores.

    `clauses` are those of the transaction that ends it, `more_units` what else is written because of it.
    """

    input_tokens: int
    output_tokens: int
    calls: int
    clauses: int
    more_units: int
    read_units: int
    object_writes: int
    news: int

    @property
    def write_units(self) -> int:
        """The attempt and the spending are written once, each call and each clause in a transaction."""
        return 2 + _TRANSACTED * (self.calls + self.clauses) + self.more_units

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
            + self.read_units * prices.READ_UNIT
            + self.write_units * prices.WRITE_UNIT
            + 2 * prices.S3_READ
            + self.object_writes * prices.S3_WRITE
            + self.news * prices.NEWS
        )


NOOP = Chain(input_tokens=555, output_tokens=2, calls=1, clauses=4, more_units=0, read_units=4, object_writes=0, news=0)
# The pointer with its index takes 3 KB; the agenda gets an entry; the open item is struck once news are out.
UPDATE = Chain(
    input_tokens=3086,
    output_tokens=808,
    calls=3,
    clauses=6,
    more_units=4 + 1 + 2,
    read_units=7,
    object_writes=1,
    news=1,
)
# Counted from the prompts, with twelve facts and a turn as above: extraction, and a scrub of what it brings.
# Settings, head, two facts, the turn and what was pending end together; every try is written down, and notes are.
EXTRACTION = Chain(
    input_tokens=1970,
    output_tokens=135,
    calls=2,
    clauses=6,
    more_units=2,
    read_units=FACTS * FACT_BYTES // 4096 + 4,
    object_writes=0,
    news=0,
)


def model() -> float:
    """Dollars a turn to the model's provider, for the profile."""
    return UPDATE_SHARE * UPDATE.model + (1 - UPDATE_SHARE) * NOOP.model


def facts_model() -> float:
    """Dollars a turn to the providers for facts: extraction, vectors of facts and of questions."""
    vectors = UPDATE_SHARE * FACTS_A_TURN * FACT_TOKENS + DAY.recalls * QUESTION_TOKENS
    return UPDATE_SHARE * EXTRACTION.model + vectors * prices.EMBEDDING_INPUT


def extract() -> float:
    """Dollars a turn to AWS for writing facts back, the wait for the model included."""
    return UPDATE_SHARE * EXTRACTION.aws


def recall() -> float:
    """Dollars a turn: what is always read, half of the times the user's facts, the profile; and what is noted."""
    gigabytes = 1.0
    function = prices.LAMBDA_REQUEST + DAY.recall_seconds * gigabytes * prices.LAMBDA_GB_SECOND
    reads = (1 - WARM_SHARE) * FACTS * FACT_BYTES / 4096 + RECALL_READS
    stores = reads * prices.READ_UNIT + RECALL_WRITES * prices.WRITE_UNIT + prices.S3_READ
    return DAY.recalls * (prices.API_REQUEST + function + stores)


def load() -> float:
    """Dollars a turn: a load for each chat, with one Query of up to 4 KB and one object."""
    gigabytes = 1.0
    function = prices.LAMBDA_REQUEST + DAY.load_seconds * gigabytes * prices.LAMBDA_GB_SECOND
    return DAY.chats / DAY.turns * (prices.API_REQUEST + function + prices.READ_UNIT + prices.S3_READ)


def ingest() -> float:
    """Dollars a turn: payload, a transaction, doorbell; the turn's state is asked for once."""
    gigabytes, requests = 1.0, 2
    function = requests * prices.LAMBDA_REQUEST + DAY.accept_seconds * gigabytes * prices.LAMBDA_GB_SECOND
    stores = prices.S3_WRITE + _TRANSACTED * ACCEPTED_CLAUSES * prices.WRITE_UNIT + 3 * prices.READ_UNIT
    return requests * prices.API_REQUEST + function + stores + prices.QUEUE_REQUEST


def consolidate() -> float:
    """Dollars a turn to AWS, the wait for the model included."""
    return UPDATE_SHARE * UPDATE.aws + (1 - UPDATE_SHARE) * NOOP.aws


def upkeep() -> float:
    """Dollars a turn: for each user and day with an update history is trimmed once, of as many revisions and versions.

    Two queries of all revisions, a listing of the versions, a second of a GB; the agenda's entry is rung for, struck
    and noted anew.
    """
    days: float = (1 - (1 - UPDATE_SHARE) ** DAY.turns) / DAY.turns
    gone = UPDATE_SHARE / days
    kept = UPDATE_SHARE * TURNS_PER_USER_AND_MONTH * KEPT_UPDATE_MONTHS  # revisions of 1 KB, four to a unit
    job = (
        prices.LAMBDA_REQUEST
        + prices.LAMBDA_GB_SECOND
        + 3 * prices.QUEUE_REQUEST
        + prices.S3_WRITE
        + (2 * kept / 4 + 2) * prices.READ_UNIT
        + (3 + _TRANSACTED * gone) * prices.WRITE_UNIT
    )
    return days * job


def keys() -> float:
    """Dollars a turn: each of eight calls asks the key anew, the worst case; bucket keys make it less."""
    return 8 * prices.KMS_REQUEST


def logs() -> float:
    """Dollars a turn: some 50 lines of three functions and the gateway, as measured, most of them metrics, 16 KB.

    Lines of recall and extract are reckoned as a third more.
    """
    return 21 * 1024 / prices.GIB * prices.LOG_GB


def traces(turns_a_month_and_cell: float) -> float:
    """Dollars a turn: X-Ray records the first request of each second and a twentieth of the others, at each function.

    So few turns as hardly ever share a second are recorded whole.
    """
    requests = DAY.chats / DAY.turns + 2 + 1 + DAY.recalls + UPDATE_SHARE
    seconds = WORKING_DAYS * 86_400
    first = min(1.0, seconds / (turns_a_month_and_cell * requests))
    return requests * (first + (1 - first) / 20) * prices.TRACE


def storage() -> float:
    """Dollars a turn, once as many versions and revisions have gathered as are kept."""
    updates = UPDATE_SHARE * TURNS_PER_USER_AND_MONTH * KEPT_UPDATE_MONTHS
    objects = updates * 8 * 1024 / prices.GIB * prices.S3_GB_MONTH
    items = updates * 2 * 1024 + TURNS_PER_USER_AND_MONTH * KEPT_TURN_MONTHS * 1.5 * 1024 + FACTS * FACT_BYTES
    return (objects + items / prices.GIB * prices.TABLE_GB_MONTH) / TURNS_PER_USER_AND_MONTH


def standing() -> float:
    """Dollars a month and cell, whoever uses it: what watches, secrets, keys, polls of queues and flags."""
    watching = 200 * prices.METRIC_MONTH + ALARMS * prices.ALARM_MONTH + 2 * prices.DASHBOARD_MONTH
    polls = 1_950_000 * prices.QUEUE_REQUEST
    # Seven environments poll once a minute; an environment that starts, twelve a day for each, is handed the flags.
    flags = 7 * 43_200 * prices.FLAGS_REQUEST + 7 * 12 * 30 * prices.FLAGS_RECEIVED
    return watching + 2 * prices.SECRET_MONTH + 4 * prices.KEY_MONTH + polls + flags
