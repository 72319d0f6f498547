"""What operators do to a deployed environment, and what they might try beside it. Rights and places."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.access_places import Named
from tests.support.access_rights import NEEDED, QUEUE_ACTIONS, RING, RING_FACTS, SEND_JOBS

if TYPE_CHECKING:
    from tests.support.access_places import Place
    from tests.support.access_rights import Right


_SWITCHES = {
    "switches' application": "application/flags",
    "switches' environment": "application/flags/environment/ours",
    "switches' document": "application/flags/configurationprofile/companies",
    "version of switches": "application/flags/configurationprofile/companies/hostedconfigurationversion/3",
    "rollout of switches": "application/flags/environment/ours/deployment/4",
}
_STRATEGIES = {
    f"{speed} rollouts": f"deploymentstrategy/context-memory-{{environment}}-{speed}"
    for speed in ("gradual", "immediate")
}
_READ_SWITCHES = (
    *("ListEnvironments", "GetEnvironment", "ListConfigurationProfiles", "ListDeployments", "GetDeployment"),
    *("ListHostedConfigurationVersions", "GetHostedConfigurationVersion"),
)
_MOVE_SWITCHES = ("CreateHostedConfigurationVersion", "StartDeployment", "StopDeployment")
_READ_LINES = ("DescribeLogStreams", "FilterLogEvents", "GetLogEvents", "StartQuery", "GetQueryResults")
_LOGGING = (*(f"/aws/lambda/context-memory-{{environment}}-{function}" for function in NEEDED),)
_ACCESS_LOG = "/aws/vendedlogs/context-memory-{environment}-access"
OPERATOR_RIGHTS: frozenset[Right] = frozenset(
    {
        *((f"appconfig:{action}", "everything") for action in ("ListApplications", "ListDeploymentStrategies")),
        *((f"appconfig:{action}", kind) for action in _READ_SWITCHES for kind in _SWITCHES),
        *((f"appconfig:{action}", kind) for action in _MOVE_SWITCHES for kind in _SWITCHES if "version" not in kind),
        *(("appconfig:StartDeployment", kind) for kind in _STRATEGIES),
        *(
            (f"sqs:{action}", kind)
            for action in ("GetQueueUrl", *QUEUE_ACTIONS[1:5])
            for kind in ("dead-letter queue", "dead facts' queue", "dead jobs' queue")
        ),
        *(("sqs:GetQueueUrl", kind) for kind in ("turns queue", "facts queue", "jobs queue")),
        *(RING, RING_FACTS, SEND_JOBS),
        ("lambda:InvokeFunction", "maintain"),
        ("cloudwatch:DescribeAlarms", "alarms"),
        ("sns:ListSubscriptionsByTopic", "topic of alarms"),
        *((f"logs:{action}", group) for action in _READ_LINES for group in (*_LOGGING, _ACCESS_LOG)),
        ("cloudformation:DescribeStacks", "stack of the service"),
    }
)
"""What whoever operates may do, beside nothing that is a user's."""


def operations() -> dict[Right, Place]:
    """What operators do, and what they might try beside it."""
    ours = "context-memory-{environment}"
    functions = {"maintain": f"function:{ours}-maintain", "another maintain": f"function:{ours}-maintain2"}
    functions |= {function: f"function:{ours}-{function}" for function in NEEDED}
    switches = _SWITCHES | {f"what looks like {kind}": f"{path}2" for kind, path in _SWITCHES.items() if path[-1] > "9"}
    groups = {group: group for group in (*_LOGGING, _ACCESS_LOG)}
    groups |= {f"what looks like {group}": f"{group}2" for group in groups}
    return {
        **{
            (f"appconfig:{action}", kind): Named("appconfig", path)
            for kind, path in switches.items()
            for action in (*_READ_SWITCHES, *_MOVE_SWITCHES, "DeleteConfigurationProfile", "UpdateEnvironment")
        },
        **{
            (f"appconfig:{action}", kind): Named("appconfig", path)
            for strategy, name in _STRATEGIES.items()
            for kind, path in ((strategy, name), (f"what looks like {strategy}", f"{name}2"))
            for action in ("StartDeployment", "UpdateDeploymentStrategy")
        },
        **{
            (f"appconfig:{action}", "everything"): Named("appconfig", "*")
            for action in ("ListApplications", "ListDeploymentStrategies", "CreateApplication")
        },
        **{
            (f"sqs:{action}", f"{kind} queue"): Named("sqs", f"{ours}-{name}")
            for kind, name in (
                *(("turns", "turns.fifo"), ("dead-letter", "turns-dead.fifo")),
                *(("facts", "facts.fifo"), ("dead facts'", "facts-dead.fifo")),
                *(("jobs", "jobs"), ("dead jobs'", "jobs-dead")),
            )
            for action in (*QUEUE_ACTIONS, "GetQueueUrl", "SetQueueAttributes")
        },
        **{
            (f"lambda:{action}", kind): Named("lambda", name)
            for kind, name in functions.items()
            for action in ("InvokeFunction", "UpdateFunctionCode", "GetFunction")
        },
        **{
            (f"cloudwatch:{action}", kind): Named("cloudwatch", f"alarm:{name}")
            for kind, name in (("alarms", "context-memory"), ("any alarm", "any"))
            for action in ("DisableAlarmActions", "PutMetricAlarm")
        },
        **{
            (f"sns:{action}", kind): Named("sns", name)
            for kind, name in (("topic of alarms", f"{ours}-alarms"), ("another topic", f"{ours}-alarms2"))
            for action in ("ListSubscriptionsByTopic", "Subscribe", "Publish")
        },
        **{
            (f"logs:{action}", kind): Named("logs", f"log-group:{group}:log-stream:s")
            for kind, group in groups.items()
            for action in (*_READ_LINES, "PutLogEvents", "DeleteLogStream")
        },
        **{
            (f"cloudformation:{action}", kind): Named("cloudformation", f"stack/{ours}-{name}/id")
            for kind, name in (("stack of the service", "service"), ("another stack", "service2"))
            for action in ("DescribeStacks", "DeleteStack")
        },
    }
