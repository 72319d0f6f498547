"""Does it remember in one chat, recall in another, tell nobody else, and erase all of it?"""

from __future__ import annotations

from datetime import UTC, datetime
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from infra.operate.smoke.findings import failed, ok, unseen

if TYPE_CHECKING:
    from infra.operate.smoke.findings import Finding
    from infra.operate.smoke.probe import Probe

SAID, WORD = "I live in Reykjavik.", "Reykjavik"


def remembers(probe: Probe) -> Finding:
    """A turn of one chat is consolidated."""
    turn = _told(probe, "remember", "chat-1", SAID)
    if (turn["status"], turn.get("outcome")) != ("done", "updated"):
        return failed(f"the turn ended {turn['status']}, outcome {turn.get('outcome')}, reason {turn.get('reason')}")
    calls = ", ".join(call["purpose"] for call in turn.get("usage") or [])
    return ok(f"a turn was consolidated ({calls})")


def recalls(probe: Probe) -> Finding:
    """Another chat of the same user gets what was said."""
    loaded = probe.api.load(probe.user)
    if not loaded["enabled"]:
        return failed(f"memory is off: {loaded.get('reason')}")
    if WORD not in (loaded.get("memory") or ""):
        return failed("another chat of the same user does not get what was said")
    return ok(f"another chat gets it, in {loaded.get('prompt_tokens')} tokens")


def tells_nobody_else(probe: Probe) -> Finding:
    """Another user of the same company gets nothing."""
    loaded = probe.api.load(probe.stranger)
    if loaded.get("memory") is not None or loaded.get("version") is not None:
        return failed("a user who never said anything has a memory")
    return ok("another user of the company has no memory")


def forgets(probe: Probe) -> Finding:
    """An erase, asked for with the operator's own credentials, takes effect at once and is answered with a receipt."""
    answer = probe.own_api.call("DELETE", f"{probe.api.path(probe.user)}/memory")
    if answer.status_code == HTTPStatus.FORBIDDEN:
        return unseen(
            "these credentials may not erase anybody: ask for it with the administrator policy of the company"
        )
    if answer.status_code != HTTPStatus.ACCEPTED:
        return failed(f"an erase was answered {answer.status_code}")
    receipt, loaded = answer.json(), probe.api.load(probe.user)
    if loaded.get("memory") is not None or loaded.get("reason") != "erase_running":
        return failed(f"it still has a memory after an erase (reason {loaded.get('reason')})")
    counts = receipt["counts"]
    return ok(
        f"{receipt['status']} receipt for {counts['versions']} versions and {sum(counts['items'].values())} items"
    )


def _told(probe: Probe, turn: str, chat: str, said: str) -> dict[str, Any]:
    at = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    probe.api.post(probe.user, turn, chat=chat, at=at, said=said)
    return probe.api.final(probe.user, turn, seconds=probe.patience)
