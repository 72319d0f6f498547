"""Users' tokens: both makes let in what the issuer signed and is still valid, and nothing else."""

from __future__ import annotations

import base64
import hmac
import json
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from http.client import BadStatusLine, IncompleteRead
from threading import Barrier
from typing import TYPE_CHECKING, Any

import jwt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from context_memory.adapters.in_memory.system import ManualClock
from context_memory.adapters.in_memory.user_tokens import InMemoryUserTokens
from context_memory.adapters.issuer_keys import KEPT_SECONDS, UNKNOWN_KEY_SECONDS, IssuerKeys
from context_memory.adapters.signed_tokens import LEEWAY_SECONDS, SignedTokens
from context_memory.domain.errors import IssuerUnavailable, UserTokenInvalid
from tests.support.token_issuer import SigningKey, TokenIssuer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from context_memory.ports.trust import UserTokens


STRANGER = SigningKey("first")
"""A key of somebody else that bears the name of the issuer's."""


@dataclass(frozen=True)
class Made:
    """One make of the port: tokens that last so many seconds, and its issuer's outage."""

    tokens: UserTokens
    lasting: Callable[[int], str]
    fail: Callable[[], None]


@dataclass
class Watch:
    """Seconds that a test lets pass."""

    seconds: float = 0.0

    def __call__(self) -> float:
        return self.seconds


@pytest.fixture
def issuer() -> Iterator[TokenIssuer]:
    with TokenIssuer() as issuer:
        yield issuer


@pytest.fixture
def watch() -> Watch:
    return Watch()


@pytest.fixture
def tokens(issuer: TokenIssuer, watch: Watch) -> SignedTokens:
    return SignedTokens(issuer=issuer.url, keys=IssuerKeys(issuer.url, monotonic=watch))


@pytest.fixture(params=["in_memory", "signed"])
def made(request: pytest.FixtureRequest) -> Made:
    if request.param == "in_memory":
        clock = ManualClock()
        twin = InMemoryUserTokens(clock=clock)

        def lasting(seconds: int) -> str:
            return twin.sign({"sub": "lena", "exp": int(clock.now().timestamp()) + seconds})

        def fail() -> None:
            twin.out_of_reach = True

        return Made(twin, lasting, fail)
    issuer: TokenIssuer = request.getfixturevalue("issuer")

    def go_down() -> None:
        issuer.up = False

    return Made(
        request.getfixturevalue("tokens"),
        lambda seconds: issuer.token("lena", exp=int(time.time()) + seconds),
        go_down,
    )


def test_a_valid_token_gives_its_claims(made: Made) -> None:
    assert made.tokens.claims(made.lasting(300))["sub"] == "lena"


def test_a_token_that_is_over_is_invalid(made: Made) -> None:
    with pytest.raises(UserTokenInvalid):
        made.tokens.claims(made.lasting(-60))


@pytest.mark.parametrize("token", ["", "token", "a.b.c", "....", "e30.e30.", "ä.ö.ü", "\ud800", "[" * 5000])
def test_what_is_no_token_is_invalid(made: Made, token: str) -> None:
    with pytest.raises(UserTokenInvalid):
        made.tokens.claims(token)


def test_an_issuer_out_of_reach_lets_nobody_in(made: Made) -> None:
    token = made.lasting(300)
    made.fail()
    with pytest.raises(IssuerUnavailable):
        made.tokens.claims(token)


# What only the real one can be shown.


@pytest.mark.parametrize("algorithm", ["RS256", "ES256"])
def test_both_kinds_of_keys_are_believed(issuer: TokenIssuer, tokens: SignedTokens, algorithm: str) -> None:
    issuer.key = SigningKey("k", algorithm)
    issuer.lists(issuer.key)
    assert tokens.claims(issuer.token("lena"))["sub"] == "lena"


@pytest.mark.parametrize(
    "changes",
    [
        {"exp": None},
        {"exp": "soon"},
        {"exp": float("inf")},
        {"exp": -(10**400)},
        {"iss": None},
        {"iss": "https://other.example"},
        {"nbf": 10**11},
        {"iat": 10**11},
    ],
)
def test_a_token_of_another_issuer_or_time_is_invalid(
    issuer: TokenIssuer, tokens: SignedTokens, changes: dict[str, Any]
) -> None:
    with pytest.raises(UserTokenInvalid):
        tokens.claims(issuer.token("lena", **changes))


def test_clocks_may_be_half_a_minute_apart_and_no_more(issuer: TokenIssuer, tokens: SignedTokens) -> None:
    now = int(time.time())
    assert tokens.claims(issuer.token("lena", exp=now - LEEWAY_SECONDS + 10))
    with pytest.raises(UserTokenInvalid):
        tokens.claims(issuer.token("lena", exp=now - LEEWAY_SECONDS - 1))


def test_a_key_of_a_stranger_that_bears_the_issuers_name_opens_nothing(
    issuer: TokenIssuer, tokens: SignedTokens
) -> None:
    with pytest.raises(UserTokenInvalid):
        tokens.claims(STRANGER.sign(issuer.claims("lena")))


def test_a_key_within_the_token_opens_nothing(issuer: TokenIssuer, tokens: SignedTokens) -> None:
    header = {"jwk": STRANGER.public(), "jku": f"{issuer.url}/strange", "x5u": f"{issuer.url}/strange"}
    with pytest.raises(UserTokenInvalid):
        tokens.claims(STRANGER.sign(issuer.claims("lena"), kid="stranger", **header))
    assert f"{issuer.url}/strange" not in issuer.asked


def encoded(part: object) -> str:
    return base64.urlsafe_b64encode(json.dumps(part).encode()).rstrip(b"=").decode()


@pytest.mark.parametrize("algorithm", ["none", "None", "NONE", "", None, 7])
def test_a_token_without_signature_is_invalid(issuer: TokenIssuer, tokens: SignedTokens, algorithm: object) -> None:
    header = encoded({"alg": algorithm, "kid": issuer.key.kid, "typ": "JWT"})
    for signature in ("", "x", issuer.token("lena").rpartition(".")[2]):
        with pytest.raises(UserTokenInvalid):
            tokens.claims(f"{header}.{encoded(issuer.claims('lena'))}.{signature}")


def test_the_public_key_is_no_shared_secret(issuer: TokenIssuer, tokens: SignedTokens) -> None:
    signed = f"{encoded({'alg': 'HS256', 'kid': issuer.key.kid})}.{encoded(issuer.claims('lena'))}"
    for secret in (issuer.key.public_pem(), json.dumps(issuer.key.public()).encode(), b""):
        forged = base64.urlsafe_b64encode(hmac.digest(secret, signed.encode(), "sha256")).rstrip(b"=").decode()
        with pytest.raises(UserTokenInvalid):
            tokens.claims(f"{signed}.{forged}")


def test_the_header_cannot_choose_another_algorithm_for_a_key(issuer: TokenIssuer, tokens: SignedTokens) -> None:
    genuine = issuer.token("lena").split(".")
    genuine[0] = encoded({"alg": "ES256", "kid": issuer.key.kid})
    with pytest.raises(UserTokenInvalid):
        tokens.claims(".".join(genuine))


@pytest.mark.parametrize("place", range(3))
def test_no_part_of_a_token_can_be_exchanged(issuer: TokenIssuer, tokens: SignedTokens, place: int) -> None:
    mine, others = (
        issuer.token("lena").split("."),
        SigningKey("first").sign(issuer.claims("jonas", x=1), y=1).split("."),
    )
    mine[place] = others[place]
    with pytest.raises(UserTokenInvalid):
        tokens.claims(".".join(mine))


@pytest.mark.parametrize(
    "listed",
    [
        {"kty": "oct", "kid": "first", "k": "c2VjcmV0LXNlY3JldC1zZWNyZXQtc2VjcmV0LXNlY3JldA"},
        {"kty": "OKP", "crv": "Ed25519", "kid": "first", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"},
        {"kty": "strange", "kid": "first"},
        {"kid": "first"},
    ],
)
def test_keys_of_other_kinds_are_not_believed(
    issuer: TokenIssuer, tokens: SignedTokens, listed: dict[str, str]
) -> None:
    token = issuer.token("lena")
    issuer.answers["/keys"] = {"keys": [listed]}
    with pytest.raises(UserTokenInvalid):
        tokens.claims(token)


@pytest.mark.parametrize(
    "odd",
    [
        {"kty": "oct", "kid": "odd"},
        {"kty": "RSA", "kid": "odd", "alg": ["RS256"]},
        {"kty": {}, "kid": "odd"},
        {"kty": "RSA", "kid": "odd", "n": None, "e": 7},
        {"kty": "EC", "kid": "odd", "crv": "P-256", "x": "", "y": "!"},
    ],
    ids=repr,
)
def test_an_odd_entry_among_the_keys_shuts_nobody_out(
    issuer: TokenIssuer, tokens: SignedTokens, odd: dict[str, object]
) -> None:
    issuer.answers["/keys"] = {"keys": [odd, issuer.key.public()]}
    assert tokens.claims(issuer.token("lena"))["sub"] == "lena"


def test_a_key_for_encryption_or_of_another_algorithm_is_not_believed(
    issuer: TokenIssuer, tokens: SignedTokens
) -> None:
    public = issuer.key.public()
    issuer.answers["/keys"] = {"keys": [public | {"use": "enc"}, public | {"alg": "RS512"}]}
    with pytest.raises(UserTokenInvalid):
        tokens.claims(issuer.token("lena"))


def test_a_short_key_is_not_believed(issuer: TokenIssuer, tokens: SignedTokens) -> None:
    issuer.key = SigningKey("short", bits=1024)
    issuer.lists(issuer.key)
    with pytest.warns(jwt.InsecureKeyLengthWarning):
        token = issuer.token("lena")
    with pytest.raises(UserTokenInvalid):
        tokens.claims(token)


def test_the_issuer_is_asked_once_in_ten_minutes(issuer: TokenIssuer, tokens: SignedTokens, watch: Watch) -> None:
    for _ in range(3):
        tokens.claims(issuer.token("lena"))
    watch.seconds = KEPT_SECONDS - 1
    tokens.claims(issuer.token("lena"))
    assert len(issuer.asked) == 2  # what it is, and its keys
    watch.seconds = KEPT_SECONDS
    tokens.claims(issuer.token("lena"))
    assert len(issuer.asked) == 4


def test_a_new_key_is_found_after_a_minute_and_strange_names_ask_no_more_often(
    issuer: TokenIssuer, tokens: SignedTokens, watch: Watch
) -> None:
    tokens.claims(issuer.token("lena"))
    issuer.key = STRANGER.named("second")
    issuer.lists(issuer.key)
    for _ in range(20):
        with pytest.raises(UserTokenInvalid):
            tokens.claims(issuer.token("lena"))
    assert len(issuer.asked) == 2
    watch.seconds = UNKNOWN_KEY_SECONDS
    assert tokens.claims(issuer.token("lena"))["sub"] == "lena"
    assert len(issuer.asked) == 4


def test_a_key_that_the_issuer_has_withdrawn_is_believed_ten_minutes_at_most(
    issuer: TokenIssuer, tokens: SignedTokens, watch: Watch
) -> None:
    withdrawn = issuer.token("lena")
    tokens.claims(withdrawn)
    issuer.lists(STRANGER.named("second"))
    watch.seconds = KEPT_SECONDS
    with pytest.raises(UserTokenInvalid):
        tokens.claims(withdrawn)


def test_an_issuer_that_failed_is_left_alone_for_a_while_and_callers_are_told_how_long(
    issuer: TokenIssuer, tokens: SignedTokens, watch: Watch
) -> None:
    issuer.up = False
    for seconds in (0.0, 1.0, 4.9):
        watch.seconds = seconds
        with pytest.raises(IssuerUnavailable) as refused:
            tokens.claims(issuer.token("lena"))
        assert 0 < (refused.value.retry_after or 0) <= 5 - seconds + 0.01
    assert len(issuer.asked) == 1
    issuer.up, watch.seconds = True, 5.0
    assert tokens.claims(issuer.token("lena"))


@pytest.mark.parametrize(
    "discovered",
    [
        [],
        {},
        {"issuer": "https://other.example", "jwks_uri": "JWKS"},
        {"jwks_uri": "JWKS"},
        {"issuer": "ISSUER"},
        {"issuer": "ISSUER", "jwks_uri": "http://keys.example/keys"},
        {"issuer": "ISSUER", "jwks_uri": "file:///etc/passwd"},
        {"issuer": "ISSUER", "jwks_uri": 7},
        {"issuer": "ISSUER", "jwks_uri": "http://localhost:bad/keys"},
    ],
)
def test_a_discovery_that_is_somebody_elses_or_leads_astray_is_an_outage(
    issuer: TokenIssuer, tokens: SignedTokens, discovered: object
) -> None:
    text = json.dumps(discovered).replace("ISSUER", issuer.url).replace("JWKS", f"{issuer.url}/keys")
    issuer.answers["/.well-known/openid-configuration"] = json.loads(text)
    with pytest.raises(IssuerUnavailable):
        tokens.claims(issuer.token("lena"))


@pytest.mark.parametrize("keys", [[], {}, {"keys": None}, {"keys": [7]}, {"keys": "x" * 300_000}, "x"])
def test_keys_that_cannot_be_read_are_an_outage(issuer: TokenIssuer, tokens: SignedTokens, keys: object) -> None:
    issuer.answers["/keys"] = keys
    with pytest.raises(IssuerUnavailable):
        tokens.claims(issuer.token("lena"))


def test_requests_that_arrive_together_ask_the_issuer_once(issuer: TokenIssuer, tokens: SignedTokens) -> None:
    token, together = issuer.token("lena"), Barrier(8)

    def read() -> object:
        together.wait()
        return tokens.claims(token)["sub"]

    with ThreadPoolExecutor(8) as threads:
        assert {one.result() for one in [threads.submit(read) for _ in range(8)]} == {"lena"}
    assert len(issuer.asked) == 2


def test_an_issuer_that_is_gone_is_an_outage_at_once(issuer: TokenIssuer) -> None:
    with TokenIssuer() as gone:
        token = gone.token("lena")
    with pytest.raises(IssuerUnavailable):
        SignedTokens(issuer=gone.url, keys=IssuerKeys(gone.url)).claims(token)
    assert issuer.asked == []


@pytest.mark.parametrize("fault", [TimeoutError(), ConnectionResetError(), IncompleteRead(b"{"), BadStatusLine("?")])
def test_what_happens_to_a_request_on_its_way_is_an_outage_and_says_no_more_than_its_kind(fault: Exception) -> None:
    def fetch(_: str) -> bytes:
        raise fault

    with pytest.raises(IssuerUnavailable) as refused:
        IssuerKeys("https://issuer.example", fetch=fetch).key("k")
    assert type(fault).__name__ in str(refused.value)
    assert refused.value.__cause__ is None


def test_a_redirect_is_not_followed(issuer: TokenIssuer, tokens: SignedTokens) -> None:
    issuer.redirects_to = f"{issuer.url}/keys"
    with pytest.raises(IssuerUnavailable):
        tokens.claims(issuer.token("lena"))
    assert issuer.asked == ["/.well-known/openid-configuration"]


def test_an_issuer_elsewhere_is_never_asked_in_the_clear() -> None:
    def fetch(_: str) -> bytes:
        raise AssertionError("asked in the clear")

    with pytest.raises(IssuerUnavailable):
        IssuerKeys("http://issuer.example", fetch=fetch).key("k")


def test_no_error_shows_a_token(issuer: TokenIssuer, tokens: SignedTokens) -> None:
    token = issuer.token("lena", exp=1)
    with pytest.raises(UserTokenInvalid) as refused:
        tokens.claims(token)
    assert (refused.value.__cause__, refused.value.__context__) == (None, None)
    assert not any(part in str(refused.value) for part in token.split("."))


@settings(deadline=None)
@given(
    header=st.dictionaries(
        st.sampled_from(["alg", "kid", "typ", "crit", "b64", "jwk", "x"]),
        st.recursive(
            st.none() | st.booleans() | st.integers() | st.sampled_from(["RS256", "ES256", "HS256", "first", "none"]),
            lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
            max_leaves=5,
        ),
    ),
    payload=st.binary(max_size=40),
    signature=st.binary(max_size=40),
)
def test_whatever_a_stranger_writes_is_invalid_and_nothing_worse(
    header: dict[str, Any], payload: bytes, signature: bytes
) -> None:
    documents = {
        "https://issuer.example/.well-known/openid-configuration": {
            "issuer": "https://issuer.example",
            "jwks_uri": "https://issuer.example/keys",
        },
        "https://issuer.example/keys": {"keys": [STRANGER.public()]},
    }
    keys = IssuerKeys("https://issuer.example", fetch=lambda address: json.dumps(documents[address]).encode())
    written = [base64.urlsafe_b64encode(part).rstrip(b"=").decode() for part in (payload, signature)]
    with pytest.raises(UserTokenInvalid):
        SignedTokens(issuer="https://issuer.example", keys=keys).claims(".".join([encoded(header), *written]))
