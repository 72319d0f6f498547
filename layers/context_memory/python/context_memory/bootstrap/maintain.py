"""What the function `maintain` needs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from context_memory.bootstrap import observability, shared

if TYPE_CHECKING:
    from collections.abc import Mapping

    from context_memory.application.maintain.healing import Heal
    from context_memory.application.maintain.inspecting import Inspect
    from context_memory.application.maintain.naming import TellPseudonym
    from context_memory.application.maintain.redriving import Redrive

# ruff: noqa: PLC0415 - late imports are this package's purpose

_AT_ONCE = 8  # below the ten connections that each client keeps; enough to keep one processor busy


def maintain(environment: Mapping[str, str]) -> tuple[Heal, Redrive, Inspect, TellPseudonym]:
    """What the function `maintain` needs.

    Raises:
        SettingsError: names the variable that is missing or wrong.
    """
    from datetime import timedelta
    from functools import partial

    from context_memory.adapters.pseudonyms import pseudonym
    from context_memory.adapters.s3.directory import S3Directory
    from context_memory.adapters.s3.turn_payloads import S3TurnPayloads
    from context_memory.adapters.sqs import SqsDoorbells
    from context_memory.adapters.sts import Role
    from context_memory.adapters.system import SystemClock
    from context_memory.application.commit.sweeping import Sweep
    from context_memory.application.maintain.healing import Heal
    from context_memory.application.maintain.inspecting import Inspect
    from context_memory.application.maintain.naming import TellPseudonym
    from context_memory.application.maintain.redriving import Redrive
    from context_memory.settings import MaintainSettings

    settings = MaintainSettings.read(environment)
    clients = shared.clients()
    credentials = shared.credentials(
        clients,
        {
            Role.WRITE: settings.write_role_arn,
            Role.ERASE: settings.erase_role_arn,
            Role.LISTER: settings.lister_role_arn,
        },
    )
    telemetry, clock = observability.telemetry("maintain", clients, settings), SystemClock()
    table = shared.user_table(clients, credentials, settings.user_table, Role.WRITE)
    doorbells = SqsDoorbells(client=clients.bells, queue_url=settings.turns_queue_url, own_role=clients.own_role)
    budgets = shared.budgets(clients, settings.company_table, clock)
    heal = Heal(
        directory=S3Directory(
            client=clients.s3,
            bucket=settings.work_bucket,
            profile_bucket=settings.profile_bucket,
            root_folder=settings.root_folder,
            credentials=credentials,
            own_role=clients.own_role,
        ),
        table=table,
        payloads=S3TurnPayloads(client=clients.s3, bucket=settings.work_bucket, credentials=credentials),
        doorbells=doorbells,
        sweep=Sweep(
            objects=shared.profiles(clients, credentials, settings.profile_bucket, settings.root_folder, Role.WRITE),
            table=table,
            clock=clock,
            telemetry=telemetry,
            age=timedelta(seconds=settings.sweep_age_seconds),
        ),
        switches=shared.switches(clients, settings, shared.flags(clients, settings, telemetry)),
        ladder=shared.ladder(budgets, settings, clock, telemetry),
        clock=clock,
        telemetry=telemetry,
        at_once=_AT_ONCE,
    )
    redrive = Redrive(table=table, doorbells=doorbells, telemetry=telemetry)
    hasher = shared.hasher(clients, settings.hash_secret_arn)
    tell = TellPseudonym(pseudonym=partial(pseudonym, hasher), telemetry=telemetry)
    return heal, redrive, Inspect(table=table, telemetry=telemetry), tell
