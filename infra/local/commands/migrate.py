"""`context-memory migrate`: take a company's files at the legacy place into the service's own, with progress.

The work is a job of the service's; whoever stops watching stops nothing, and `--job` watches again.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from rich.text import Text

from infra.local.client import ServiceError, sentence_of
from infra.local.commands.shared import UsageError, add_place
from infra.operate.smoke.api import Api
from infra.operate.smoke.probe import api_url, credentials_of
from infra.operate.target import TargetError, target

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    import httpx
    from rich.console import Console

HELP = "take a company's old files into the service, user by user"

_OVER = frozenset({"done", "failed"})
_LOOKED_AT = frozenset({"unreadable", "failed"})
"""Results that somebody should look at: their users are named at the end."""


def add(parser: argparse.ArgumentParser) -> None:
    """Describe the arguments."""
    parser.add_argument("--company", required=True, help="the company's id; your credentials must administer it")
    parser.add_argument("--dry-run", action="store_true", help="only say what would be done")
    parser.add_argument("--job", metavar="ID", help="watch a job that was begun before, instead of beginning one")
    parser.add_argument("--env", default="local", help="the environment, as its file is named (default: %(default)s)")
    parser.add_argument(
        "--every", type=float, default=2.0, metavar="SECONDS", help="how often to look (default: %(default).0f)"
    )
    add_place(parser)


def run(arguments: argparse.Namespace, screen: Console) -> int:
    """Begin the job, show how far it is until it is over, and name whom it left; 1 when it failed with somebody."""
    try:
        place = target(arguments.env, arguments.outputs)
        api = Api(
            url=api_url(place),
            region=place.names.region,
            company=arguments.company,
            credentials=credentials_of(place.session),
        )
    except TargetError as error:
        raise UsageError(f"{str(error)[:1].upper()}{str(error)[1:]}.") from error
    try:
        job_id = arguments.job or _begun(api, dry_run=arguments.dry_run)
        if not arguments.job:
            screen.print(Text(f"job {job_id}"))
        job = _watched(api, job_id, screen, arguments.every)
        _tell_whom_it_left(api, job_id, screen)
    finally:
        api.close()
    return 0 if job["status"] == "done" else 1


def _begun(api: Api, *, dry_run: bool) -> str:
    asked = _answer(api.call("POST", f"/v1/companies/{api.company}/jobs", {"job": "migrate", "dry_run": dry_run}))
    return str(asked["job_id"])


def _watched(api: Api, job_id: str, screen: Console, every: float) -> dict[str, Any]:
    """The job once it is over; whenever it has come further a line says so."""
    told = None
    while True:
        job = _page(api, job_id, None)
        line = f"{job['status']}: {job['users']} users{_counted(job['counts'])}"
        if line != told:
            screen.print(Text(line))
            told = line
        if job["status"] in _OVER:
            return job
        time.sleep(every)


def _tell_whom_it_left(api: Api, job_id: str, screen: Console) -> None:
    for line in _lines(api, job_id):
        if line["result"] in _LOOKED_AT:
            screen.print(Text(f"  {line['user_id']}: {line['result']} ({line.get('error', 'no reason given')})"))


def _lines(api: Api, job_id: str) -> Iterator[dict[str, Any]]:
    after = None
    while True:
        page = _page(api, job_id, after)
        yield from page["report"]
        after = page["next"]
        if after is None:
            return


def _page(api: Api, job_id: str, after: str | None) -> dict[str, Any]:
    query = f"?after={after}" if after else ""
    return _answer(api.call("GET", f"/v1/companies/{api.company}/jobs/{job_id}{query}"))


def _counted(counts: dict[str, int]) -> str:
    return "".join(f", {count} {result.replace('_', ' ')}" for result, count in sorted(counts.items()))


def _answer(answer: httpx.Response) -> dict[str, Any]:
    if not answer.is_success:
        raise ServiceError(sentence_of(answer), answer.status_code)
    return dict(answer.json())
