"""Every metric there is. `docs/metrics.md` is made from this list; in tests nothing else can be counted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from context_memory.contracts.metrics import values as of
from context_memory.contracts.metrics.metric import ANY, Metric, Unit

if TYPE_CHECKING:
    from collections.abc import Iterable

LOAD, INGEST, RECALL, ACCOUNT, ADMIN = "load", "ingest", "recall", "account", "admin"
CONSOLIDATE, EXTRACT, MAINTAIN = "consolidate", "extract", "maintain"
_ALL = (LOAD, INGEST, RECALL, CONSOLIDATE, EXTRACT, MAINTAIN, ACCOUNT)
_ASK_MODELS = (CONSOLIDATE, EXTRACT, MAINTAIN)
_CALL = {"purpose": of.PURPOSES, "model": ANY}
_STORE = {"op": of.OPERATIONS, "outcome": of.STORED}


def _counts(name: str, question: str, *services: str, **dimensions: frozenset[str]) -> Metric:
    return Metric(name, Unit.COUNT, question, services, dimensions)


def _seconds(name: str, question: str, *services: str, **dimensions: frozenset[str]) -> Metric:
    return Metric(name, Unit.SECONDS, question, services, dimensions)


def _share(name: str, question: str, *services: str) -> Metric:
    return Metric(name, Unit.SHARE, question, services, {})


def _metrics() -> Iterable[Metric]:
    yield _seconds("load_duration_seconds", "How long does a chat wait for its memory?", LOAD, outcome=of.LOADED)
    yield _counts("load_total", "How often do turns run without memory?", LOAD, outcome=of.LOADED)
    yield _share("load_failed", "Which share of loads fails?", LOAD)
    yield _counts("account_total", "How often do users look at their memory?", ACCOUNT, outcome=of.SHOWN)
    question = "How many memories are erased, and how far have they come?"
    yield _counts("erasures_total", question, ACCOUNT, MAINTAIN, stage=of.ERASING)
    question = "How large are profiles against the cap?"
    yield _counts("memory_length_tokens", question, LOAD, CONSOLIDATE, ACCOUNT, MAINTAIN, phase=of.PHASES)
    yield _counts("memory_length_chars", question, LOAD, CONSOLIDATE, ACCOUNT, MAINTAIN, phase=of.PHASES)
    yield from _recalls()
    yield from _facts()
    yield from _turns()
    yield from _chain()
    yield from _world()
    yield from _spending()
    yield from _walks()


def _recalls() -> Iterable[Metric]:
    question = "How long does a chat wait for facts?"
    yield _seconds("recall_duration_seconds", question, RECALL, outcome=of.RECALLED)
    yield _counts("recall_total", "How often do questions find facts, and if not, why?", RECALL, outcome=of.RECALLED)
    yield _share("recall_failed", "Which share of recalls fails?", RECALL)
    yield _counts("recall_hits", "How many facts does an answer of recall hold?", RECALL)
    yield _counts("recall_tokens", "How much room do they take in a prompt?", RECALL)
    question = "Do models cite what they were given, or make it up?"
    yield _counts("citations_total", question, RECALL, result=of.CITED)


def _facts() -> Iterable[Metric]:
    question = "What becomes of facts, written back, by users, by administrators, or by upkeep?"
    writers = (EXTRACT, CONSOLIDATE, ACCOUNT, ADMIN, MAINTAIN)
    yield _counts("facts_written_total", question, *writers, result=of.FACTS_WRITTEN)
    yield _counts("writeback_total", "Do turns leave facts, and if not, why?", EXTRACT, outcome=of.WRITTEN_BACK)
    question = "How long does it take to extract and store a turn's facts?"
    yield _seconds("writeback_duration_seconds", question, EXTRACT, outcome=of.WRITTEN_BACK)
    question = "Does the endpoint that makes vectors answer, whoever asks it?"
    embedding = (RECALL, EXTRACT, ACCOUNT, ADMIN, MAINTAIN)
    yield Metric("embedding_total", Unit.COUNT, question, embedding, {"outcome": of.EMBEDDED}, whole=True)
    question = "Does compaction make fewer facts of old ones, and if not, why?"
    yield _counts("compaction_total", question, MAINTAIN, outcome=of.COMPACTED)
    question = "Are kept texts made into facts before they go, or do they go unread, or because of a wish to forget?"
    keepers = (EXTRACT, CONSOLIDATE, ACCOUNT, MAINTAIN)
    yield _counts("kept_turns_total", question, *keepers, result=of.KEPT)
    question = "Do old turns that are read together leave facts, and if not, why?"
    yield _counts("summaries_total", question, MAINTAIN, outcome=of.SUMMED)


def _turns() -> Iterable[Metric]:
    question = "How long does the work on a group of turns take, or did it until they had to wait?"
    yield _seconds("postprocessor_duration_seconds", question, CONSOLIDATE, outcome=of.PROCESSED)
    question = "Did a turn change what is remembered, and if not, why?"
    yield _counts("postprocessor_total", question, CONSOLIDATE, outcome=of.PROCESSED)
    question = "How long from the acceptance of a turn until the next chat knows?"
    yield _seconds("consolidation_lag_seconds", question, CONSOLIDATE)
    question = "How long has the oldest turn been waiting? 0 when none is; from the table, once a round."
    yield _seconds("open_turn_age_seconds", question, MAINTAIN)
    yield _counts("dead_turns", "How many turns have been given up and not redriven? Once a round.", MAINTAIN)
    question = "Of how many turns have the facts been given up, and not redriven? Once a round."
    yield _counts("dead_extractions", question, MAINTAIN)
    yield _counts(
        "commit_conflicts_total", "How contended are profiles?", CONSOLIDATE, ACCOUNT, MAINTAIN, writer=of.WRITERS
    )
    yield _counts("news_total", "Does the world hear what becomes of memories?", CONSOLIDATE, MAINTAIN, kind=of.NEWS)


def _chain() -> Iterable[Metric]:
    yield _counts("gate_decisions_total", "Does the gate save money?", CONSOLIDATE, decision=of.GATE)
    yield _share("gate_failed_open", "Which share of the gate's decisions is none?", CONSOLIDATE)
    question = "Which share of the gate's NOOPs, of those tried again, would have changed something?"
    yield _share("gate_miss_total", question, CONSOLIDATE)
    yield _counts("scrub_decisions_total", "Is the policy's reader well?", *_ASK_MODELS, decision=of.SCRUB)
    yield _share("scrub_vetoed", "Which share of the policy's readings ends in a veto?", *_ASK_MODELS)
    question = "Which secrets does the policy's last line meet?"
    yield _counts("redactions_total", question, *_ASK_MODELS, kind=of.SECRETS)
    question = "Why did a rewrite not persist?"
    yield _counts("consolidation_results_total", question, CONSOLIDATE, result=of.RESULTS)
    yield _counts("bullets_restored_total", "How many bullets did a rewrite lose that code brought back?", CONSOLIDATE)
    question = "How often does a profile outgrow its cap, and what is done then?"
    yield _counts("condense_total", question, CONSOLIDATE, MAINTAIN, trigger=of.CONDENSING, result=of.CONDENSED)


def _world() -> Iterable[Metric]:
    yield _seconds("llm_duration_seconds", "Which call of a model is slow?", *_ASK_MODELS, **_CALL)
    question = "Which call of a model fails?"
    yield _counts("llm_errors_total", question, *_ASK_MODELS, **_CALL, error_type=of.ERROR_TYPES)
    question = "Which call of a model is expensive?"
    yield _counts("llm_tokens_total", question, *_ASK_MODELS, **_CALL, direction=of.DIRECTIONS)
    question = "Does the model's endpoint refuse our key, or not know our model?"
    yield _counts("model_access_denied_total", question, *_ASK_MODELS)
    yield _seconds("storage_duration_seconds", "Is a store the bottleneck?", *_ALL, **_STORE)
    yield _counts("storage_total", "Which store fails, and how?", *_ALL, **_STORE)
    question = "How close to the account's limit are calls of STS, those of all functions together?"
    yield Metric("sts_calls_total", Unit.COUNT, question, _ALL, {}, whole=True)
    question = "Does somebody whom IAM lets in ask for a company, or a user, that a lock keeps from them?"
    yield Metric("trespasses_total", Unit.COUNT, question, (LOAD, INGEST, RECALL, ADMIN), {}, whole=True)
    question = "Which stage fails, and with which error?"
    yield _counts("errors_total", question, *_ALL, ADMIN, stage=of.STAGES, error_type=of.ERROR_TYPES)


def _spending() -> Iterable[Metric]:
    question = "On which step of its daily budget does a company stand? Told once a doorbell and step."
    yield _counts("budget_steps_total", question, CONSOLIDATE, EXTRACT, step=of.STEPS)
    question = "How often is a company's spending unknown, so that it counts as none?"
    yield _counts("budget_unknown_total", question, INGEST, *_ASK_MODELS, ADMIN)
    question = "How often can spending not be written down at once?"
    yield _counts("budget_unwritten_total", question, *_ASK_MODELS)


def _walks() -> Iterable[Metric]:
    question = "How far do walks through companies get?"
    yield _counts("walked_users_total", question, MAINTAIN, kind=of.WALKS)
    question = "Which walks come to their end, and which fail with some users for good?"
    yield _counts("walks_total", question, MAINTAIN, kind=of.WALKS, status=of.WALKED)


METRICS = {metric.name: metric for metric in _metrics()}
