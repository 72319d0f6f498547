"""Cuts botocore's descriptions of AWS down to what the functions call.

A client reads its service's whole model when it is built: every operation, every shape, and the documentation of each.
S3's is 1.4 MB of JSON for the seven operations we use.
"""

from __future__ import annotations

import gzip
import json
import shutil
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

OPERATIONS = {
    "appconfigdata": {"GetLatestConfiguration", "StartConfigurationSession"},
    "dynamodb": {"BatchGetItem", "DeleteItem", "GetItem", "PutItem", "Query", "TransactWriteItems", "UpdateItem"},
    "events": {"PutEvents"},
    "kms": {"Sign"},
    "lambda": {"Invoke"},
    "s3": {
        "DeleteObject",
        "DeleteObjects",
        "GetObject",
        "HeadBucket",  # botocore's own: where a bucket in another region is
        "HeadObject",
        "ListObjectVersions",
        "ListObjectsV2",
        "PutObject",
    },
    "secretsmanager": {"GetSecretValue"},
    "sqs": {"ChangeMessageVisibility", "SendMessage"},
    "sts": {"AssumeRole"},
}
"""What the adapters call, by service. A test compares it with their code."""

SERVICES = frozenset(OPERATIONS)
# What botocore reads beside the models of services.
_SHARED_DATA = frozenset({"partitions.json", "_retry.json", "sdk-default-configuration.json"})
_ENDPOINTS = "endpoints.json"
_MODEL = "service-2.json"
_EXTRAS = "service-2.sdk-extras.json"
_RULES = "endpoint-rule-set-1.json"
_PAGINATORS = "paginators-1.json"
_PROSE = frozenset({"documentation", "documentationUrl"})


def cut_models(data: Path) -> None:
    """Cut the folder `botocore/data`: one version a service, our operations with the shapes they reach, no prose."""
    endpoints = json.loads((data / _ENDPOINTS).read_bytes())
    for entry in data.iterdir():
        if entry.name in SERVICES:
            _cut_service(entry, OPERATIONS[entry.name])
        elif entry.name not in _SHARED_DATA:
            shutil.rmtree(entry) if entry.is_dir() else entry.unlink()
    _write(data / _ENDPOINTS, _cut_endpoints(endpoints))


def cut_model(model: dict[str, Any], operations: Iterable[str]) -> dict[str, Any]:
    """A service's model with these operations and the shapes that they reach.

    Raises:
        KeyError: the service has no such operation.
    """
    kept = {name: model["operations"][name] for name in sorted(operations)}
    shapes, reached = model["shapes"], dict[str, Any]()
    waiting = _shapes_of(kept)
    while waiting:
        name = waiting.pop()
        if name not in reached:
            reached[name] = shapes[name]
            waiting += _shapes_of(shapes[name])
    # Prose elsewhere is short, and botocore insists on that of `clientContextParams`.
    return model | {"operations": _without_prose(kept), "shapes": _without_prose(dict(sorted(reached.items())))}


def _cut_service(folder: Path, operations: Iterable[str]) -> None:
    *older, newest = sorted(folder.iterdir())
    for version in older:
        shutil.rmtree(version)
    model = cut_model(_read(newest / _MODEL), operations)
    rules, pages = _read(newest / _RULES), _read(newest / _PAGINATORS)
    paginated = {name: page for name, page in pages["pagination"].items() if name in model["operations"]}
    extras = newest / _EXTRAS
    added = _without_prose(json.loads(extras.read_bytes())) if extras.exists() else None
    for file in newest.iterdir():
        file.unlink()
    _write(newest / _MODEL, model)
    _write(newest / _RULES, _without_prose(rules))
    _write(newest / _PAGINATORS, pages | {"pagination": paginated})
    if added:
        _write(extras, added)


def _shapes_of(value: Any) -> list[str]:  # noqa: ANN401 - any JSON
    """Names of the shapes to which an operation or a shape refers, however deep."""
    if isinstance(value, list):
        return [name for one in value for name in _shapes_of(one)]
    if not isinstance(value, dict):
        return []
    own = [value["shape"]] if isinstance(value.get("shape"), str) else []
    return own + [name for one in value.values() for name in _shapes_of(one)]


def _without_prose(value: Any) -> Any:  # noqa: ANN401 - any JSON
    if isinstance(value, list):
        return [_without_prose(one) for one in value]
    if isinstance(value, dict):
        # A shape's member may bear such a name; prose is a string.
        return {name: _without_prose(one) for name, one in value.items() if name not in _PROSE or isinstance(one, dict)}
    return value


def _cut_endpoints(endpoints: dict[str, Any]) -> dict[str, Any]:
    def cut(partition: dict[str, Any]) -> dict[str, Any]:
        services = {name: where for name, where in partition["services"].items() if name in SERVICES}
        return partition | {"services": services}

    return endpoints | {"partitions": [cut(partition) for partition in endpoints["partitions"]]}


def _read(file: Path) -> dict[str, Any]:
    compressed = file.with_name(f"{file.name}.gz")
    content = gzip.decompress(compressed.read_bytes()) if compressed.exists() else file.read_bytes()
    return dict(json.loads(content))


def _write(file: Path, value: object) -> None:
    # Not compressed: what is left is read faster than it is unpacked.
    file.write_text(json.dumps(value, separators=(",", ":")))
