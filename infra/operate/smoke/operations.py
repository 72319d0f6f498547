"""Would somebody be told, is anything given up, and can the switches be read?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from infra.operate.dead_letters.queue import DeadLetterQueue
from infra.operate.smoke.findings import failed, ok, unseen
from infra.operate.switchboard import Switchboard

if TYPE_CHECKING:
    from infra.operate.smoke.findings import Finding
    from infra.operate.smoke.probe import Probe


def alarms_are_wired(probe: Probe) -> Finding:
    """Every alarm of the environment tells a topic, or takes a deployment of switches back."""
    alarms = _alarms(probe)
    if not alarms:
        return failed("there are no alarms: is the stack that watches deployed?")
    guards = Switchboard(probe.target.client("appconfig"), probe.target.names).guards()
    silent = [alarm for alarm in alarms if not alarm.get("AlarmActions") and alarm["AlarmArn"] not in guards]
    if silent:
        return failed(f"these alarms tell nobody: {', '.join(alarm['AlarmName'] for alarm in silent)}")
    return ok(f"{len(alarms)} alarms, each tells a topic or takes switches back")


def somebody_is_told(probe: Probe) -> Finding:
    """The alarms' topics have a subscription that was confirmed."""
    topics = {action for alarm in _alarms(probe) for action in alarm.get("AlarmActions", ()) if ":sns:" in action}
    sns = probe.target.client("sns")
    confirmed = 0
    for topic in topics:
        pages = sns.get_paginator("list_subscriptions_by_topic").paginate(TopicArn=topic)
        subscriptions = [one["SubscriptionArn"] for page in pages for one in page["Subscriptions"]]
        confirmed += sum(1 for one in subscriptions if one.startswith("arn:"))
    if confirmed:
        return ok(f"{confirmed} confirmed subscriptions")
    if probe.target.environment.alarms.address is None:
        return unseen("the environment's file names nobody who is told of alarms")
    return failed("nobody has confirmed the subscription to the alarms")


def nothing_rings(probe: Probe) -> Finding:
    """No alarm rings; one that does may be older than this deployment, and is for a person to judge."""
    ringing = [alarm["AlarmName"] for alarm in _alarms(probe) if alarm["StateValue"] == "ALARM"]
    return unseen(f"ringing: {', '.join(ringing)}") if ringing else ok("no alarm rings")


def nothing_is_given_up(probe: Probe) -> Finding:
    """No dead letters; one that there is may be older than this deployment, and is for a person to judge."""
    count = DeadLetterQueue(probe.target).count()
    return unseen(f"{count} in the queue: look with `dead-letters list`") if count else ok("no dead letters")


def switches_are_read(probe: Probe) -> Finding:
    """The switches are deployed, and the company's memory is on."""
    switchboard = Switchboard(probe.target.client("appconfig"), probe.target.names)
    version = switchboard.in_force().version
    flags = switchboard.companies(version).get(probe.api.company, {})
    if not flags.get("context_memory"):
        return failed(f"memory is switched off for {probe.api.company}")
    return ok(f"version {version} of the switches is in force, memory is on")


def _alarms(probe: Probe) -> list[dict[str, Any]]:
    pages = (
        probe.target.client("cloudwatch")
        .get_paginator("describe_alarms")
        .paginate(AlarmNamePrefix=probe.target.names.plain(""), AlarmTypes=["MetricAlarm", "CompositeAlarm"])
    )
    return [alarm for page in pages for kind in ("MetricAlarms", "CompositeAlarms") for alarm in page.get(kind, ())]
