"""`python -m infra.local token --user lena`: an access token of the local issuer."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from infra.environments.local import ENVIRONMENT
from infra.local.issuer.keys import read_key
from infra.local.issuer.tokens import EXPIRES_SECONDS, access_claims, signed

if TYPE_CHECKING:
    import argparse

    from infra.environments.parts import Oidc
    from infra.local.outputs import Outputs


class NoAudience(Exception):
    """No audience of the local environment may speak for the company."""


def add(parser: argparse.ArgumentParser, company_id: str) -> None:
    """Describe the arguments."""
    parser.add_argument("--user", required=True, help="whose token it is")
    parser.add_argument("--company", default=company_id, help="company that it speaks for (default: %(default)s)")
    parser.add_argument("--audience", help="default: the first that may speak for the company")
    parser.add_argument("--scope", help="scopes with blanks between (default: those that let read, change and export)")
    parser.add_argument(
        "--expires", type=int, default=EXPIRES_SECONDS, metavar="SECONDS",
        help="how long it is valid; a negative number makes one that is no longer (default: %(default)s)",
    )  # fmt: skip


def access_token(
    outputs: Outputs,
    user_id: str,
    *,
    company_id: str | None = None,
    audience: str | None = None,
    scope: str | None = None,
    expires: int = EXPIRES_SECONDS,
) -> str:
    """A token of the running environment's issuer; what is left out is as the API wants it of whoever does everything.

    Raises:
        NoAudience: none may speak for the company, and none was named.
    """
    oidc, company_id = believed(), company_id or outputs.company_id
    claims = access_claims(
        issuer=outputs.issuer_url,
        user_id=user_id,
        audience=audience or _audience_for(oidc, company_id),
        scope=" ".join(oidc.scopes) if scope is None else scope,
        company_id=company_id,
        expires=expires,
    )
    return signed(claims, read_key(Path(outputs.issuer_key_file)))


def believed() -> Oidc:
    """Whom the local environment believes."""
    assert ENVIRONMENT.oidc is not None  # noqa: S101 - its file says so
    return ENVIRONMENT.oidc


def _audience_for(oidc: Oidc, company_id: str) -> str:
    for audience, companies in oidc.audiences.items():
        if company_id in companies:
            return audience
    raise NoAudience(f"No audience may speak for {company_id!r}: name one with --audience.")
