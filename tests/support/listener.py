"""Somebody who listens to the bus of the deployed service, as a company would: a rule, and a queue behind it."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Self
from uuid import uuid4

from tests.support.deployed import eventually

if TYPE_CHECKING:
    from mypy_boto3_events import EventBridgeClient

    from tests.support.deployed import Deployed, Somebody


@dataclass
class Listener:
    """Hears everything that the service puts on its bus while it is open."""

    deployed: Deployed
    name: str = field(default_factory=lambda: f"listener-{uuid4().hex[:8]}")
    url: str = ""
    _heard: list[dict[str, Any]] = field(default_factory=list)

    @property
    def bus(self) -> str:
        """Name of the bus."""
        return self.deployed.local.emulated.names.event_bus

    def __enter__(self) -> Self:
        sqs = self.deployed.local.emulated.sqs
        self.url = sqs.create_queue(QueueName=self.name)["QueueUrl"]
        arn = sqs.get_queue_attributes(QueueUrl=self.url, AttributeNames=["QueueArn"])["Attributes"]["QueueArn"]
        self._events.put_rule(
            Name=self.name, EventBusName=self.bus, EventPattern=json.dumps({"source": ["context-memory"]})
        )
        self._events.put_targets(Rule=self.name, EventBusName=self.bus, Targets=[{"Id": "queue", "Arn": arn}])
        return self

    def __exit__(self, *_: object) -> None:
        self._events.remove_targets(Rule=self.name, EventBusName=self.bus, Ids=["queue"])
        self._events.delete_rule(Name=self.name, EventBusName=self.bus)
        self.deployed.local.emulated.sqs.delete_queue(QueueUrl=self.url)
        self._events.close()

    def heard(self, somebody: Somebody, number: int = 1) -> list[dict[str, Any]]:
        """The first `number` events or more about a user, once there are as many."""
        return eventually(lambda: self.so_far(somebody), lambda events: len(events) >= number)

    def so_far(self, somebody: Somebody) -> list[dict[str, Any]]:
        """The events about a user that have come, in the order of their coming."""
        sqs = self.deployed.local.emulated.sqs
        while messages := sqs.receive_message(QueueUrl=self.url, MaxNumberOfMessages=10).get("Messages", []):
            for message in messages:
                self._heard.append(json.loads(message["Body"]))
                sqs.delete_message(QueueUrl=self.url, ReceiptHandle=message["ReceiptHandle"])
        return [event for event in self._heard if event["detail"]["user_id"] == somebody.key.user_id]

    @property
    def _events(self) -> EventBridgeClient:
        emulated = self.deployed.local.emulated
        return emulated.session.client("events", endpoint_url=emulated.endpoint_url)
