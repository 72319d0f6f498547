"""What is forgotten is found again in other words, and its opposite is not taken for it."""

from __future__ import annotations

import pytest

from context_memory.domain.language.gist import gist


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Vegetarian.", "Is vegetarian."),
        ("Has 2 dogs.", "Dogs: 2"),
        ("From the US.", "From the United States"),
        ("Has no children.", "Does not have children."),
        ("Has no children.", "Doesn't have children."),
        ("Has no children.", "Children: none"),
        ("Lives without a car.", "Lives with no car."),
        ("Keine Kinder.", "Hat keinerlei Kinder."),
        ("Ne fume pas.", "Ne fume jamais."),
        ("Available before 9.", "Only available before 9."),
    ],
)
def test_the_gist_is_the_same_whatever_the_wording(one: str, other: str) -> None:
    assert gist(one) == gist(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Has 2 dogs.", "Has 3 dogs."),
        ("Eats meat.", "Does not eat meat."),
        ("Eats meat.", "Doesn't eat meat."),
        ("It is what it is.", "Are you there?"),
        ("Is not there.", "Not me."),
        ("Has no children.", "Has children."),
        ("Is no smoker.", "Is a smoker."),
        ("Keine Kinder.", "Kinder."),
        ("Kann nicht schwimmen.", "Kann schwimmen."),
        ("Ist ohne Auto.", "Ist mit Auto."),
        ("Ne fume pas.", "Fume."),
        ("Sans enfants.", "Enfants."),
        ("Vive sin coche.", "Vive con coche."),
        ("Non fuma.", "Fuma."),
        ("Não fuma.", "Fuma."),
        ("Rookt niet.", "Rookt."),
        ("不喜欢茶。", "喜欢茶。"),
        ("没有孩子。", "有孩子。"),
        ("Available before 9.", "Available after 9."),
        ("Nur vor 9 Uhr.", "Nur nach 9 Uhr."),
        ("Budget under 500.", "Budget over 500."),
        ("Lives without Anna.", "Lives with Anna."),
    ],
)
def test_the_gist_of_a_statement_is_not_that_of_its_opposite(one: str, other: str) -> None:
    assert gist(one) != gist(other)
