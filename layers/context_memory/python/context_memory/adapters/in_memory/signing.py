"""A signer with a real key of its own, drawn when it is built."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

if TYPE_CHECKING:
    from context_memory.adapters.in_memory.steps import Steps

KEY = "alias/receipts"


class InMemorySigner:
    """`Signer`; `public_key` is what checks its signatures, as PEM."""

    def __init__(self, *, steps: Steps) -> None:
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._steps = steps

    @property
    def public_key(self) -> bytes:
        """The public half."""
        public = self._key.public_key()
        return public.public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)

    @property
    def key(self) -> str:
        """Name of the key."""
        return KEY

    def sign(self, message: bytes) -> bytes:
        """The signature over some bytes."""
        with self._steps.step("signer.sign"):
            return self._key.sign(message, ec.ECDSA(hashes.SHA256()))
