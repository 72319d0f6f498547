"""Administrators of companies, and callers for companies that no environment's file names, for deployed tests."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING
from uuid import uuid4

from botocore.credentials import Credentials

from context_memory.domain.ids import encode
from infra.operate.switchboard import IMMEDIATE, Switchboard

if TYPE_CHECKING:
    from collections.abc import Mapping

    import httpx

    from tests.support.deployed import Deployed


@dataclass(frozen=True)
class Administrator:
    """Somebody who administers a company, with the policy for that, or who signs with `signs`."""

    deployed: Deployed
    company_id: str
    signs: Credentials | None = None

    @cached_property
    def keys(self) -> Credentials:
        """What the administrator signs with."""
        if self.signs:
            return self.signs
        caller = self.deployed.local.caller(self.company_id, "administrator")
        return Credentials(caller.access_key_id, caller.secret_access_key)

    def call(
        self,
        method: str,
        below: str = "",
        body: Mapping[str, object] | None = None,
        *,
        if_match: str | None = None,
    ) -> httpx.Response:
        """One request below the company's path."""
        content = b"" if body is None else json.dumps(body).encode()
        headers = {} if if_match is None else {"if-match": if_match}
        path = f"/v1/companies/{self.company_id}{below}"
        return self.deployed.call(method, path, content=content, headers=headers, keys=self.keys)

    def get(self) -> httpx.Response:
        """What the company has set."""
        return self.call("GET")

    def put(self, body: Mapping[str, object], *, if_match: str | None = None) -> httpx.Response:
        """Set it."""
        return self.call("PUT", "", body, if_match=if_match)

    def register(self, space_id: str, body: Mapping[str, object], *, if_match: str | None = None) -> httpx.Response:
        """Register a space."""
        return self.call("PUT", f"/spaces/{encode(space_id)}", body, if_match=if_match)


def caller_of(deployed: Deployed, company_id: str) -> Credentials:
    """Somebody who may call for a company that the environment's file does not name."""
    iam, api = deployed.local.emulated.iam, deployed.local.outputs.api_url.rpartition("/")[2]
    company = f"arn:aws:execute-api:*:*:{api}/$default/*/v1/companies/{company_id}"
    statement = {"Effect": "Allow", "Action": "execute-api:Invoke", "Resource": [company, f"{company}/*"]}
    document = json.dumps({"Version": "2012-10-17", "Statement": [statement]})
    iam.create_user(UserName=company_id)
    iam.put_user_policy(UserName=company_id, PolicyName="invoke", PolicyDocument=document)
    key = iam.create_access_key(UserName=company_id)["AccessKey"]
    return Credentials(key["AccessKeyId"], key["SecretAccessKey"])


def switch(switchboard: Switchboard, company_id: str, *, on: bool, with_web_search: bool | None = None) -> None:
    """Switch a company's memory, at once; with web search as well, unless said otherwise."""
    searching = on if with_web_search is None else with_web_search
    change = {"context_memory": on, "context_memory_with_web_search": searching}
    assert switchboard.switch(company_id, change, speed=IMMEDIATE) is not None


def new_company() -> str:
    """An id that no test had before."""
    return f"company-{uuid4().hex[:8]}"
