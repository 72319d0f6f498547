"""Tokens that are known here and nowhere else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from context_memory.domain.errors import IssuerUnavailable, UserTokenInvalid

if TYPE_CHECKING:
    from collections.abc import Mapping

    from context_memory.adapters.in_memory.system import ManualClock


class InMemoryUserTokens:
    """`UserTokens` that knows the tokens which it gave out itself.

    Args:
        clock: decides when a token ends.
    """

    def __init__(self, *, clock: ManualClock) -> None:
        self.out_of_reach = False
        self._clock = clock
        self._given: dict[str, Mapping[str, object]] = {}

    def sign(self, claims: Mapping[str, object]) -> str:
        """A token with these claims; `exp` is in seconds of Unix time."""
        token = f"token-{len(self._given)}"
        self._given[token] = claims
        return token

    def claims(self, token: str) -> Mapping[str, object]:
        """What a token given out here says, until its time is over."""
        if self.out_of_reach:
            raise IssuerUnavailable("The issuer is out of reach.")
        claims = self._given.get(token, {})
        ends = claims.get("exp")
        if not isinstance(ends, int) or self._clock.now().timestamp() >= ends:
            raise UserTokenInvalid("The token is not valid.")
        return claims
