from __future__ import annotations

from itertools import combinations

from context_memory.domain.company_settings import Special, policy_version


def test_each_set_of_allowed_kinds_is_a_policy_of_its_own_and_none_is_the_services() -> None:
    sets = [frozenset(some) for size in range(len(Special) + 1) for some in combinations(Special, size)]
    names = {policy_version("3", allowed) for allowed in sets}
    assert len(names) == len(sets) == 32
    assert policy_version("3", frozenset()) == "3"
    assert policy_version("3", frozenset({Special.UNION, Special.BELIEF})) == "3+belief+union"
