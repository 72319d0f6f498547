"""`python -m infra.local keys --kind administrator`: keys of somebody else than the orchestrator of `outputs.json`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from infra.environments.local import ENVIRONMENT
from infra.local.callers import create_caller
from infra.local.emulated import Emulated

if TYPE_CHECKING:
    import argparse

    from infra.local.outputs import Outputs

KINDS = ("administrator", "reader")
"""New keys of an orchestrator would end those that `outputs.json` tells everybody."""


def add(parser: argparse.ArgumentParser, company_id: str) -> None:
    """Describe the arguments."""
    parser.add_argument("--kind", choices=KINDS, default=KINDS[0], help="what they open (default: %(default)s)")
    parser.add_argument(
        "--company", choices=sorted(ENVIRONMENT.companies), default=company_id, help="default: %(default)s"
    )


def caller_keys(outputs: Outputs, company_id: str, kind: str) -> str:
    """Fresh keys as `curl --user` takes them, `id:secret`; older ones of the same company and kind end here."""
    emulated = Emulated(endpoint_url=outputs.endpoint_url, account=outputs.account, region=outputs.region)
    made = create_caller(emulated, company_id=company_id, kind=kind)
    return f"{made.access_key_id}:{made.secret_access_key}"
