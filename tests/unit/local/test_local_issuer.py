from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import httpx
import jwt
import pytest

from context_memory.domain.claims import Trust, whose
from context_memory.domain.ids import UserKey
from infra.environments import LOCAL
from infra.local import __main__ as command
from infra.local.issuer.keys import kept_key, key_id, new_key, read_key
from infra.local.issuer.server import DISCOVERY, KEYS, Issuer
from infra.local.issuer.tokens import access_claims, signed
from infra.local.running import running
from infra.local.token import NoAudience, access_token
from tests.unit.local.test_local_client import OUTPUTS

if TYPE_CHECKING:
    from pathlib import Path

    from infra.local.outputs import Outputs


@pytest.fixture(scope="module")
def outputs(tmp_path_factory: pytest.TempPathFactory) -> Outputs:
    file = tmp_path_factory.mktemp("issuer") / "key.pem"
    kept_key(file)
    return replace(OUTPUTS, issuer_url="http://localhost:7", issuer_key_file=str(file))


def get(url: str) -> httpx.Response:
    return httpx.get(url, trust_env=False)


def claims_in(token: str) -> dict[str, Any]:
    claims: dict[str, Any] = jwt.decode(token, options={"verify_signature": False})
    return claims


def trust() -> Trust:
    assert LOCAL.oidc is not None
    return Trust(
        issuer="http://localhost:7",
        audiences=LOCAL.oidc.audiences,
        scope=LOCAL.oidc.scope,
        change_scope=LOCAL.oidc.change_scope,
        export_scope=LOCAL.oidc.export_scope,
        user_claim=LOCAL.oidc.user_claim,
        company_claim=LOCAL.oidc.company_claim,
    )


def test_what_the_issuer_publishes_is_enough_to_check_what_it_signs() -> None:
    key = new_key()
    with Issuer(key) as issuer:
        discovery = get(f"{issuer.url}{DISCOVERY}").json()
        assert discovery["issuer"] == issuer.url
        claims = access_claims(issuer=issuer.url, user_id="lena", audience="app", scope="memory", company_id=None)
        token = signed(claims, key)
        found = jwt.PyJWKClient(discovery["jwks_uri"]).get_signing_key_from_jwt(token)
        assert jwt.decode(token, found, algorithms=["RS256"], audience="app", issuer=issuer.url)["sub"] == "lena"
        with pytest.raises(jwt.InvalidSignatureError):
            jwt.decode(signed(claims, new_key()), found, algorithms=["RS256"], audience="app")


def test_the_issuer_publishes_no_private_part_and_no_other_document() -> None:
    with Issuer(new_key()) as issuer:
        (published,) = get(f"{issuer.url}{KEYS}").json()["keys"]
        assert set(published) == {"kty", "use", "alg", "kid", "n", "e"}
        assert get(f"{issuer.url}/token").status_code == 404


def test_a_key_is_made_once_and_its_owner_alone_reads_it(tmp_path: Path) -> None:
    file = tmp_path / "deep" / "key.pem"
    first = kept_key(file)
    assert file.stat().st_mode & 0o777 == 0o600
    assert key_id(kept_key(file)) == key_id(first) == key_id(read_key(file))
    assert key_id(new_key()) != key_id(first)


def test_a_token_is_never_signed_with_a_key_that_no_issuer_has(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        access_token(replace(OUTPUTS, issuer_key_file=str(tmp_path / "key.pem")), "lena")


@pytest.mark.parametrize("company_id", ["acme", "acme2"])
def test_a_token_with_nothing_but_a_user_and_a_company_is_one_that_the_api_believes(
    outputs: Outputs, company_id: str
) -> None:
    token = access_token(outputs, "lena frei", company_id=company_id)
    for scopes in (None, trust().reading, trust().changing, trust().exporting):
        assert whose(claims_in(token), trust(), scopes=scopes) == UserKey(company_id, "lena frei")


def test_a_token_says_what_it_was_asked_to_say(outputs: Outputs) -> None:
    claims = claims_in(access_token(outputs, "lena", audience="other", scope="", expires=-60))
    assert (claims["aud"], claims["scope"]) == ("other", "")
    assert claims["exp"] < time.time()


def test_a_company_that_no_audience_speaks_for_gets_no_token(outputs: Outputs) -> None:
    with pytest.raises(NoAudience, match="acm"):
        access_token(outputs, "lena", company_id="acm")


def test_the_command_prints_a_token_of_the_running_environment_and_nothing_else(
    outputs: Outputs, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with running(tmp_path):
        outputs.write(tmp_path)
        assert command.main(["token", "--user", "lena", "--expires", "60", "--outputs", str(tmp_path)]) == 0
    printed = capsys.readouterr().out
    assert printed.count("\n") == 1
    assert claims_in(printed.strip())["sub"] == "lena"


def test_without_a_running_environment_there_is_no_token(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["token", "--user", "lena", "--outputs", str(tmp_path)]) != 0
    assert "make up" in capsys.readouterr().err
