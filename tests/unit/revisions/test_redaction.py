from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from context_memory.domain.profile import Bullets
from context_memory.domain.redaction import earlier, redacted, to_redact
from context_memory.domain.writers import Writer
from tests.support.histories import BEGINNING, History

if TYPE_CHECKING:
    from context_memory.domain.revision import Revision


def texts(revisions: list[Revision]) -> set[str]:
    """All that revisions still say."""
    said = {text for one in revisions for op in one.operations for text in (op.before, op.after)}
    return {text for text in said if text is not None}


def redact(history: History, *forgotten: str) -> set[str]:
    """What history still says once texts were forgotten for good."""
    gone = {*forgotten, *earlier(history.revisions, history.bullets, lambda text: text in forgotten)}
    goes = to_redact(history.bullets, lambda text: text in gone)
    history.revisions = [redacted(one, goes, BEGINNING) for one in history.revisions]
    return texts(history.revisions)


def test_what_was_forgotten_goes_with_what_it_came_from() -> None:
    history = History()
    history.turn("t1", identity=("Has a dog.", "Sails."))
    history.turn("t2", identity=("Has a dog named Rex.", "Sails."))
    history.turn("t3", identity=("Sails.",))
    assert redact(history, "Has a dog named Rex.") == {"Sails."}


def test_what_stands_at_present_was_told_again_and_stays() -> None:
    history = History()
    history.turn("t1", identity=("Has a dog.",))
    history.turn("t2")
    history.turn("t3", identity=("Has a dog.",))
    assert redact(history, "Has a dog.") == {"Has a dog."}


def test_of_a_bullet_that_was_trimmed_what_is_left_stays_and_the_rest_goes() -> None:
    history = History()
    history.turn("t1", identity=("Lives in Bern.",))
    history.turn("t2", identity=("Lives in Bern with a dog.",))
    history.turn("t3", identity=("Lives in Bern.",))
    assert redact(history, "Lives in Bern with a dog.") == {"Lives in Bern."}


def test_what_nobody_forgot_stays_and_its_revisions_are_the_same_objects() -> None:
    history = History()
    history.turn("t1", identity=("Has a dog.",))
    history.write(Bullets(), Writer.USER)
    before = list(history.revisions)
    assert redact(history) == {"Has a dog."}
    assert all(now is then for now, then in zip(history.revisions, before, strict=True))


def test_a_redacted_revision_says_when_and_keeps_its_kinds() -> None:
    history = History()
    history.turn("t1", identity=("Has a dog.",))
    kinds = [one.kind for one in history.revisions[0].operations]
    goes = to_redact(Bullets(), lambda _: True)
    without = redacted(history.revisions[0], goes, BEGINNING)
    assert [(one.kind, one.after) for one in without.operations] == [(kinds[0], None)]
    assert without.redacted_at == BEGINNING
    assert without == replace(history.revisions[0], operations=without.operations, redacted_at=BEGINNING)
