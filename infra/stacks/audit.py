"""Who reached for whose memory: it lasts, apart from all that it speaks of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from infra.components.audit_trail import AuditTrail
from infra.stacks.base import EnvironmentStack

if TYPE_CHECKING:
    from constructs import Construct

    from infra.environments import Environment
    from infra.names import Names


class AuditStack(EnvironmentStack):
    """The audit trail."""

    def __init__(self, scope: Construct, construct_id: str, *, environment: Environment, names: Names) -> None:
        super().__init__(scope, construct_id, environment=environment, description="audit trail", lasting=True)
        AuditTrail(
            self,
            "Trail",
            names=names,
            retention_days=environment.retention.audit,
            protected=environment.durable,
        )
