from __future__ import annotations

import base64
import json

import pytest

from context_memory.domain.last_line import DETECTORS, MASK, apply, inspect
from context_memory.domain.last_line.vendor_keys import vendor_keys
from context_memory.domain.profile import Bullets
from tests.support.growth import LIKE_THE_LENGTH, growth, repeated

LETTERS = "aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0zAbCdEfGhIjKlMnOpQrStUvWxYz0123456789"
FULL_WIDTH = {point: point + 0xFEE0 for point in range(0x21, 0x7F)}


def _token() -> str:
    header, payload = ({"alg": "HS256", "typ": "JWT"}, {"sub": "1234567890"})
    parts = (base64.urlsafe_b64encode(json.dumps(part).encode()).decode().rstrip("=") for part in (header, payload))
    return ".".join((*parts, LETTERS[:43]))


# Numbers from public documentation, keys made up here.
PLANTED = {
    "iban": (
        "CH93 0076 2011 6238 5295 7",
        "CH9300762011623852957",
        "ch93 0076 2011 6238 5295 7",
        "DE89-3704-0044-0532-0130-00",
        "GB29 NWBK 6016 1331 9268 19",
        "FR14 2004 1010 0505 0001 3M02 606",
        "NL91\u00a0ABNA\u00a00417\u00a01643\u00a000",
        "DE89370400440532013000".translate(FULL_WIDTH),
        "DE89 3704 0044\n  0532 0130 00",
        "D\u200bE89370400440532013000",
    ),
    "card": (
        "4111 1111 1111 1111",
        "4111111111111111",
        "4111-1111-1111-1111",
        "5555555555554444",
        "2223 0031 2200 3222",
        "3782 822463 10005",
        "378282246310005",
        "6011 1111 1111 1117",
        "3056 930902 5904",
        "3530.1113.3330.0000",
        "4111 1111\n1111 1111",
        "4222222222222",
        " ".join("4111111111111111"),
    ),
    "ahv": ("756.9217.0769.85", "7569217076985", "756 9217 0769 85"),
    "german_tax_id": ("Steuer-ID 36574261809", "IdNr. 36 574 261 809", "tax ID: 36574261809"),
    "nir": ("2 95 10 99 126 111 93", "numéro de sécurité sociale 295109912611193"),
    "codice_fiscale": ("RCCMNL83S18D969H", "rccmnl83s18d969h"),
    "dni": ("12345678Z", "12.345.678-Z", "DNI 12345678-z", "X1234567L"),
    "bsn": ("BSN 111222333", "burgerservicenummer: 1112.22.333"),
    "us_ssn": ("536-90-4399", "078-05-1120"),
    "vendor_key": (
        "AKIAIOSFODNN7EXAMPLE",
        f"ghp_{LETTERS[:36]}",
        f"github_pat_{LETTERS[:22]}_{LETTERS[:59]}",
        f"glpat-{LETTERS[:20]}",
        f"xoxb-123456789012-1234567890123-{LETTERS[:24]}",
        f"sk_live_{LETTERS[:24]}",
        f"sk-{LETTERS[:48]}",
        f"sk-proj-{LETTERS[:48]}",
        f"sk-ant-api03-{LETTERS[:60]}",
        f"AIza{LETTERS[:35]}",
        f"SG.{LETTERS[:22]}.{LETTERS[:43]}",
        f"npm_{LETTERS[:36]}",
        f"hf_{LETTERS[:34]}",
        f"aws_secret_access_key = {LETTERS[:40]}",
    ),
    "pem_block": (
        f"-----BEGIN PRIVATE KEY-----\n{LETTERS[:64]}\n{LETTERS[:20]}==\n-----END PRIVATE KEY-----",
        f"-----BEGIN RSA PRIVATE KEY----- {LETTERS[:64]} {LETTERS[:64]} -----END RSA PRIVATE KEY-----",
        f"-----BEGIN OPENSSH PRIVATE KEY-----\n{LETTERS[:64]}\n{LETTERS[:64]}",
    ),
    "signed_token": (_token(),),
    "address_credentials": ("postgres://lena:hunter2!x@db.example.com/app", "https://lena:s3cr3tpw@example.com"),
}
CASES = [(kind, secret) for kind, secrets in PLANTED.items() for secret in secrets]


def test_every_kind_is_planted() -> None:
    assert set(PLANTED) == set(DETECTORS)


@pytest.mark.parametrize(("kind", "secret"), CASES)
def test_a_planted_secret_is_recognised_as_its_kind(kind: str, secret: str) -> None:
    assert inspect(f"Remembers {secret} for later.").hits == {kind: 1}


@pytest.mark.parametrize(("kind", "secret"), CASES)
def test_a_new_bullet_with_a_secret_is_dropped(kind: str, secret: str) -> None:
    kept = apply(Bullets(), Bullets(work=("Likes tea.", f"Pays with {secret} since May.")))
    assert kept.bullets == Bullets(work=("Likes tea.",))
    assert kept.hits == {kind: 1}


@pytest.mark.parametrize(("kind", "secret"), CASES)
def test_in_an_old_bullet_the_secret_alone_is_masked(kind: str, secret: str) -> None:
    body = Bullets(work=(f"Pays with {secret} since May.",))
    kept = apply(body, body)
    (line,) = kept.bullets.work
    assert MASK in line
    assert line.startswith("Pays with ")
    assert line.endswith(" since May.")
    assert kept.hits == {kind: 1}
    assert apply(kept.bullets, kept.bullets).bullets == kept.bullets


@pytest.mark.parametrize(("kind", "secret"), CASES)
def test_a_company_may_allow_single_kinds(kind: str, secret: str) -> None:
    body = Bullets(work=(f"Pays with {secret} since May.",))
    assert apply(Bullets(), body, allow_kinds=frozenset({kind})).bullets == body


@pytest.mark.parametrize(
    "text",
    [
        "CH93 0076 2011 6238 5295 8",  # wrong check digits
        "4111 1111 1111 1112",
        "756.9217.0769.84",
        "Steuer-ID 36574261808",
        "2 95 10 99 126 111 94",
        "RCCMNL83S18D969X",
        "DNI 12345678A",
        "BSN 111222334",
        "000-12-3456",
        "eyJhbGciOi.not-a-header.signature",
    ],
)
def test_a_number_whose_check_digits_disagree_is_innocent(text: str) -> None:
    assert inspect(text).hits == {}


@pytest.mark.parametrize("text", ["36574261809", "111222333", "295109912611193", "536 90 4399"])
def test_a_number_that_needs_a_label_is_innocent_without_one(text: str) -> None:
    assert inspect(f"Reference {text} is open.").hits == {}


def test_an_iban_inside_a_sentence_ends_where_its_country_says() -> None:
    finding = inspect("Salary goes to CH93 0076 2011 6238 5295 7 at the bank.")
    assert finding.masked == f"Salary goes to {MASK} at the bank."


def test_a_card_is_found_before_its_expiry_date() -> None:
    assert inspect("Card 4111 1111 1111 1111 12/27.").masked == f"Card {MASK} 12/27."
    assert inspect("Card 4111 1111 1111 1111 1227.").hits == {"card": 1}


def test_several_secrets_of_one_text_are_counted_and_masked() -> None:
    finding = inspect("Cards 4111111111111111 and 5555555555554444, SSN 536-90-4399.")
    assert finding.hits == {"card": 2, "us_ssn": 1}
    assert finding.masked == f"Cards {MASK} and {MASK}, SSN {MASK}."


@pytest.mark.parametrize(
    "piece", ["1 ", "4111 ", "A1", "CH93 0076 ", "eyJ", "http://a:", "sk-a1_", "-----BEGIN A-----\n"]
)
def test_the_time_of_searching_a_hostile_text_grows_like_its_length(piece: str) -> None:
    assert growth(inspect, repeated(piece), 2_500) < LIKE_THE_LENGTH


@pytest.mark.parametrize("piece", ["sk-", "sk-a-", "sk-1-", "sk-proj-"])
def test_what_only_begins_like_a_key_is_not_gone_through_once_from_each_beginning(piece: str) -> None:
    def search(text: str) -> None:
        assert list(vendor_keys(text)) == []

    assert growth(search, repeated(piece), 2_000) < LIKE_THE_LENGTH
