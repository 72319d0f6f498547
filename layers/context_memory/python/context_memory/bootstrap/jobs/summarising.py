"""What makes facts of turns whose text is kept, before it goes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from context_memory.bootstrap import shared

if TYPE_CHECKING:
    from context_memory.application.kept.summarising import Summarise
    from context_memory.application.walks.summarising import SummariseUser
    from context_memory.bootstrap.jobs.parts import Parts

# ruff: noqa: PLC0415 - late imports are this package's purpose


def summarise_user(parts: Parts) -> SummariseUser:
    """The step of the walk `summarise`."""
    from context_memory.application.kept.reading import ReadKept
    from context_memory.application.walks.summarising import SummariseUser
    from context_memory.bootstrap.jobs.following import asking

    return SummariseUser(
        table=parts.table,
        turns=parts.kept_turns,
        texts=parts.texts,
        let_go=parts.let_go(),
        read=ReadKept(
            texts=parts.texts,
            payloads=parts.payloads,
            switches=parts.switches,
            tokenizer=shared.tokenizers(parts.settings.extraction_model)[0],
            telemetry=parts.telemetry,
            limits=parts.limits,
        ),
        summarise=_summarise(parts),
        asking=asking(parts),
    )


def _summarise(parts: Parts) -> Summarise:
    from context_memory.adapters.indexes.warm_indexes import WarmIndexes
    from context_memory.adapters.jinja_prompts import JinjaPrompts
    from context_memory.application.extract.nearest import Nearest
    from context_memory.application.indexing.upkeep import Upkeep
    from context_memory.application.kept.summarising import Summarise
    from context_memory.application.taken_out import TakenOut
    from context_memory.bootstrap.indexing import follow_users
    from context_memory.domain.recall.floors import NONE

    settings, embedder, forgetting = parts.settings, parts.embedder(), parts.forgetting()
    upkeep = Upkeep(agenda=parts.agenda, jobs=parts.jobs, clock=parts.clock, telemetry=parts.telemetry)
    written = follow_users(parts.indexes, lambda: embedder, upkeep)
    return Summarise(
        store=parts.facts(),
        extraction=settings.extraction_model,
        scrub=settings.scrub_model,
        embedder=embedder,
        nearest=Nearest(indexes=WarmIndexes(floors=NONE), embedder=embedder, telemetry=parts.telemetry),
        prompts=JinjaPrompts(),
        tokenizer=shared.tokenizers(settings.extraction_model)[0],
        forgetting=forgetting,
        taken_out=TakenOut(table=parts.table, forgetting=forgetting),
        let_go=parts.let_go(),
        written=lambda work, change: written(work.user, change.puts),
        clock=parts.clock,
        telemetry=parts.telemetry,
        limits=parts.limits,
    )
