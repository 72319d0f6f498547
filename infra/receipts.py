"""Checking receipts of erasures, as anybody can who has the public key: digest, signature, and what they attest."""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
from typing import TYPE_CHECKING, Any

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    PublicFormat,
    load_der_public_key,
    load_pem_public_key,
)

if TYPE_CHECKING:
    from infra.operate.target import Target

FORMAT = "context-memory/receipt"
_SIGNED_FIELDS = frozenset({"digest", "signature"})


class ReceiptError(Exception):
    """A receipt that attests nothing, or a key that checks none; the message says why."""


def checked(document: bytes, key: bytes) -> dict[str, Any]:
    """Read a receipt that is whole and was signed with the key.

    Args:
        document: the receipt as JSON.
        key: the public key as PEM.

    Raises:
        ReceiptError: it is no receipt, unsigned, was changed, or was signed with another key.
    """
    receipt = _read(document)
    canonical = _canonical({name: value for name, value in receipt.items() if name not in _SIGNED_FIELDS})
    if receipt.get("digest") != hashlib.sha256(canonical).hexdigest():
        raise ReceiptError("it was changed: its digest does not fit")
    if receipt.get("signature") is None:
        raise ReceiptError("it is not signed yet: the first sweep was still under way")
    try:
        signature = base64.b64decode(str(receipt["signature"]), validate=True)
        _loaded(key).verify(signature, canonical, ec.ECDSA(hashes.SHA256()))
    except (InvalidSignature, binascii.Error):
        raise ReceiptError("it was changed, or another key signed it: its signature does not fit") from None
    return receipt


def public_key(target: Target) -> bytes:
    """The key of an environment's receipts, as PEM."""
    found = target.client("kms").get_public_key(KeyId=target.names.receipts_key)["PublicKey"]
    return load_der_public_key(found).public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)


def attested(receipt: dict[str, Any]) -> list[str]:
    """What a checked receipt says, in sentences."""
    counts = receipt["counts"]
    items = sum(counts["items"].values())
    return [
        f"{receipt['status']} receipt {receipt['receipt_id']}, signed with {receipt['key']}",
        f"user {receipt['user_id']} of {receipt['company_id']} was erased into epoch {receipt['epoch']}",
        f"asked for at {receipt['requested_at']}",
        f"swept at {receipt['first_sweep_at']}, and again at {receipt['second_sweep_at'] or '(not yet)'}",
        f"deleted at least {counts['versions']} versions, {counts['payloads']} payloads and {items} items",
        f"a probe at {receipt['probe']['at']} found {receipt['probe']['found']}",
        f"what stays: {', '.join(receipt['tombstone']['stays'])}",
        f"the last backup expires on {receipt['backups_expire_on'] or '(there are none)'}",
    ]


def _read(document: bytes) -> dict[str, Any]:
    try:
        receipt = json.loads(document)
    except ValueError:
        raise ReceiptError("it is no JSON document") from None
    if not isinstance(receipt, dict) or receipt.get("format") != FORMAT or receipt.get("version") != 1:
        raise ReceiptError("it is no receipt that this release knows")
    return receipt


def _canonical(stated: dict[str, Any]) -> bytes:
    text = json.dumps(stated, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return text.encode(errors="surrogatepass")


def _loaded(key: bytes) -> ec.EllipticCurvePublicKey:
    try:
        loaded = load_pem_public_key(key)
    except (ValueError, UnsupportedAlgorithm):
        raise ReceiptError("the key is no public key in PEM") from None
    if not isinstance(loaded, ec.EllipticCurvePublicKey):
        raise ReceiptError("the key is of another kind than those that sign receipts")
    return loaded
