from __future__ import annotations

import json
import subprocess
import sys

LOAD_PATH = (
    "context_memory.adapters.aws_clients",
    "context_memory.adapters.sts",
    "context_memory.adapters.s3.profile_objects",
    "context_memory.adapters.dynamodb.table",
    "context_memory.adapters.dynamodb.state",
    "context_memory.adapters.sqs",
    "context_memory.adapters.system",
)
TOO_HEAVY = (
    "boto3",
    "pydantic",
    "openai",
    "tiktoken",
    "jinja2",
    "markdown_it",
    "yaml",
    "context_memory.adapters.secrets",
    "context_memory.adapters.in_memory",
    "context_memory.adapters.dynamodb.writes",
    "context_memory.adapters.dynamodb.settlement",
    "context_memory.adapters.dynamodb.user_table",
    "context_memory.adapters.s3.turn_payloads",
)


def test_what_load_imports_of_the_adapters_brings_nothing_heavy() -> None:
    program = f"import sys, json; sys.path[:0] = {sys.path!r}\n"
    program += "".join(f"import {name}\n" for name in LOAD_PATH) + "print(json.dumps(sorted(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True, text=True)  # noqa: S603 - our own program
    imported = set(json.loads(done.stdout))
    assert set(LOAD_PATH) <= imported
    assert not imported & set(TOO_HEAVY)
