"""What a function is seen by: log lines, metrics, audit records."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from context_memory.bootstrap import shared

if TYPE_CHECKING:
    from context_memory.adapters.audit_log import AuditLog
    from context_memory.adapters.aws_clients import AwsClients
    from context_memory.adapters.powertools_telemetry import PowertoolsTelemetry
    from context_memory.ports.system import Clock
    from context_memory.ports.trust import Hasher

# ruff: noqa: PLC0415 - late imports are this package's purpose


class TelemetrySettings(Protocol):
    """What lines and metrics need of a function's settings."""

    @property
    def metrics_namespace(self) -> str:
        """Namespace of the environment's metrics."""

    @property
    def hash_secret_arn(self) -> str:
        """Secret with the key that users are hashed with."""


def telemetry(service: str, clients: AwsClients, settings: TelemetrySettings) -> PowertoolsTelemetry:
    """Lines and metrics of a function; the key that users are hashed with is fetched beside whatever comes next.

    Requests of `clients` to stores are measured from here on.
    """
    return _telemetry(service, clients, settings, _early_hasher(clients, settings.hash_secret_arn))


def telemetry_and_audit(
    service: str, clients: AwsClients, settings: TelemetrySettings, clock: Clock
) -> tuple[PowertoolsTelemetry, AuditLog]:
    """As `telemetry`, with the audit records of a function that people and orchestrators call: users have one hash."""
    from context_memory.adapters.audit_log import AuditLog

    hasher = _early_hasher(clients, settings.hash_secret_arn)
    lines = _telemetry(service, clients, settings, hasher)
    return lines, AuditLog(hasher=hasher, clock=clock, telemetry=lines)


def _telemetry(service: str, clients: AwsClients, settings: TelemetrySettings, hasher: Hasher) -> PowertoolsTelemetry:
    from context_memory.adapters.measured_stores import MeasuredStores
    from context_memory.adapters.powertools_telemetry import PowertoolsTelemetry

    telemetry = PowertoolsTelemetry(service=service, namespace=settings.metrics_namespace, hasher=hasher)
    clients.measure(MeasuredStores(telemetry))
    return telemetry


def _early_hasher(clients: AwsClients, hash_secret_arn: str) -> Hasher:
    from context_memory.adapters.secrets import KeyedHasher, SecretAhead

    def fetched() -> str:
        # The client is built here, in the thread that fetches.
        return shared.secret(clients, hash_secret_arn)()

    ahead = SecretAhead(fetched)
    ahead.begin()
    return KeyedHasher(ahead)
