"""Keys that say themselves whose they are, by the patterns that their vendors have published.

Nothing here guesses from randomness or from words: "uses a password manager" is innocent.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_PATTERNS = (
    r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}",  # AWS access keys
    r"gh[pousr]_[A-Za-z0-9]{36,}",  # GitHub
    r"github_pat_[A-Za-z0-9_]{22,}",
    r"glpat-[A-Za-z0-9_-]{20,}",  # GitLab
    r"xox[abeoprs]-(?:[A-Za-z0-9]+-)*[A-Za-z0-9-]{10,}",  # Slack
    r"xapp-\d-[A-Za-z0-9-]{20,}",
    r"[srp]k_(?:live|test)_[A-Za-z0-9]{16,}",  # Stripe
    r"whsec_[A-Za-z0-9+/=]{24,}",
    # OpenAI and kin; bounded, for a long text that only begins so would be gone through once from each beginning.
    r"sk-(?:proj-|svcacct-|admin-|ant-[a-z0-9]{1,20}-|or-v1-)?(?=[A-Za-z_-]{0,100}\d)[\w-]{0,100}?[A-Za-z0-9]{16}[\w-]*",
    r"AIza[A-Za-z0-9_-]{35}",  # Google
    r"GOCSPX-[A-Za-z0-9_-]{28}",
    r"ya29\.[A-Za-z0-9_-]{20,}",
    r"SG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{32,}",  # SendGrid
    r"npm_[A-Za-z0-9]{36}",
    r"pypi-AgEI[A-Za-z0-9_-]{50,}",
    r"hf_[A-Za-z0-9]{30,}",  # Hugging Face
    r"SK[0-9a-f]{32}",  # Twilio
    r"dop_v1_[0-9a-f]{64}",  # DigitalOcean
    r"shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}",  # Shopify
    r"dapi[0-9a-f]{32}",  # Databricks
    r"hvs\.[A-Za-z0-9_-]{24,}",  # Vault
    r"lin_api_[A-Za-z0-9]{32,}",  # Linear
    r"PMAK-[0-9a-f]{24}-[0-9a-f]{34}",  # Postman
    r"AGE-SECRET-KEY-1[0-9A-Z]{58}",
    r"\d{8,10}:AA[A-Za-z0-9_-]{33}",  # Telegram bots
    r"AccountKey=[A-Za-z0-9+/]{86}==",  # Azure storage
    r"aws_secret_access_key\s*[=:]\s*['\"]?[A-Za-z0-9/+]{40}['\"]?",
)
_VENDOR_KEY = re.compile(rf"(?<![A-Za-z0-9_])(?:{'|'.join(_PATTERNS)})(?![A-Za-z0-9])", re.ASCII)


def vendor_keys(text: str) -> Iterator[tuple[int, int]]:
    """Spans of vendors' keys."""
    return (match.span() for match in _VENDOR_KEY.finditer(text))
