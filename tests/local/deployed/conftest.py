from __future__ import annotations

import json
from dataclasses import asdict, replace
from typing import TYPE_CHECKING

import pytest

from infra.environments import LOCAL
from infra.local.emulator_process import ACCOUNT
from infra.local.environment import LocalEnvironment, ModelEndpoint
from infra.local.models import EmbeddingEndpoint
from tests.support.deployed import Deployed, Somebody
from tests.support.end_users import LOCKED_AUDIENCE
from tests.support.scripted_model import Asked, ScriptedModel

if TYPE_CHECKING:
    from collections.abc import Iterator

    from infra.environments.parts import Oidc

VARIABLES = {
    "WAIT_SECONDS_FIRST": "1",
    "WAIT_SECONDS_MAX": "2",
    "SWEEP_AGE_SECONDS": "0",
    "ERASE_SETTLE_SECONDS": "4",
    "MODELS": json.dumps({"fast": "chosen"}),
}
# Companies beside the usual one, which has no locks.
LOCKS = {
    "bank": {"callers": [f"{ACCOUNT}/bank-orchestrator"]},
    "clinic": {"require_user_token": True},
}


def trusted() -> Oidc:
    """The local issuer, with an audience of its own for the companies that have locks."""
    assert LOCAL.oidc is not None
    return replace(LOCAL.oidc, audiences={**LOCAL.oidc.audiences, LOCKED_AUDIENCE: tuple(LOCKS)})


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Deployed]:
    """One deployed service for all tests: users are many, and tests share none."""
    with ScriptedModel() as model:
        endpoint = ModelEndpoint(base_url=model.base_url, api_key="key", model="scripted")
        folder = tmp_path_factory.mktemp("deployed")
        variables = VARIABLES | {"COMPANY_LOCKS": json.dumps(LOCKS), "OIDC": json.dumps(asdict(trusted()))}
        embeddings = EmbeddingEndpoint(base_url=model.base_url, model="scripted")
        with LocalEnvironment(outputs=folder, model=endpoint, embeddings=embeddings, variables=variables) as local:
            deployed = Deployed(local, model)
            yield deployed
            deployed.close()


@pytest.fixture
def deployed(service: Deployed) -> Iterator[Deployed]:
    """The service with a model that has nothing to say yet."""
    service.silence()
    yield service
    assert service.model.unforeseen == ()


@pytest.fixture
def lena(deployed: Deployed) -> Somebody:
    """A user whom nobody knows yet."""
    return deployed.newcomer()


@pytest.fixture
def learning(deployed: Deployed) -> Deployed:
    """The service with a model that stores each "I know X." as a skill."""

    def consolidation(asked: Asked) -> str:
        said = asked.said_by("user")
        known = [line[2:] for line in said.splitlines() if line.startswith("- Knows ")]
        told = [line.removeprefix("I know ").rstrip(".") for line in said.splitlines() if line.startswith("I know ")]
        skills = [*known, *(f"Knows {skill}." for skill in told if f"Knows {skill}." not in known)]
        bullets = "\n".join(f"- {skill}" for skill in skills) or "_(empty)_"
        empty = "_(empty)_\n\n"
        return (
            f"# User Memory\n\n## Identity\n{empty}## Communication Preferences\n{empty}## Work Context\n{empty}"
            f"## Skills & Expertise\n{bullets}\n\n## Follow-ups\n{empty}## Recent Topics\n_(empty)_\n"
        )

    deployed.model.script("gate", lambda asked: "UPDATE" if "I know " in asked.said_by("user") else "NOOP")
    deployed.model.script("consolidation", consolidation)
    deployed.model.script("scrub", lambda _: "CLEAN")
    return deployed
