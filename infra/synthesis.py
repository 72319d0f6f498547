"""Builds the app of one environment: its stacks, in the order in which they depend on each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aws_cdk import App, Aws, Stack

from infra.environments.parts import Architecture
from infra.names import Names
from infra.stacks.access import AccessStack
from infra.stacks.audit import AuditStack
from infra.stacks.lance import LanceStack
from infra.stacks.page import PageStack
from infra.stacks.queues import QueuesStack
from infra.stacks.service import ServiceStack
from infra.stacks.storage import StorageStack
from infra.stacks.switches import SwitchesStack
from infra.stacks.watch import WatchStack

if TYPE_CHECKING:
    from infra.environments import Environment
    from infra.stacks.service import CodeFolders

HOLD_NOTHING = ("access", "service", "watch", "page", "lance")
"""Concerns whose stacks run or watch, and hold no data: they may be torn down and deployed again at any time."""


def add_stacks(app: App, environment: Environment, code: CodeFolders) -> dict[str, Stack]:
    """Define all stacks of an environment in `app`; returns them by concern."""
    names = Names(environment=environment.name, account=Aws.ACCOUNT_ID, region=Aws.REGION, partition=Aws.PARTITION)
    storage = StorageStack(app, names.plain("storage"), environment=environment, names=names)
    queues = QueuesStack(app, names.plain("queues"), environment=environment, names=names)
    access = AccessStack(app, names.plain("access"), environment=environment, names=names)
    switches = SwitchesStack(app, names.plain("switches"), environment=environment, names=names)
    audit = AuditStack(app, names.plain("audit"), environment=environment, names=names)
    service = ServiceStack(app, names.plain("service"), environment=environment, names=names, code=code)
    # Names are no references, so that the CDK sees no order: it is said here.
    access.add_stack_dependency(switches)
    for needed in (storage, queues, access, switches, audit):
        service.add_stack_dependency(needed)
    watch = WatchStack(app, names.plain("watch"), environment=environment, names=names)
    watch.add_stack_dependency(service)
    stacks: dict[str, Stack] = {
        "storage": storage,
        "queues": queues,
        "access": access,
        "switches": switches,
        "audit": audit,
        "service": service,
        "watch": watch,
    }
    if environment.lance:
        lance = LanceStack(app, names.plain("lance"), environment=environment, names=names, size=environment.lance)
        lance.add_stack_dependency(storage)
        stacks["lance"] = lance
    # The emulator serves no pages: beside it stands a server of ours, with the same files and headers.
    if environment.page and environment.oidc and environment.architecture is not Architecture.HOST:
        page = PageStack(
            app,
            names.plain("page"),
            environment=environment,
            names=names,
            page=environment.page,
            oidc=environment.oidc,
        )
        page.add_stack_dependency(service)
        stacks["page"] = page
    return stacks
