"""Subscriptions of log groups that lead to Firehose, which the emulator keeps in mind and never follows.

Only patterns that ask whether one member of a JSON line is true are understood, for no other is deployed.
What Firehose would unpack on the way arrives unpacked: one line a record.
"""

from __future__ import annotations

import base64
import json
import re
from typing import Any

_IS_TRUE = re.compile(r"\{ *\$\.(\w+) IS TRUE *\}")
_STREAM = ":deliverystream/"


def install(logs: Any, firehose: Any) -> None:
    """Pass on the lines that a subscription asks for, after whatever the emulator does with them itself."""
    stock = logs._fanout_to_subscription_filters

    def fan_out(group: str, stream: str, events: Any) -> None:
        stock(group, stream, events)
        for subscription in ((logs._log_groups.get(group) or {}).get("subscriptionFilters") or {}).values():
            _, leads_to_firehose, name = subscription.get("destinationArn", "").partition(_STREAM)
            lines = wanted(subscription.get("filterPattern", ""), [event.get("message", "") for event in events or ()])
            if leads_to_firehose and lines:
                data = base64.b64encode("".join(f"{line}\n" for line in lines).encode()).decode()
                firehose._put_record({"DeliveryStreamName": name, "Record": {"Data": data}})

    logs._fanout_to_subscription_filters = fan_out


def wanted(pattern: str, lines: list[str]) -> list[str]:
    """The lines that a pattern asks for; none when it is of another kind."""
    asked = _IS_TRUE.fullmatch(pattern.strip())
    return [line for line in lines if asked and _member(line, asked[1]) is True]


def _member(line: str, name: str) -> object:
    try:
        document = json.loads(line)
    except ValueError:
        return None
    return document.get(name) if isinstance(document, dict) else None
