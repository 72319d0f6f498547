"""Mail headers and quote marks, and own words that look like them."""

from __future__ import annotations

import pytest

from context_memory.domain.evidence import evidence_of
from context_memory.domain.turn import Message
from tests.support.growth import LIKE_THE_LENGTH, growth, repeated


def _said(text: str) -> str | None:
    evidence = evidence_of((Message("user", (text,)),), user_id="lena", display_name=None)
    return evidence.words if evidence else None


@pytest.mark.parametrize(
    "mail",
    [
        "From: Eva <eva@example.org>\nI moved.",
        "From: eva@example.org",
        "Da: Eva Rossi [mailto:eva@example.org]\nCiao",
        "From: Eva\nSubject: Move\n\nI moved.",
        "Subject: Move\nFrom: Eva\n\nI moved.",
        "From: Eva\nPriority: high\nSubject: Move\n\nI moved.",
        "From: Eva\nTo: Lena\nDate: 5 May\n\nI moved.",
        "From: Eva\nTo: lena@example.org\nI moved.",
        "From: Eva\nTo: Lena\nCc: Ben\nI moved.",
        "Sent: Monday, 5 January 2026 08:12\nI moved.",
        "Gesendet: 05.01.2026\nIch bin umgezogen.",
        "Von: Eva\nAn: Lena\nBetreff: Umzug\n\nIch bin umgezogen.",
        "De: Eva\nEnviado: lunes\n\nHola",
    ],
)
def test_headers_of_a_mail_begin_one(mail: str) -> None:
    assert _said(f"Hello.\n{mail}") == "Hello."


@pytest.mark.parametrize(
    "own",
    [
        "From: Basel, I travel to Bern daily for my work as a nurse.",
        "From: Bern\n\nI moved here in 2019.",
        "Von: Basel nach Bern pendle ich täglich, bin Pfleger.",
        "Von: 2015 bis 2020 war ich Pfleger bei Roche.",
        "Subject: my new job\nI start at Roche in May as a chemist.",
        "de: ich bin Krankenschwester in Basel",
        "Da: I moved. Also I got a new job at Roche",
        "Hi! Some facts on me.\nName: Lena\nFrom: Bern\nJob: nurse at Roche",
        "From: Zurich\nTo: Lisbon\n\nI prefer window seats.",
        "From: Basel\nTo: Lisbon\nDate: 3 June\nI'm travelling with my two kids.",
        "From: Basel\nTo: Lisbon\nDate: 3 June",
        "Von: Basel\nDatum: 3. Juni\nIch reise mit zwei Kindern.",
        "Where to?\n\nFrom: Basel",
        "From: Bern\nFrom: Basel\nI commute.",
    ],
)
def test_own_words_behind_a_lone_header_stay(own: str) -> None:
    assert _said(own) == own


@pytest.mark.parametrize(
    "own", [">100 employees report to me.", ">=5 years of Java.", "&gt;20 pages", "\uff1e3 children"]
)
def test_a_comparison_is_no_quotation(own: str) -> None:
    assert _said(own) == own


@pytest.mark.parametrize(
    "quoted", ["> 5 years of Java", ">>100 people", ">I moved\n>2019 to Umbrella", ">2019\n> I moved"]
)
def test_a_figure_in_a_quotation_is_quoted(quoted: str) -> None:
    assert _said(f"Hello.\n{quoted}\nThanks.") == "Hello.\n\nThanks."


@pytest.mark.parametrize(
    "line",
    ["From: a\n\n", "Explain this. ", "Anna 10:02\n", "Anna: x\n", "1:", "a.'", "My x:\n\n", 'Translate "x ', ">1\n"],
)
def test_the_time_of_reading_grows_like_the_length(line: str) -> None:
    assert growth(_said, repeated(line), 2_500) < LIKE_THE_LENGTH
