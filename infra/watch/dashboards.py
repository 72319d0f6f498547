"""Two dashboards: what users feel, and what machines do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from infra.watch.figures import Figure, of_api, of_function, of_queue, of_table, ours

if TYPE_CHECKING:
    from collections.abc import Iterator

    from infra.environments import Environment
    from infra.names import Names

_PERCENTILES = ("p50", "p95", "p99")
_OUTCOMES = (
    *("updated", "updated_partial", "forgotten", "noop", "unchanged"),
    *("pinned_conflict", "malformed", "scrub_veto", "model_rejected", "profile_unreadable", "schema_newer"),
    *("expired", "waiting", "dead"),
)
_RESULTS = (
    *("rewritten", "partial", "forgotten", "noop", "unchanged", "unchanged_after_scrub"),
    *("pinned_conflict", "malformed", "scrub_veto", "llm_error", "model_rejected"),
)
_MODEL_ERRORS = ("ModelUnavailable", "ModelServerError", "ModelAccessDenied", "ModelRejected")
_STORES = {
    "load": ("credentials", "settings_read", "profile_read"),
    "ingest": ("turn_read", "turn_write"),
    "recall": ("facts_read",),
    "consolidate": ("profile_write", "commit"),
    "extract": ("facts_write",),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Graph:
    """One graph: a title that says what is seen, and its figures."""

    title: str
    figures: tuple[Figure, ...]
    unit: str = ""


def what_users_feel(environment: Environment) -> Iterator[Graph]:
    """Loads, freshness, outcomes, sizes, and what it costs."""
    yield Graph(
        title="How long a chat waits for its memory",
        unit="seconds",
        figures=tuple(ours("load_duration_seconds", one, "load", outcome="success", label=one) for one in _PERCENTILES),
    )
    yield Graph(
        title="Loads, by what came of them",
        figures=tuple(
            ours("load_total", "Sum", "load", outcome=one, label=one)
            for one in ("success", "empty", "disabled", "error")
        ),
    )
    yield Graph(title="Share of loads that fail", figures=(ours("load_failed", "Average", "load", label="failed"),))
    yield Graph(
        title="How long a chat waits for facts",
        unit="seconds",
        figures=tuple(ours("recall_duration_seconds", one, "recall", outcome="hit", label=one) for one in _PERCENTILES),
    )
    yield Graph(
        title="Recalls, by what came of them",
        figures=tuple(
            ours("recall_total", "Sum", "recall", outcome=one, label=one)
            for one in ("hit", "cached", "empty", "disabled", "error")
        ),
    )
    yield Graph(
        title="Facts in an answer",
        figures=(
            ours("recall_hits", "p50", "recall", label="facts, p50"),
            ours("recall_tokens", "p95", "recall", label="tokens, p95"),
        ),
    )
    yield Graph(
        title="Citations, by what they named",
        figures=tuple(
            ours("citations_total", "Sum", "recall", result=one, label=one)
            for one in ("resolved", "withdrawn", "invented", "unknown")
        ),
    )
    yield Graph(
        title="Facts written back from turns, by what came of them",
        figures=tuple(
            ours("facts_written_total", "Sum", "extract", result=one, label=one)
            for one in ("added", "confirmed", "superseded", "deleted", "refused", "pruned")
        ),
    )
    yield Graph(
        title="Facts that others than turns have written or taken out",
        figures=tuple(
            ours("facts_written_total", "Sum", function, result=one, label=f"{one}, {whose}")
            for function, whose in (("account", "users"), ("admin", "shared"), ("maintain", "jobs"))
            for one in ("added", "deleted")
        ),
    )
    yield Graph(
        title="From a turn's acceptance until the next chat knows",
        unit="seconds",
        figures=(
            *(ours("consolidation_lag_seconds", one, "consolidate", label=one) for one in ("p50", "p95")),
            ours("open_turn_age_seconds", "Maximum", "maintain", label="oldest turn that waits"),
        ),
    )
    yield Graph(
        title="Turns, by what came of them",
        figures=tuple(ours("postprocessor_total", "Sum", "consolidate", outcome=one, label=one) for one in _OUTCOMES),
    )
    yield Graph(
        title="Dead turns, and dead extractions of facts",
        figures=(
            ours("dead_turns", "Maximum", "maintain", label="turns"),
            ours("dead_extractions", "Maximum", "maintain", label="extractions"),
        ),
    )
    yield Graph(
        title="Size of a memory",
        unit="tokens",
        figures=(
            ours("memory_length_tokens", "p50", "load", phase="load", label="shown, p50"),
            ours("memory_length_tokens", "p95", "load", phase="load", label="shown, p95"),
            ours("memory_length_tokens", "Maximum", "consolidate", phase="write", label="stored, largest"),
        ),
    )
    yield Graph(title="Tokens, by call", unit="tokens", figures=tuple(_tokens(environment)))
    yield Graph(
        title="Companies on the steps of their daily budget",
        figures=tuple(
            ours("budget_steps_total", "Sum", "consolidate", step=one, label=one) for one in ("saving", "paused")
        ),
    )


def what_machines_do(environment: Environment, names: Names, api_id: str) -> Iterator[Graph]:
    """The API, functions, queues, tables, stores and models."""
    yield Graph(
        title="API",
        figures=tuple(of_api(name, "Sum", api_id, label=name) for name in ("Count", "4xx", "5xx")),
    )
    for name, statistic in (
        ("Invocations", "Sum"),
        ("Errors", "Sum"),
        ("Throttles", "Sum"),
        ("Duration", "p95"),
        ("ConcurrentExecutions", "Maximum"),
    ):
        figures = tuple(of_function(name, statistic, names.function(one), label=one) for one in environment.functions)
        yield Graph(title=f"Functions: {name}", unit="milliseconds" if name == "Duration" else "", figures=figures)
    yield Graph(
        title="Doorbells that wait",
        figures=(
            of_queue("ApproximateNumberOfMessagesVisible", "Maximum", names.turns_queue, label="ringing"),
            of_queue("ApproximateNumberOfMessagesNotVisible", "Maximum", names.turns_queue, label="put off or at work"),
            of_queue("ApproximateNumberOfMessagesVisible", "Maximum", names.dead_letter_queue, label="dead letters"),
        ),
    )
    yield Graph(
        title="Doorbells of facts that wait",
        figures=(
            of_queue("ApproximateNumberOfMessagesVisible", "Maximum", names.facts_queue, label="ringing"),
            of_queue("ApproximateNumberOfMessagesNotVisible", "Maximum", names.facts_queue, label="put off or at work"),
            of_queue(
                "ApproximateNumberOfMessagesVisible", "Maximum", names.facts_dead_letter_queue, label="dead letters"
            ),
        ),
    )
    yield Graph(
        title="Jobs that wait",
        figures=(
            of_queue("ApproximateNumberOfMessagesVisible", "Maximum", names.jobs_queue, label="waiting"),
            of_queue("ApproximateNumberOfMessagesNotVisible", "Maximum", names.jobs_queue, label="put off or at work"),
            of_queue("ApproximateNumberOfMessagesVisible", "Maximum", names.dead_jobs_queue, label="dead jobs"),
        ),
    )
    yield Graph(
        title="Age of the oldest doorbells and job",
        unit="seconds",
        figures=tuple(
            of_queue("ApproximateAgeOfOldestMessage", "Maximum", queue, label=label)
            for label, queue in (
                *(("doorbell", names.turns_queue), ("doorbell of facts", names.facts_queue)),
                ("job", names.jobs_queue),
            )
        ),
    )
    for name in ("ConsumedReadCapacityUnits", "ConsumedWriteCapacityUnits"):
        tables = {"users": names.user_table, "companies": names.company_table}
        figures = tuple(of_table(name, "Sum", table, label=label) for label, table in tables.items())
        yield Graph(title=f"Tables: {name}", figures=figures)
    yield Graph(title="Requests to stores: p95", unit="seconds", figures=tuple(_stores()))
    yield Graph(title="Calls for credentials", figures=(ours("sts_calls_total", "Sum", "all", label="STS"),))
    yield Graph(title="Calls of models: p95", unit="seconds", figures=tuple(_calls(environment)))
    yield Graph(
        title="Calls of the model that makes vectors",
        figures=tuple(ours("embedding_total", "Sum", "all", outcome=one, label=one) for one in ("success", "error")),
    )
    yield Graph(title="Calls of models that fail", figures=tuple(_failed_calls(environment)))
    yield Graph(
        title="Rewrites, by what came of them",
        figures=tuple(
            ours("consolidation_results_total", "Sum", "consolidate", result=one, label=one) for one in _RESULTS
        ),
    )
    yield Graph(
        title="Writers who were overtaken",
        figures=(ours("commit_conflicts_total", "Sum", "consolidate", writer="turn", label="turns"),),
    )


def _models(environment: Environment) -> Iterator[tuple[str, str, str]]:
    """Each function that asks models, for each purpose, with each model that may answer it."""
    models = environment.models
    gates = dict.fromkeys((models.gate, models.small))
    yield from (("consolidate", "gate", model) for model in gates)
    yield from (("consolidate", purpose, models.consolidation) for purpose in ("consolidation", "condense"))
    yield from (
        ("consolidate", "scrub", models.scrub),
        ("extract", "extraction", models.extraction),
        ("extract", "scrub", models.scrub),
    )


def _tokens(environment: Environment) -> Iterator[Figure]:
    for function, purpose, model in _models(environment):
        for direction in ("input", "cached", "output"):
            yield ours(
                "llm_tokens_total",
                "Sum",
                function,
                purpose=purpose,
                model=model,
                direction=direction,
                label=f"{function} {purpose} ({model}) {direction}",
            )


def _calls(environment: Environment) -> Iterator[Figure]:
    for function, purpose, model in _models(environment):
        label = f"{function} {purpose} ({model})"
        yield ours("llm_duration_seconds", "p95", function, purpose=purpose, model=model, label=label)


def _failed_calls(environment: Environment) -> Iterator[Figure]:
    for function, purpose, model in _models(environment):
        for error_type in _MODEL_ERRORS:
            yield ours(
                "llm_errors_total",
                "Sum",
                function,
                purpose=purpose,
                model=model,
                error_type=error_type,
                label=f"{function} {purpose} ({model}) {error_type}",
            )


def _stores() -> Iterator[Figure]:
    for function, operations in _STORES.items():
        for op in operations:
            label = f"{function} {op}"
            yield ours("storage_duration_seconds", "p95", function, op=op, outcome="success", label=label)
