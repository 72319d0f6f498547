"""Erasing: by users and by administrators for one user, the receipt, and the switch that erases."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from context_memory.application.account.answers import settings_body
from context_memory.contracts.http import PRIVATE, answer
from context_memory.contracts.memory import SettingsBody

if TYPE_CHECKING:
    from context_memory.application.account.settings import ShowSettings
    from context_memory.application.account.web import Routes
    from context_memory.application.erase.requesting import RequestErase
    from context_memory.application.erase.sealing import Receipts
    from context_memory.application.erase.showing import ShowReceipt
    from context_memory.application.erase.switching import SwitchMemory
    from context_memory.contracts.http import Answer, Request
    from context_memory.domain.erasing import Erasure
    from context_memory.domain.ids import UserKey


@dataclass(frozen=True, slots=True, kw_only=True)
class ErasingRoutes:
    """Erase, receipt, settings. An erase is answered 202: what was in flight may still land, and is swept later."""

    erase: RequestErase
    show_receipt: ShowReceipt
    switch: SwitchMemory
    show_settings: ShowSettings
    receipts: Receipts

    @property
    def routes(self) -> Routes:
        """The group."""
        user = "/v1/companies/{company_id}/users/{user_id}"
        return {
            "DELETE /v1/me/memory": self.delete_memory,
            "GET /v1/me/erasure": self.get_erasure,
            "PUT /v1/me/settings": self.put_settings,
            f"DELETE {user}/memory": self.delete_memory,
            f"GET {user}/erasure": self.get_erasure,
        }

    def delete_memory(self, user: UserKey, _request: Request) -> Answer:
        """Erase; memory stays as it was, on or off."""
        return self._receipt(user, self.erase(user, off=False))

    def get_erasure(self, user: UserKey, _request: Request) -> Answer:
        """The newest receipt."""
        return answer(200, self.show_receipt(user), PRIVATE)

    def put_settings(self, user: UserKey, request: Request) -> Answer:
        """Turn memory on, or off for good."""
        body = SettingsBody.parse(request.body)
        erasure = self.switch(user, on=body.context_memory, confirmed=body.confirm)
        if erasure is not None:
            return self._receipt(user, erasure)
        return answer(200, settings_body(self.show_settings(user)), PRIVATE)

    def _receipt(self, user: UserKey, erasure: Erasure) -> Answer:
        return answer(202, self.receipts.of(user, erasure), PRIVATE)
