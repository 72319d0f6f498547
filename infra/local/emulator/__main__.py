"""Run the emulator's own command, patched: `python -m infra.local.emulator`.

Environment variables are the emulator's, and

MINISTACK_ASSUME_TLS=1          plain HTTP on this machine counts as TLS
MINISTACK_SIGNED_HOST=host:port verify signatures against this host (a proxy in front rewrites it)
MINISTACK_UNPACKED_LAYERS=DIR   share unpacked layers there

It stops cleanly when the process that started it is gone.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import os
import sys
from pathlib import Path

from infra.local.emulator import (
    browsers,
    concurrent_groups,
    configurations,
    decided_as,
    layer_cache,
    leading_keys,
    log_streams,
    missing_keys,
    policy_variables,
    principal_keys,
    transport,
    unsigned_calls,
)
from infra.local.tether import stop_with_parent

# Another version is refused on purpose: an upgrade is a deliberate act, with the isolation tests run again.
SUPPORTED = "1.5.33"


def main() -> int:
    """Patch the emulator and run it until it is told to stop."""
    version = importlib.metadata.version("ministack")
    if version != SUPPORTED:
        sys.stderr.write(f"emulator: written for ministack {SUPPORTED}, found {version}\n")
        return 1
    evaluator = importlib.import_module("ministack.core.iam_evaluator")
    policy_variables.install(evaluator)
    principal_keys.install(evaluator)
    actions = importlib.import_module("ministack.core.iam_actions")
    leading_keys.install(actions)
    decided_as.install(actions)
    configurations.install(actions, importlib.import_module("ministack.services.appconfig"))
    missing_keys.install(evaluator)
    concurrent_groups.install(importlib.import_module("ministack.services.lambda_svc"))
    unsigned_calls.install(importlib.import_module("ministack.services.apigateway"))
    browsers.install(importlib.import_module("ministack.services.apigateway"))
    log_streams.install(
        importlib.import_module("ministack.services.cloudwatch_logs"),
        importlib.import_module("ministack.services.firehose"),
    )
    if folder := os.environ.get("MINISTACK_UNPACKED_LAYERS"):
        layer_cache.install(importlib.import_module("ministack.core.lambda_runtime"), Path(folder))
    # These two before the application, which binds the names when it is imported.
    if os.environ.get("MINISTACK_ASSUME_TLS") == "1":
        transport.assume_tls(evaluator)
    if host := os.environ.get("MINISTACK_SIGNED_HOST"):
        transport.verify_against(evaluator, host)
    stop_with_parent()
    importlib.import_module("ministack.app").main()
    return 0


if __name__ == "__main__":
    sys.exit(main())
