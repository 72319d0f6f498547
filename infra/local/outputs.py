"""What somebody needs to know to use a running local environment: `outputs.json`."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

FILE_NAME = "outputs.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """Keys of somebody who may call the API for one company, and nothing else."""

    access_key_id: str
    secret_access_key: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Outputs:
    """Names, addresses and keys. `endpoint_url` is the emulator: any 12-digit access key is root there.

    Whoever reads `issuer_key_file` can make tokens of any user.
    """

    api_url: str
    profile_bucket: str
    work_bucket: str
    user_table: str
    company_table: str
    queue_url: str
    dead_letter_queue_url: str
    region: str
    account: str
    company_id: str
    caller: Caller
    issuer_url: str
    issuer_key_file: str
    page_url: str
    endpoint_url: str
    model_base_url: str
    model: str
    root_folder: str
    functions: dict[str, str]
    log_file: str

    def write(self, folder: Path) -> Path:
        """Write `outputs.json` into `folder`; whoever waits for it never sees half of it."""
        folder.mkdir(parents=True, exist_ok=True)
        path, fresh = folder / FILE_NAME, folder / f"{FILE_NAME}.new"
        fresh.touch(mode=0o600)  # it holds keys, if only of an emulator
        fresh.write_text(f"{json.dumps(asdict(self), indent=2)}\n")
        return fresh.replace(path)

    @classmethod
    def read(cls, folder: Path) -> Outputs:
        """Read what `write` wrote.

        Raises:
            FileNotFoundError: nothing runs with this folder.
        """
        values = json.loads((folder / FILE_NAME).read_text())
        return cls(**{**values, "caller": Caller(**values["caller"])})
