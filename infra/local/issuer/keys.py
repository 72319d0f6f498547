"""The issuer's key: made once per outputs folder, readable by its owner alone."""

from __future__ import annotations

import base64
import hashlib
import os
from typing import TYPE_CHECKING

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

if TYPE_CHECKING:
    from pathlib import Path

_BITS = 2048


def new_key() -> rsa.RSAPrivateKey:
    """A fresh RSA key."""
    return rsa.generate_private_key(public_exponent=65537, key_size=_BITS)


def kept_key(file: Path) -> rsa.RSAPrivateKey:
    """The key of a file; a new one where there is none yet."""
    if not file.exists():
        file.parent.mkdir(parents=True, exist_ok=True)
        fresh = file.with_suffix(".new")
        with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as output:
            output.write(_pem(new_key()))
        fresh.replace(file)
    return read_key(file)


def read_key(file: Path) -> rsa.RSAPrivateKey:
    """The key of a file.

    Raises:
        FileNotFoundError: no issuer has run with this folder.
    """
    key = serialization.load_pem_private_key(file.read_bytes(), password=None)
    if not isinstance(key, rsa.RSAPrivateKey):
        raise TypeError(f"{file} holds no RSA key")
    return key


def public_jwk(key: rsa.RSAPrivateKey) -> dict[str, str]:
    """The public half as a JSON Web Key; its id is a digest of it."""
    numbers = key.public_key().public_numbers()
    return {"kty": "RSA", "use": "sig", "alg": "RS256", "kid": key_id(key)} | {
        name: base64.urlsafe_b64encode(value.to_bytes((value.bit_length() + 7) // 8)).rstrip(b"=").decode()
        for name, value in (("n", numbers.n), ("e", numbers.e))
    }


def key_id(key: rsa.RSAPrivateKey) -> str:
    """16 hex digits that tell keys apart."""
    public = key.public_key().public_bytes(serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)
    return hashlib.sha256(public).hexdigest()[:16]


def _pem(key: rsa.RSAPrivateKey) -> bytes:
    return key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
