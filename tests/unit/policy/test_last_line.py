from __future__ import annotations

from context_memory.domain.last_line import MASK, apply
from context_memory.domain.profile import Bullets

IBAN = "CH93 0076 2011 6238 5295 7"


def test_a_changed_bullet_with_a_secret_gives_way_to_the_one_it_replaced() -> None:
    base = Bullets(identity=("Banks with a cantonal bank in Zurich.", "Likes tea."))
    new = Bullets(identity=(f"Banks with a cantonal bank in Zurich, {IBAN}.", "Likes tea."))
    assert apply(base, new).bullets == base


def test_a_replacement_that_shares_no_word_gives_way_as_well() -> None:
    base = Bullets(identity=("Lives in Zurich.", "Likes tea."))
    new = Bullets(identity=("Likes tea.", f"Account {IBAN}."))
    assert apply(base, new).bullets.same_as(base)


def test_what_was_forgotten_is_not_brought_back() -> None:
    base = Bullets(identity=("Banks with a cantonal bank in Zurich.",))
    new = Bullets(identity=(f"Banks in Zurich with {IBAN}.",))
    assert apply(base, new, forgotten=base.identity).bullets == Bullets()


def test_a_bullet_that_is_brought_back_is_masked_too() -> None:
    base = Bullets(identity=(f"Banks in Zurich: {IBAN}.",))
    new = Bullets(identity=(f"Banks in Zurich since May: {IBAN}.",))
    kept = apply(base, new)
    assert kept.bullets == Bullets(identity=(f"Banks in Zurich: {MASK}.",))
    assert kept.hits == {"iban": 2}


def test_a_merge_with_a_secret_brings_all_its_parts_back() -> None:
    base = Bullets(skills=("Uses Python for data work.", "Uses SQL for data work."))
    new = Bullets(skills=(f"Uses Python and SQL for data work, paid to {IBAN}.",))
    assert apply(base, new).bullets.same_as(base)


def test_an_old_bullet_in_another_section_is_still_old() -> None:
    base = Bullets(work=(f"Pays to {IBAN}.",))
    new = Bullets(identity=(f"Pays to {IBAN}.",))
    assert apply(base, new).bullets == Bullets(identity=(f"Pays to {MASK}.",))


def test_a_body_without_secrets_comes_back_as_it_was() -> None:
    body = Bullets(identity=("Works as a nurse.",), topics=("2026-06-17 11:40 UTC: Rotas.",))
    kept = apply(Bullets(), body)
    assert kept.bullets == body
    assert kept.hits == {}
