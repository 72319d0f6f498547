from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import pytest

from infra.node import node_variables

if TYPE_CHECKING:
    from pathlib import Path

    from tests.infra.templates import Templates

os.environ.update(node_variables())  # importing the CDK starts Node, so that this has to come before any test does


@pytest.fixture(scope="session")
def code_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Stand-ins for the built layers: what is in them is no matter of the templates."""
    folder = tmp_path_factory.mktemp("code")
    for part in ("own/python", "dependencies/python"):
        (folder / part).mkdir(parents=True)
        (folder / part / "module.py").write_text("")
    return folder


@pytest.fixture(scope="session")
def dev(code_folder: Path) -> Templates:
    """The stacks of `dev` with end users, as CloudFormation would read them in one account and region."""
    from tests.infra.templates import WITH_USERS, synthesise  # noqa: PLC0415 - behind the line that says which Node

    return synthesise(WITH_USERS, code_folder)


@pytest.fixture(scope="session")
def guarded(code_folder: Path) -> Templates:
    """The stacks with every policy that there can be."""
    from tests.infra.templates import GUARDED, synthesise  # noqa: PLC0415 - likewise

    return synthesise(GUARDED, code_folder)


@pytest.fixture(scope="session")
def template_files(code_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A folder of templates for each environment, as the CDK writes them: `<concern>.template.json`."""
    from aws_cdk import App  # noqa: PLC0415 - behind the line that says which Node
    from aws_cdk.assertions import Template  # noqa: PLC0415 - likewise

    from infra.environments import ENVIRONMENTS  # noqa: PLC0415 - likewise
    from tests.infra.templates import stacks_of  # noqa: PLC0415 - likewise

    folders = {}
    for name, environment in ENVIRONMENTS.items():
        folders[name] = tmp_path_factory.mktemp(name)
        for concern, stack in stacks_of(App(), environment, code_folder).items():
            template = json.dumps(Template.from_stack(stack).to_json())
            (folders[name] / f"{concern}.template.json").write_text(template)
    return folders
