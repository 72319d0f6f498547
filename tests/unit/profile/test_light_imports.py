from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = {"markdown_it", "yaml", "tiktoken", "pydantic", "boto3", "botocore", "jinja2", "openai"}
ON_THE_LOAD_PATH = ["budget", "prompt_section", "encodings", "ids", "state", "profile", "rendering"]


@pytest.mark.parametrize("module", ON_THE_LOAD_PATH)
def test_load_pays_for_no_reader_and_no_tokenizer(module: str) -> None:
    program = f"""
import sys
sys.path[:] = {sys.path!r}
before = set(sys.modules)
import context_memory.domain.{module}
print(*sorted({{name.partition(".")[0] for name in set(sys.modules) - before}}))
"""
    # The program is the text above and nothing from outside.
    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)  # noqa: S603 - see above
    loaded = set(answer.stdout.split())
    assert "context_memory" in loaded
    assert not loaded & HEAVY
    assert loaded - {"context_memory"} <= sys.stdlib_module_names


def test_the_readers_of_dates_are_left_to_those_who_write() -> None:
    program = f"import sys; sys.path[:] = {sys.path!r}; import context_memory.domain.budget; print(*sys.modules)"
    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)  # noqa: S603 - as above
    assert "context_memory.domain.language.dates" not in answer.stdout.split()
