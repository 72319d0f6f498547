"""The first release as it once stood: its templates, and what it had written for one user.

`tests/infra/part_a` holds both, frozen: the templates as they were synthesised for the emulator, and the items, objects
and doorbell that its functions left there for a user with a profile and a turn that waits. Its code is a stand-in.
"""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from infra.local.assembly import Asset, SynthesisedStack
from infra.local.deploy import deploy

if TYPE_CHECKING:
    from collections.abc import Iterator

    from infra.local.emulated import Emulated

FOLDER = Path(__file__).parents[1] / "infra" / "part_a"
CONCERNS = ("storage", "queues", "access", "service")
USER = "lena"
_KEPT_SECONDS = 60 * 86400


def template(concern: str) -> dict[str, Any]:
    """One of its four templates."""
    return dict(json.loads((FOLDER / f"{concern}.json").read_text()))


def state() -> dict[str, Any]:
    """What its functions had written; `VERSION` stands for the version id that the profile's object gets."""
    return dict(json.loads((FOLDER / "state.json").read_text()))


def deploy_part_a(emulated: Emulated, folder: Path) -> None:
    """Deploy its stacks, but nobody who takes doorbells: the one that rings is to be there for the next release."""
    code = folder / "code"
    code.mkdir()
    (code / "handler.py").write_text("def handler(event, context):\n    raise RuntimeError('a stand-in')\n")
    layers = folder / "layers"
    layers.mkdir()
    stacks = []
    for concern in CONCERNS:
        document = template(concern)
        document["Resources"] = {
            name: resource
            for name, resource in document["Resources"].items()
            if resource["Type"] != "AWS::Lambda::EventSourceMapping"
        }
        assets = tuple(
            Asset(source=code, zipped=True, bucket=bucket["Fn::Sub"], key=key) for bucket, key in _code(document)
        )
        stacks.append(SynthesisedStack(f"context-memory-local-{concern}", document, assets))
    deploy(emulated, stacks, {}, layers)


def write_state(emulated: Emulated) -> dict[str, Any]:
    """Write the user's data through the deployed resources; returns what stands there now."""
    names = emulated.names
    written = state()
    (profile,) = written["profiles"]
    version = emulated.s3.put_object(
        Bucket=names.profile_bucket,
        Key=profile["key"],
        Body=profile["body"].encode(),
        ContentType=profile["content_type"],
    )["VersionId"]
    for payload in written["work"]:
        emulated.s3.put_object(Bucket=names.work_bucket, Key=payload["key"], Body=payload["body"].encode())
    dynamodb = emulated.session.client("dynamodb", endpoint_url=emulated.endpoint_url)
    for item in written["items"]:
        if "version_id" in item:
            item["version_id"]["S"] = version
        if "expires_at" in item:
            item["expires_at"]["N"] = str(int(time.time()) + _KEPT_SECONDS)
        dynamodb.put_item(TableName=names.user_table, Item=item)
    dynamodb.close()
    doorbell = json.dumps(written["doorbell"])
    for queue in (names.turns_queue, names.dead_letter_queue):
        url = emulated.sqs.get_queue_url(QueueName=queue)["QueueUrl"]
        emulated.sqs.send_message(
            QueueUrl=url, MessageBody=doorbell, MessageGroupId="lena", MessageDeduplicationId="ring-0"
        )
    return written


def _code(document: dict[str, Any]) -> Iterator[tuple[dict[str, str], str]]:
    for resource in document["Resources"].values():
        place = resource["Properties"].get("Code") or resource["Properties"].get("Content") or {}
        if "S3Key" in place:
            yield place["S3Bucket"], place["S3Key"]
