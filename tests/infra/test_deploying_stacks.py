"""Deploying single stacks to an emulator of their own."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from infra.local.assembly import SynthesisedStack
from infra.local.cloudformation import LARGEST_INLINE_TEMPLATE, Change, DeployFailed
from infra.local.deploy import deploy, destroy
from infra.local.emulated import Emulated
from infra.local.emulator_process import ACCOUNT, REGION, emulator
from infra.local.processes import free_port

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.deployed


@pytest.fixture(scope="module")
def emulated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Emulated]:
    folder = tmp_path_factory.mktemp("emulator")
    with emulator(port := free_port(), state=None, log=folder / "emulator.log"):
        yield Emulated(f"http://localhost:{port}", ACCOUNT, REGION)


def stack(name: str, *queues: str, retained: bool = False, description: str = "") -> SynthesisedStack:
    def queue(queue_name: str) -> dict[str, Any]:
        policy = {"DeletionPolicy": "Retain"} if retained else {}
        return {"Type": "AWS::SQS::Queue", "Properties": {"QueueName": queue_name}, **policy}

    resources = {f"Queue{number}": queue(queue_name) for number, queue_name in enumerate(queues)}
    metadata = {"Metadata": {"Why": description}} if description else {}
    return SynthesisedStack(name, {"Resources": resources, **metadata}, ())


def there(emulated: Emulated, queue: str) -> bool:
    return any(url.endswith(f"/{queue}") for url in emulated.sqs.list_queues().get("QueueUrls", ()))


def change(emulated: Emulated, folder: Path, one: SynthesisedStack) -> Change:
    return deploy(emulated, [one], {}, folder)[one.name].change


def test_deploying_says_what_it_meant_for_the_stack(emulated: Emulated, tmp_path: Path) -> None:
    assert change(emulated, tmp_path, stack("changes", "one")) is Change.CREATED
    assert change(emulated, tmp_path, stack("changes", "one")) is Change.UNCHANGED
    assert change(emulated, tmp_path, stack("changes", "one", "two")) is Change.UPDATED
    assert there(emulated, "two")


def test_a_template_that_is_too_large_for_a_request_deploys_all_the_same(emulated: Emulated, tmp_path: Path) -> None:
    large = stack("large", "in-a-large-one", description="x" * LARGEST_INLINE_TEMPLATE)
    assert len(json.dumps(large.template)) > LARGEST_INLINE_TEMPLATE

    assert change(emulated, tmp_path, large) is Change.CREATED
    assert there(emulated, "in-a-large-one")
    assert change(emulated, tmp_path, large) is Change.UNCHANGED


def test_what_a_stack_does_not_retain_goes_with_it(emulated: Emulated, tmp_path: Path) -> None:
    stacks = [stack("goes", "gone"), stack("stays", "kept", retained=True)]
    deploy(emulated, stacks, {}, tmp_path)

    destroy(emulated, stacks)

    assert (there(emulated, "gone"), there(emulated, "kept")) == (False, True)
    assert change(emulated, tmp_path, stacks[0]) is Change.CREATED


def test_a_protected_stack_is_not_deleted(emulated: Emulated, tmp_path: Path) -> None:
    protected = stack("protected", "guarded")
    deploy(emulated, [protected], {}, tmp_path)
    emulated.cloudformation.update_termination_protection(StackName="protected", EnableTerminationProtection=True)

    with pytest.raises(DeployFailed, match=r"protected.*TerminationProtection"):
        destroy(emulated, [protected])
    assert there(emulated, "guarded")


def test_a_stack_that_does_not_deploy_is_named_with_the_reason(emulated: Emulated, tmp_path: Path) -> None:
    broken = SynthesisedStack("broken", {"Resources": {"X": {"Type": "AWS::Nothing::OfTheKind"}}}, ())

    with pytest.raises(DeployFailed, match=r"(?s)broken.*AWS::Nothing::OfTheKind"):
        deploy(emulated, [broken], {}, tmp_path)
