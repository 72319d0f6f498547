"""Ways of saying that something is over, and sentences that only look like it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from context_memory.domain.profile import Bullets, Section

if TYPE_CHECKING:
    from collections.abc import Callable

    from context_memory.domain.reconcile import Reconciled

    Reconcile = Callable[..., Reconciled]

KEPT = "Keeps bees."


def _after(reconciled: Reconcile, section: Section, lost: str, said: str) -> tuple[str, ...]:
    """What stands of `lost` when the model left it out after `said`."""
    base = Bullets(skills=(KEPT,)).with_section(section, (lost,))
    return reconciled(base, Bullets(skills=(KEPT,)), said).bullets[section]


@pytest.mark.parametrize(
    ("lost", "said"),
    [
        ("Has a cat.", "My cat died last month."),
        ("Has a cat called Mimi.", "Mimi has passed away"),
        ("Hat einen Hund namens Rex.", "Rex ist gestorben."),
        ("A un chat qui s'appelle Mimi.", "Mimi est morte hier."),
        ("Tiene un perro llamado Rex.", "Rex murió ayer."),
        ("Has a wedding in May.", "We called off the wedding."),
        ("养了一只猫叫咪咪。", "咪咪去世了。"),
    ],
)
def test_a_death_ends_what_was_known_of_the_dead(reconciled: Reconcile, lost: str, said: str) -> None:
    assert _after(reconciled, Section.IDENTITY, lost, said) == ()


@pytest.mark.parametrize(
    ("lost", "said"),
    [
        ("Preparing the audit.", "The audit is over."),
        ("Preparing the audit.", "The audit's finally over, time for a holiday!"),
        ("Bereitet die Revision vor.", "Die Revision ist endlich vorbei!"),
        ("Prépare l'audit.", "L'audit est terminé."),
        ("Prepara la auditoría.", "La auditoría se acabó."),
        ("Writing a thesis on transformers.", "I handed in my thesis!"),
        ("Schreibt eine Masterarbeit.", "Ich habe meine Masterarbeit abgegeben!"),
        ("Écrit un rapport.", "J'ai rendu mon rapport"),
        ("Project Falcon goes live in September.", "Falcon went live!"),
        ("Projekt Falke geht im September live.", "Falke ist live gegangen"),
        ("Building the Falcon app.", "We launched Falcon today"),
        ("Preparing for the B1 exam.", "I passed the exam!"),
        ("Lernt für die Prüfung B1.", "Prüfung bestanden!"),
        ("Studying nursing in Bonn.", "I graduated from Bonn"),
    ],
)
def test_work_that_is_done_goes(reconciled: Reconcile, lost: str, said: str) -> None:
    assert _after(reconciled, Section.WORK, lost, said) == ()


@pytest.mark.parametrize(
    ("lost", "said"),
    [
        ("Preparing the audit.", "The audit is over budget"),
        ("Preparing the audit.", "The audit is not over"),
        ("Preparing the audit.", "Is the audit over?"),
        ("Preparing the audit.", "I went over the audit"),
        ("Preparing for the B1 exam.", "I haven't passed the exam"),
        ("Preparing for the B1 exam.", "I passed the exam sheet to Anna"),
        ("Lernt für die Prüfung B1.", "Die Prüfung habe ich nicht bestanden"),
        ("Project Falcon goes live in September.", "Falcon goes live"),
        ("Maintains the data pipeline.", "The pipeline is not done yet"),
        ("Maintains the data pipeline.", "Please stop the pipeline"),
    ],
)
def test_work_that_goes_on_stays(reconciled: Reconcile, lost: str, said: str) -> None:
    assert _after(reconciled, Section.WORK, lost, said) == (lost,)


@pytest.mark.parametrize(
    ("lost", "said"),
    [
        ("Has a cat.", "The cat almost died"),
        ("Has a cat.", "Has my cat died?"),
        ("Studies law in Bonn.", "A project on law was handed in"),
    ],
)
def test_what_only_sounds_like_an_end_ends_nothing(reconciled: Reconcile, lost: str, said: str) -> None:
    assert _after(reconciled, Section.IDENTITY, lost, said) == (lost,)


@pytest.mark.parametrize(
    ("lost", "said"),
    [
        ("Wants emojis.", "Please stop using emojis."),
        ("Wants emojis.", "stop the emojis"),
        ("Wants emojis.", "I'd like you to stop with the emojis"),
        ("Will Emojis.", "Hör bitte auf mit den Emojis"),
        ("Veut des emojis.", "Arrêtez les emojis"),
        ("Quiere emojis.", "Deja de usar emojis"),
        ("喜欢表情符号。", "别再用表情符号了"),
    ],
)
def test_a_form_of_answers_that_the_user_wants_no_more_goes(reconciled: Reconcile, lost: str, said: str) -> None:
    assert _after(reconciled, Section.COMMUNICATION, lost, said) == ()


@pytest.mark.parametrize(
    ("lost", "said"),
    [
        ("Wants emojis.", "Please don't stop using emojis"),
        ("Wants emojis.", "Never stop the emojis"),
        ("Wants emojis.", "How to stop emojis from breaking my database"),
    ],
)
def test_a_form_of_answers_that_nobody_refused_stays(reconciled: Reconcile, lost: str, said: str) -> None:
    assert _after(reconciled, Section.COMMUNICATION, lost, said) == (lost,)


def test_what_answers_shall_not_use_stays_among_the_skills(reconciled: Reconcile) -> None:
    lost = Bullets(identity=(KEPT,), skills=("Writes Python.",))
    kept = lost.with_section(Section.SKILLS, ())
    assert reconciled(lost, kept, "Please stop using Python in examples").bullets == lost
