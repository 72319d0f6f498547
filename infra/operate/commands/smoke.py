"""`smoke`: check what can only be seen on a deployed environment."""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import TYPE_CHECKING

from infra.operate.smoke import isolation, leftovers, memory, operations
from infra.operate.smoke.findings import Verdict, found_by
from infra.operate.smoke.probe import RESERVED_COMPANY, probe

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Mapping

    from infra.operate.smoke.findings import Finding
    from infra.operate.smoke.probe import Probe
    from infra.operate.target import Target

HELP = "check that it remembers, keeps people apart and would call for help; removes its own user again"
CHECKS: Mapping[str, Callable[[Probe], Finding]] = {
    "switches": operations.switches_are_read,
    "unsigned": isolation.refuses_unsigned,
    "other company": isolation.refuses_other_companies,
    "other spellings": isolation.refuses_other_spellings,
    "user-data roles": isolation.keeps_user_data_roles,
    "remember": memory.remembers,
    "recall": memory.recalls,
    "other user": memory.tells_nobody_else,
    "forget": memory.forgets,
    "alarms": operations.alarms_are_wired,
    "who is told": operations.somebody_is_told,
    "ringing": operations.nothing_rings,
    "dead letters": operations.nothing_is_given_up,
    "leftovers": leftovers.removes_its_own,
}
_PATIENCE = 180.0  # seconds: a real model takes ten for the chain, a cold start some more
_WIDTH = max(map(len, CHECKS))


def add(parser: argparse.ArgumentParser) -> None:
    """Arguments: as whom to call, and how long to wait."""
    parser.add_argument("--company", help=f"to speak for (default: {RESERVED_COMPANY!r})")
    parser.add_argument("--role", help="ARN of a role that may call for that company alone; default: what you are")
    parser.add_argument(
        "--wait", type=float, default=_PATIENCE, help="seconds a turn may take (default: %(default).0f)"
    )


def run(arguments: argparse.Namespace, target: Target) -> int:
    """Run every check and say what it found; 1 when any failed."""
    look = probe(target, company=arguments.company, role=arguments.role, patience=arguments.wait)
    print(f"{target.environment.name}, company {look.api.company}, user {look.user}")
    verdicts: Counter[Verdict] = Counter()
    try:
        for name, check in CHECKS.items():
            finding = found_by(partial(check, look))
            print(f"  {finding.verdict:<6}  {name:<{_WIDTH}}  {finding.sentence}", flush=True)
            verdicts[finding.verdict] += 1
    finally:
        look.api.close()
        look.own_api.close()
    print(f"{len(CHECKS)} checks, {verdicts[Verdict.FAILED]} failed, {verdicts[Verdict.OPEN]} open, for you to judge")
    return 1 if verdicts[Verdict.FAILED] else 0
