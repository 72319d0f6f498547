from __future__ import annotations

import pytest

from context_memory.domain.last_line import apply, inspect
from context_memory.domain.profile import Bullets

INNOCENT = """
Runs Python 3.12.4 and Node 22.11.0.
Pinned to tiktoken==0.14.0 and boto3>=1.40.21,<2.
Phone of the office: +41 44 668 18 00.
Reaches the hotline at +49 170 1234567890123.
Mobile 079 123 45 67, only for family.
Order number 100-4711-000815 is still open.
Order 4000123412341235 came late.
Invoice 2026-06-17-000123 is paid.
Parcel 00340434161094042557 arrives on Friday.
Ticket INC0012345678901 was closed.
ISBN 978-3-16-148410-0 is on the reading list.
ISBN 0-306-40615-2 as well.
EAN 4006381333931 is the pen they like.
IMEI 490154203237518 belongs to the test phone.
Commit 5f1d0a7c3b9e8d6f4a2b1c0d9e8f7a6b5c4d3e2f fixed it.
Image sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08.
Trace 4bf92f3577b34da6a3ce929d0e0e4736 shows the fault.
UUID 550e8400-e29b-41d4-a716-446655440000 names the job.
UUID 41111111-1111-4111-8111-111111111111 is the test tenant.
Epoch 1750160400000 is in milliseconds.
Epoch 1750160400000000 is in microseconds.
Backup 20260617114000 ran through.
Snapshot 20260617114000123456 as well.
Meets on 2026-06-17 at 11:40 UTC.
Moved in on 17.06.2026, paid 1'250.00 CHF.
Saves 12,345,678.90 EUR a year.
Budget per quarter: 4200 4400 4600 4800 thousand.
Years compared: 2019 2020 2021 2022 2023 2024.
Server at 192.168.178.21, gateway 10.0.0.1.
IPv6 2001:0db8:85a3:0000:0000:8a2e:0370:7334.
MAC 00:1B:44:11:3A:B7.
Lives near 47.376887, 8.541694.
Pi is 3.14159265358979 and some more.
Mass 4.1111111111111111 kg in the simulation.
Uses a password manager.
Rotates API keys every 90 days.
Keeps the token in a vault, never in code.
Prefers sk-learn over heavier libraries.
Writes slugs like sk-this-is-a-fairly-long-slug-of-words.
Knows that AWS keys start with AKIA.
Knows that GitHub tokens start with ghp_ and Slack ones with xoxb-.
Teaches that PEM files begin with -----BEGIN PRIVATE KEY----- and end likewise.
Explains JWTs: eyJ is how their headers start.
Connects with postgres://user:<password>@db.internal/app in examples.
Connects with postgres://user:${DB_PASSWORD}@db.internal/app in scripts.
Reads https://example.com/a:b@c now and then.
Clones git@github.com:example/project.git over SSH.
Writes to ssh://git@example.com:2222/repo.git.
Works on ticket 123-45-6.
Part number 123-456-7890 is out of stock.
Batch 12345678A is in quality control.
Customer group 756.100 is theirs.
Steuerberater für 12 345 678 901 Belege zuständig.
Counts 123456782 events a day.
Article 1 85 07 75 was replaced.
License plate ZH 123456.
Flight LX 1612 on Mondays.
Version RC85 of the codec.
Chess rating 1850, bench 100 kg.
Postcode 8001 Zürich, P.O. box 4711.
Reads DE and CH news.
Case C-131/12 is their favourite ruling.
DOI 10.1000/182 and arXiv:2106.09685.
Hex colour #4111AA, RGB 41 11 11.
Screen 3840 x 2160, 4096 samples, 65536 ports.
Serial SN4111111111111111 on the case.
Account manager for DACH.
Runs 10 km in 00:48:30, 42.195 km in 4:02:11.
GPS track 2026-06-17T11:40:00.123456Z.
Regular expression \\d{4}-\\d{4}-\\d{4}-\\d{4} for tests.
Formula 2^64 = 18446744073709551616.
Knows the cheat code 0451 by heart.
Room GB29.0.12, building CH93.
Train ICE 612 leaves track 7 at 06:12.
学籍の話は2026年6月17日に。
Pays with a Visa card and has an IBAN at a Swiss bank.
""".strip().splitlines()


def test_there_are_enough_innocent_lines() -> None:
    assert len(set(INNOCENT)) >= 60


@pytest.mark.parametrize("line", INNOCENT)
def test_an_innocent_line_survives(line: str) -> None:
    body = Bullets(work=(line,))
    assert inspect(line).hits == {}
    assert apply(Bullets(), body).bullets == body
    assert apply(body, body).bullets == body
