"""docs/cells.md shows what the formulas say."""

from __future__ import annotations

from dataclasses import replace

import pytest

from infra.cells import Day, limits, tables
from infra.environments import ENVIRONMENTS
from infra.environments.model import MOST_COMPANIES
from infra.environments.parts import Alarms, Company, Principal
from infra.layers.places import ROOT
from infra.limits import MOST_VARIABLE_BYTES, variable_bytes
from infra.names import Names
from infra.variables import variables_of

PROD = ENVIRONMENTS["prod"]
HERE = "111122223333"
PAGE = (ROOT / "docs" / "cells.md").read_text()


def test_the_pages_tables_are_those_of_the_formulas() -> None:
    for table in tables(PROD.models).split("\n\n"):
        assert table in PAGE


def test_the_page_speaks_of_this_environment_and_these_assumptions() -> None:
    day = Day()
    assert f"{PROD.models.requests_per_minute:,} model requests a minute, and so {PROD.models.workers} " in PAGE
    assert f"beside {PROD.models.extractors} extractions" in PAGE
    assert f"at most {MOST_COMPANIES} companies" in PAGE
    for row in (
        f"| turns *t* | {day.turns} |",
        f"| chats, with one load each, *l* | {day.chats} |",
        f"| share of the day's requests in its busiest hour *h* | {day.peak_share:.0%} |".replace("%", " %"),
        f"| turns that matter *m* (the others end at the gate) | {day.matters:.0%} |".replace("%", " %"),
        f"| recalls for a turn *q* | {day.recalls} |",
        f"| calls of the model for a turn *c* = 1 + 2 *m* | {day.calls} |",
        f"| calls of the model for its facts *f* = 2 *m* | {day.calls_for_facts} |",
        f"| seconds of a call *s*; of a chain beside its calls *o* | {day.call_seconds}; {day.store_seconds} |",
    ):
        assert row in PAGE


def test_each_limit_is_reached_where_its_users_ask_for_all_of_it() -> None:
    day = Day()
    found = {one.name: one.users for one in limits(day, requests_per_minute=5000, workers=166, extractors=33)}
    assert day.assumptions_per_second(found["STS"]) == pytest.approx(600)
    assert day.turns_per_second(found["workers, no turn waiting at the peak"]) == pytest.approx(166 / 5)
    peak_minute = 60 * day.turns_per_second(found["model requests, no turn waiting at the peak"])
    assert peak_minute * (day.calls + day.calls_for_facts) == pytest.approx(5000)
    facts = found["extractors, no fact waiting at the peak"] * day.matters
    assert day.turns_per_second(facts) == pytest.approx(33 / 6.5)
    assert list(found.values()) == sorted(found.values())


def test_the_alarm_of_sts_rings_where_the_page_says() -> None:
    (alarm,) = [
        one
        for one in limits(Day(), requests_per_minute=5000, workers=166, extractors=33)
        if one.name == "STS, alarm at 60 %"
    ]
    assert alarm.bound == Alarms().sts_calls_per_second


@pytest.mark.parametrize(("account", "companies"), [(HERE, 36), ("444455556666", 18)])
def test_so_many_companies_with_a_pinned_caller_fit_into_the_variables_of_functions_and_not_twice_as_many(
    account: str, companies: int
) -> None:
    def largest(count: int) -> int:
        pinned = Company(callers=(Principal(account=account, role="chat-orchestrator"),))
        environment = replace(
            PROD, account=HERE, companies={f"company-{number:03d}": pinned for number in range(count)}
        )
        names = Names(environment=PROD.name, account=HERE, region="eu-central-1")
        variables = [
            variables_of(function, environment=environment, names=names, url_suffix="amazonaws.com")
            for function in environment.functions
        ]
        return max(map(variable_bytes, variables))

    assert f"{companies} fit" in PAGE or f"and {companies} if the callers are of other accounts" in PAGE
    assert largest(companies) <= MOST_VARIABLE_BYTES < largest(2 * companies)
