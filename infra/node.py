"""The Node that the CDK runs on: the one from PyPI in the project's own environment, so that none need be installed."""

from __future__ import annotations

import sysconfig
from pathlib import Path


def node_variables() -> dict[str, str]:
    """Environment variables that make the CDK use our Node and keep quiet about its version."""
    quiet = {
        "JSII_SILENCE_WARNING_UNTESTED_NODE_VERSION": "1",
        "JSII_SILENCE_WARNING_DEPRECATED_NODE_VERSION": "1",
        "JSII_SILENCE_WARNING_END_OF_LIFE_NODE_VERSION": "1",
    }
    node = Path(sysconfig.get_path("scripts")) / "node"
    return {**quiet, "JSII_NODE": str(node)} if node.exists() else quiet
