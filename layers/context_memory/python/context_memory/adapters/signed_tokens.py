"""Users' tokens as signed JSON web tokens. What a stranger wrote is judged here; its value never travels on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import jwt

from context_memory.adapters.issuer_keys import ALGORITHMS
from context_memory.domain.errors import UserTokenInvalid

if TYPE_CHECKING:
    from collections.abc import Mapping

    from context_memory.adapters.issuer_keys import IssuerKeys

# Beside its own errors PyJWT lets through what reading numbers and nested lists of a stranger can raise.
_UNREADABLE = (jwt.PyJWTError, ValueError, TypeError, AttributeError, OverflowError, RecursionError)
LEEWAY_SECONDS = 30
"""How far the clocks of the issuer and ours may be apart."""


class SignedTokens:
    """`UserTokens` of one issuer.

    Args:
        issuer: its address, exactly as its tokens spell it.
        keys: those that it signs with.
    """

    def __init__(self, *, issuer: str, keys: IssuerKeys) -> None:
        self._issuer = issuer
        self._keys = keys
        self._reader = jwt.PyJWT(options={"enforce_minimum_key_length": True})

    def claims(self, token: str) -> Mapping[str, object]:
        """What a token says, once signature, issuer and times are checked; nothing else of it is.

        Raises:
            UserTokenInvalid: it is none of the issuer's, not yet valid or not any more.
            IssuerUnavailable: the issuer's keys are out of reach.
        """
        try:
            header = jwt.get_unverified_header(token)
            kid = header.get("kid") if header.get("alg") in ALGORITHMS else None
        except _UNREADABLE:
            kid = None
        # The header chooses among the issuer's own keys and nothing else: addresses and keys in it are not read.
        key = self._keys.key(kid) if isinstance(kid, str) else None
        if key is None:
            raise UserTokenInvalid("The token names no key that the issuer signs with.")
        try:
            return self._reader.decode(
                token,
                key,
                algorithms=ALGORITHMS,
                issuer=self._issuer,
                leeway=LEEWAY_SECONDS,
                # Which audiences count, and for whom, is no question of the signature.
                options={"require": ["exp", "iss"], "verify_aud": False, "verify_sub": False},
            )
        except _UNREADABLE as error:
            kind = type(error).__name__
        raise UserTokenInvalid(f"The token is not valid ({kind}).")
