"""A secret that is fetched beside other work: nobody waits for it for long, and nobody fails for want of it."""

from __future__ import annotations

import threading
from threading import Event

import pytest

from context_memory.adapters.secrets import SecretAhead
from context_memory.domain.errors import StoreUnavailable


class Vault:
    """Hands the secret out once it is opened."""

    def __init__(self, *, opened: bool = True) -> None:
        self.open = Event()
        self.fault: Exception | None = None
        self.asked = 0
        self.fetching = threading.current_thread()
        if opened:
            self.open.set()

    def __call__(self) -> str:
        self.asked += 1
        self.fetching = threading.current_thread()
        assert self.open.wait(10)
        if self.fault:
            raise self.fault
        return "key"


class Time:
    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


def test_what_was_begun_is_there_when_it_is_asked_for() -> None:
    vault = Vault()
    secret = SecretAhead(vault)
    secret.begin()
    assert (secret(), secret()) == ("key", "key")
    assert vault.asked == 1


def test_asking_begins_what_nobody_began() -> None:
    assert SecretAhead(Vault())() == "key"


def test_a_slow_fetch_is_waited_for_once_and_used_when_it_comes() -> None:
    vault, time = Vault(opened=False), Time()
    secret = SecretAhead(vault, wait_seconds=0.01, monotonic=time)
    with pytest.raises(StoreUnavailable):
        secret()
    time.seconds = 0.01
    with pytest.raises(StoreUnavailable):
        secret()
    vault.open.set()
    vault.fetching.join(10)
    assert (secret(), vault.asked) == ("key", 1)


@pytest.mark.parametrize("fault", [StoreUnavailable("x"), KeyError("x")])
def test_a_failure_is_not_repeated_with_every_line_and_not_for_good(fault: Exception) -> None:
    vault, time = Vault(), Time()
    vault.fault = fault
    secret = SecretAhead(vault, again_seconds=60, monotonic=time)
    for _ in range(3):
        with pytest.raises(StoreUnavailable):
            secret()
    assert vault.asked == 1
    vault.fault, time.seconds = None, 61
    assert (secret(), vault.asked) == ("key", 2)


def test_many_who_ask_at_once_make_one_fetch() -> None:
    vault = Vault(opened=False)
    secret = SecretAhead(vault, wait_seconds=10)
    told: list[str] = []
    askers = [threading.Thread(target=lambda: told.append(secret())) for _ in range(8)]
    for asker in askers:
        asker.start()
    vault.open.set()
    for asker in askers:
        asker.join(10)
    assert (told, vault.asked) == (["key"] * 8, 1)
