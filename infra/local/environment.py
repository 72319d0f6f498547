"""The local environment as a context manager, for the command line, the demo and tests.

    with LocalEnvironment(outputs=tmp_path, variables={"WAIT_SECONDS_MAX": "2", "SWEEP_AGE_SECONDS": "0"}) as local:
        local.outputs.api_url, local.outputs.caller, local.emulated.s3, local.log()

Entering starts an emulator on a free port, deploys the synthesised stacks and starts the offline model where no
endpoint is given; leaving ends all of it, functions under way included. Several may run beside each other.
"""

from __future__ import annotations

import os
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Self

from infra.environments import LOCAL
from infra.environments.local import ISSUER, PAGE
from infra.layers.places import VOCABULARY
from infra.local.assembly import stacks, synthesise
from infra.local.callers import create_caller
from infra.local.deploy import deploy, destroy
from infra.local.emulated import Emulated
from infra.local.emulator_process import ACCOUNT, REGION, emulator
from infra.local.issuer.process import KEY_FILE, issuer
from infra.local.models import (
    EmbeddingEndpoint,
    ModelEndpoint,
    local_embeddings,
    named_embeddings,
    named_endpoint,
    offline_model,
)
from infra.local.outputs import FILE_NAME, Caller, Outputs
from infra.local.page.process import page, tell
from infra.local.paths import OUTPUTS
from infra.local.processes import free_port
from infra.operate.switchboard import IMMEDIATE, Switchboard

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from types import TracebackType

    from infra.local.cloudformation import Change
    from infra.local.processes import Child
    from infra.names import Names

COMPANY = "acme"
_API_ID = "ApiId"


class LocalEnvironment:
    """Runs while it is entered. Needs `make setup` and `make layers` before.

    Args:
        port: of the emulator; None takes a free one.
        state: folder that keeps data from run to run; None forgets.
        outputs: folder for `outputs.json` and logs; give tests one of their own.
        model: endpoint for every call of a model; None takes the one named by OPENAI_BASE_URL, OPENAI_API_KEY and
            CONTEXT_MEMORY_MODEL, else starts the offline model.
        embeddings: endpoint for every embedding; None takes the model named by CONTEXT_MEMORY_EMBEDDING_MODEL at the
            named endpoint, else starts the embedding model of this machine. With a `model` of its own and no
            `embeddings` there are none.
        variables: values for environment variables of the functions, where a function has a variable of that name.
        say: is told of each step.

    Raises (on entering):
        StartFailed: a process did not start. SynthesisFailed, DeployFailed: see there.
        ModelNotNamed: an endpoint without a model.
    """

    def __init__(
        self,
        *,
        port: int | None = None,
        state: Path | None = None,
        outputs: Path = OUTPUTS,
        model: ModelEndpoint | None = None,
        embeddings: EmbeddingEndpoint | None = None,
        variables: Mapping[str, str] | None = None,
        say: Callable[[str], None] = lambda _line: None,
    ) -> None:
        self._port = port
        self._state = state
        self._folder = outputs
        self._model = model
        self._embeddings = embeddings
        self._variables = dict(variables or {})
        self._say = say
        self._running = ExitStack()
        self._emulator: Child | None = None
        self.outputs: Outputs
        self.emulated: Emulated

    def __enter__(self) -> Self:
        """Start and deploy."""
        with ExitStack() as starting:
            self._start(starting)
            self._running = starting.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End everything that was started."""
        self._running.close()

    @property
    def alive(self) -> bool:
        """Whether the emulator still runs."""
        return self._emulator is not None and self._emulator.alive

    def caller(self, company_id: str, kind: str = "orchestrator") -> Caller:
        """Keys of somebody who may call the API for `company_id` alone, and only what such a `kind` may."""
        return create_caller(self.emulated, company_id=company_id, kind=kind)

    def deploy(self) -> dict[str, Change]:
        """Deploy the stacks as they are synthesised, over what is there; returns what that meant for each concern.

        Raises:
            DeployFailed: a stack did not reach a complete state.
        """
        self._say("deploy the stacks")
        deployed = deploy(
            self.emulated,
            self._assembly,
            self._function_variables(),
            self._unpacked_layers,
            literals={ISSUER: self._issuer_url, PAGE: self._page_url},
        )
        for name, stack in deployed.items():
            self._say(f"  {name}: {stack.change}")
        self._api_id = next(stack.outputs[_API_ID] for stack in deployed.values() if _API_ID in stack.outputs)
        names = self.emulated.names
        for secret in (names.model_key_secret, names.embedding_key_secret):
            self.emulated.secrets.put_secret_value(SecretId=secret, SecretString=self._endpoint.api_key)
        self._switch_on(Switchboard(self.emulated.appconfig, names))
        self.outputs = self._describe(names)
        tell(self._folder, api_url=self.outputs.api_url, issuer_url=self._issuer_url)
        self.outputs.write(self._folder)
        return {name.removeprefix(names.plain("")): stack.change for name, stack in deployed.items()}

    def destroy(self, *concerns: str) -> None:
        """Delete the stacks of these concerns, such as `service`; what holds data need not be among them.

        Raises:
            DeployFailed: a stack is protected, or something in it would not go.
        """
        names = self.emulated.names
        chosen = {names.plain(concern) for concern in concerns}
        destroy(self.emulated, [stack for stack in self._assembly if stack.name in chosen])

    def log(self) -> str:
        """What the emulator and all functions have written so far."""
        return Path(self.outputs.log_file).read_text(errors="replace")

    def _start(self, running: ExitStack) -> None:
        endpoint = self._model or named_endpoint(os.environ)
        embeddings = self._embeddings or named_embeddings(os.environ, endpoint)
        if embeddings is None and self._model is None:
            self._say("start the embedding model of this machine")
            embeddings = running.enter_context(local_embeddings(self._folder / "embedding-model.log"))
        self._say("synthesise the stacks (half a minute when they changed)")
        assembly = stacks(synthesise())
        if endpoint is None:
            self._say("start the offline model: a stand-in that answers by rules and needs no key")
            endpoint = running.enter_context(offline_model(self._folder / "offline-model.log"))
        self._page_url = running.enter_context(page(self._folder, free_port()))
        issuer_url = running.enter_context(issuer(self._folder, redirects=[f"{self._page_url}/"]))
        port = self._port or free_port()
        log = self._folder / "emulator.log"
        self._say(f"start the emulator on port {port}")
        started = running.enter_context(emulator(port, state=self._state, log=log))
        self._emulator = started.process
        self.emulated = Emulated(f"http://localhost:{port}", ACCOUNT, REGION)
        self._assembly, self._issuer_url = assembly, issuer_url
        self._endpoint, self._embedded_at = endpoint, embeddings
        self._unpacked_layers, self._log = started.unpacked_layers, log
        running.callback((self._folder / FILE_NAME).unlink, missing_ok=True)
        self.deploy()

    @staticmethod
    def _switch_on(switchboard: Switchboard) -> None:
        """Give the company a memory, unless somebody has decided about it in an earlier run."""
        if COMPANY not in switchboard.companies(switchboard.in_force().version):
            everything = {"context_memory": True, "context_memory_with_web_search": True}
            switchboard.switch(COMPANY, everything, speed=IMMEDIATE)

    def _function_variables(self) -> dict[str, str]:
        """What is known only on this machine: the model, the tokenizer's folder, and whatever the caller wants."""
        endpoint = self._endpoint
        return {
            "MODEL_BASE_URL": endpoint.base_url,
            "GATE_MODEL": endpoint.model,
            "CONSOLIDATION_MODEL": endpoint.model,
            "SCRUB_MODEL": endpoint.model,
            "SMALL_MODEL": endpoint.model,
            "EXTRACTION_MODEL": endpoint.model,
            **(self._embedded_at.variables if self._embedded_at else {"EMBEDDING_MODEL": ""}),
            "TIKTOKEN_CACHE_DIR": str(VOCABULARY),
            **self._variables,
        }

    def _describe(self, names: Names) -> Outputs:
        def queue_url(queue: str) -> str:
            return self.emulated.sqs.get_queue_url(QueueName=queue)["QueueUrl"]

        endpoint_url = self.emulated.endpoint_url
        return Outputs(
            # Without the stage, which the emulator takes as read: `$` is signed in different ways by different clients.
            api_url=f"{endpoint_url}/_aws/execute-api/{self._api_id}",
            profile_bucket=names.profile_bucket,
            work_bucket=names.work_bucket,
            user_table=names.user_table,
            company_table=names.company_table,
            queue_url=queue_url(names.turns_queue),
            dead_letter_queue_url=queue_url(names.dead_letter_queue),
            region=REGION,
            account=ACCOUNT,
            company_id=COMPANY,
            caller=self.caller(COMPANY),
            issuer_url=self._issuer_url,
            page_url=f"{self._page_url}/",
            issuer_key_file=str((self._folder / KEY_FILE).resolve()),
            endpoint_url=endpoint_url,
            model_base_url=self._endpoint.base_url,
            model=self._endpoint.model,
            root_folder=LOCAL.root_folder,
            functions={function: names.function(function) for function in LOCAL.functions},
            log_file=str(self._log.resolve()),
        )


__all__ = ["COMPANY", "FILE_NAME", "Caller", "LocalEnvironment", "ModelEndpoint", "Outputs"]
