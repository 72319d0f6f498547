"""Every alarm: what it reads, when it rings, what it means. What to do stands in docs/runbook.md under its name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from infra.names import AUDITED
from infra.watch.figures import Figure, of_api, of_function, of_queue, of_stream, of_subscription, ours

if TYPE_CHECKING:
    from collections.abc import Iterator

    from infra.environments import Environment
    from infra.names import Names

RUNBOOK = "docs/runbook.md"
_NOTHING_FINISHES_PER_LAG = 4
_API_FAULTS = 5
_LATE_RECORDS_SECONDS = 1800  # Firehose gathers them for five minutes, and tries for a day before it lets go of them
_BUDGET_UNKNOWN = 5
_EMBEDDING_FAULTS = 5
_TRESPASSES = 10  # one or two are a mistake in somebody's configuration


@dataclass(frozen=True, slots=True, kw_only=True)
class AlarmSpec:
    """One alarm.

    Attributes:
        entry: anchor in the runbook; the alarm's own name as well, followed by `of` where there are several of a kind.
        means: one sentence.
        minutes: length of a period; `periods` are looked at, and `bad` of them must be beyond the threshold.
        reaches: whether the threshold itself is too much already (counts) or not yet (shares and times).
        silence_rings: whether no figure at all is the very fault.
    """

    entry: str
    means: str
    figure: Figure
    threshold: float
    of: str | None = None
    minutes: int = 5
    periods: int = 1
    bad: int = 1
    reaches: bool = False
    silence_rings: bool = False

    @property
    def name(self) -> str:
        """What the alarm is called within its environment."""
        return self.entry if self.of is None else f"{self.entry}-{self.of}"

    @property
    def description(self) -> str:
        """What an operator reads first."""
        return described(self.means, self.entry)


def described(means: str, entry: str) -> str:
    """A description that leads to the runbook."""
    return f"{means} What to do: {RUNBOOK}#{entry}"


def alarms(environment: Environment, names: Names, api_id: str) -> Iterator[AlarmSpec]:
    """All alarms of an environment but those that belong to another stack."""
    yield from _loads(environment, api_id)
    yield from _recalls(environment)
    yield from _queues(environment, names)
    yield from _turns(environment)
    yield from _models(environment)
    yield from _functions(environment, names)
    yield from _audit(environment, names)


def _loads(environment: Environment, api_id: str) -> Iterator[AlarmSpec]:
    limits = environment.alarms
    yield AlarmSpec(
        entry="load-errors",
        means="Chats go without memory, because loading it fails too often.",
        figure=ours("load_failed", "Average", "load"),
        threshold=limits.load_error_share,
        periods=3,
        bad=2,
    )
    yield AlarmSpec(
        entry="load-slow",
        means="Users wait too long for their memory to be loaded.",
        figure=ours("load_duration_seconds", "p99", "load", outcome="success"),
        threshold=limits.load_p99_seconds,
        periods=3,
        bad=2,
    )
    yield AlarmSpec(
        entry="api-5xx",
        means="The API answers with faults of its own, some of which no function sees.",
        figure=of_api("5xx", "Sum", api_id),
        threshold=_API_FAULTS,
        reaches=True,
    )


def _recalls(environment: Environment) -> Iterator[AlarmSpec]:
    limits = environment.alarms
    yield AlarmSpec(
        entry="recall-errors",
        means="Chats answer without facts, because recalling them fails too often.",
        figure=ours("recall_failed", "Average", "recall"),
        threshold=limits.recall_error_share,
        periods=3,
        bad=2,
    )
    yield AlarmSpec(
        entry="recall-slow",
        means="Users wait too long for facts to be recalled.",
        figure=ours("recall_duration_seconds", "p99", "recall", outcome="hit"),
        threshold=limits.recall_p99_seconds,
        periods=3,
        bad=2,
    )
    yield AlarmSpec(
        entry="embeddings-fail",
        means="The endpoint that makes vectors does not answer: facts are found by their words alone.",
        figure=ours("embedding_total", "Sum", "all", outcome="error"),
        threshold=_EMBEDDING_FAULTS,
        periods=3,
        bad=2,
        reaches=True,
    )


def _queues(environment: Environment, names: Names) -> Iterator[AlarmSpec]:
    yield AlarmSpec(
        entry="dead-letters",
        means="A turn, or a doorbell, was given up and lies with the dead letters.",
        figure=of_queue("ApproximateNumberOfMessagesVisible", "Maximum", names.dead_letter_queue),
        threshold=1,
        reaches=True,
    )
    yield AlarmSpec(
        entry="dead-facts",
        means="Facts of a turn, or the doorbell for them, were given up and lie with the dead letters of facts.",
        figure=of_queue("ApproximateNumberOfMessagesVisible", "Maximum", names.facts_dead_letter_queue),
        threshold=1,
        reaches=True,
    )
    yield AlarmSpec(
        entry="oldest-facts",
        means="Facts of a turn have been waiting for long: extract does not keep up, or waits for the world.",
        figure=of_queue("ApproximateAgeOfOldestMessage", "Maximum", names.facts_queue),
        threshold=environment.alarms.oldest_facts_seconds,
    )
    yield AlarmSpec(
        entry="dead-jobs",
        means="A job, such as an erasure, was given up and lies with the dead jobs.",
        figure=of_queue("ApproximateNumberOfMessagesVisible", "Maximum", names.dead_jobs_queue),
        threshold=1,
        reaches=True,
    )
    yield AlarmSpec(
        entry="oldest-job",
        means="A job has been waiting for long: maintain does not keep up, or waits for the world.",
        figure=of_queue("ApproximateAgeOfOldestMessage", "Maximum", names.jobs_queue),
        threshold=environment.alarms.oldest_job_seconds,
    )
    yield AlarmSpec(
        entry="oldest-doorbell",
        means="A doorbell has been ringing for long: consolidate does not keep up, or waits for the world.",
        figure=of_queue("ApproximateAgeOfOldestMessage", "Maximum", names.turns_queue),
        threshold=environment.alarms.oldest_doorbell_seconds,
    )


def _turns(environment: Environment) -> Iterator[AlarmSpec]:
    limits = environment.alarms
    yield AlarmSpec(
        entry="consolidation-lag",
        means="The next chat knows too late what was said in the last.",
        figure=ours("consolidation_lag_seconds", "p95", "consolidate"),
        threshold=limits.lag_p95_seconds,
        minutes=15,
    )
    yield AlarmSpec(
        entry="nothing-finishes",
        means="A turn was accepted long ago and is not finished, or maintain, which would see it, does not run.",
        figure=ours("open_turn_age_seconds", "Maximum", "maintain"),
        threshold=_NOTHING_FINISHES_PER_LAG * limits.lag_p95_seconds,
        minutes=30,
        silence_rings=True,
    )
    yield AlarmSpec(
        entry="scrub-vetoes",
        means="The policy's reader refuses too many changes, so that they are not remembered.",
        figure=ours("scrub_vetoed", "Average", "consolidate"),
        threshold=limits.scrub_veto_share,
        minutes=15,
        periods=2,
        bad=2,
    )
    yield AlarmSpec(
        entry="gate-fails-open",
        means="The gate's model decides nothing too often, so that every such turn costs a whole chain.",
        figure=ours("gate_failed_open", "Average", "consolidate"),
        threshold=limits.gate_fail_open_share,
        minutes=15,
        periods=2,
        bad=2,
    )


def _models(environment: Environment) -> Iterator[AlarmSpec]:
    yield AlarmSpec(
        entry="model-access-denied",
        means="The model's endpoint refuses our key, or does not know our model: turns wait until someone acts.",
        figure=ours("model_access_denied_total", "Sum", "consolidate"),
        threshold=1,
        reaches=True,
    )
    yield AlarmSpec(
        entry="budget-paused",
        means="A company has used up its tokens of the day: its turns wait for the next day.",
        figure=ours("budget_steps_total", "Sum", "consolidate", step="paused"),
        threshold=1,
        reaches=True,
    )
    yield AlarmSpec(
        entry="budget-unknown",
        means="Nobody knows what companies have spent: no budget holds meanwhile.",
        figure=ours("budget_unknown_total", "Sum", "consolidate"),
        threshold=_BUDGET_UNKNOWN,
        periods=3,
        bad=3,
        reaches=True,
    )
    yield AlarmSpec(
        entry="sts-calls",
        means="Calls for users' credentials near what the account may make in its region.",
        figure=ours("sts_calls_total", "Sum", "all"),
        threshold=60 * environment.alarms.sts_calls_per_second,
        minutes=1,
        periods=5,
        bad=3,
    )


def _functions(environment: Environment, names: Names) -> Iterator[AlarmSpec]:
    for function in environment.functions:
        yield AlarmSpec(
            entry="function-errors",
            of=function,
            means=f"The function {function} crashed or ran out of time.",
            figure=of_function("Errors", "Sum", names.function(function)),
            threshold=environment.alarms.function_errors,
            reaches=True,
        )
        yield AlarmSpec(
            entry="function-throttles",
            of=function,
            means=f"Lambda refused to run the function {function}: its concurrency is used up.",
            figure=of_function("Throttles", "Sum", names.function(function)),
            threshold=environment.alarms.throttles,
            reaches=True,
        )


def _audit(environment: Environment, names: Names) -> Iterator[AlarmSpec]:
    yield AlarmSpec(
        entry="trespasses",
        means="Somebody whom IAM lets in asks for a company or a user that a lock keeps from them, again and again.",
        figure=ours("trespasses_total", "Sum", "all"),
        threshold=_TRESPASSES,
        reaches=True,
    )
    yield AlarmSpec(
        entry="audit-undelivered",
        of="late",
        means="Audit records wait for long, because Firehose cannot write them into their bucket.",
        figure=of_stream("DeliveryToS3.DataFreshness", "Maximum", names.audit_stream),
        threshold=_LATE_RECORDS_SECONDS,
    )
    for function in (name for name in environment.functions if name in AUDITED):
        yield AlarmSpec(
            entry="audit-undelivered",
            of=function,
            means=f"Audit records of the function {function} do not reach Firehose.",
            figure=of_subscription(
                "DeliveryErrors",
                "Sum",
                log_group=names.log_group(names.function(function)),
                subscription=names.audit_filter(function),
            ),
            threshold=1,
            reaches=True,
        )
