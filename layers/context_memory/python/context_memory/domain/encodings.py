"""Which encoding a model counts in: a table, so that load needs no tokenizer to know."""

from __future__ import annotations

DEFAULT_ENCODING = "o200k_base"
# Models that count otherwise, by name and by the beginning of their names.
_BY_NAME = {
    "gpt-4": "cl100k_base",
    "gpt-3.5": "cl100k_base",
    "davinci-002": "cl100k_base",
    "babbage-002": "cl100k_base",
    "text-embedding-ada-002": "cl100k_base",
    "text-embedding-3-small": "cl100k_base",
    "text-embedding-3-large": "cl100k_base",
}
_BY_BEGINNING = {
    "gpt-4-": "cl100k_base",
    "gpt-3.5-turbo": "cl100k_base",
    "gpt-35-turbo": "cl100k_base",
    "gpt-oss-": "o200k_harmony",
}
_FINE_TUNED = "ft:"


def encoding_for(model: str | None) -> str:
    """The encoding of a model's tokenizer.

    Args:
        model: its name, also fine-tuned (`ft:gpt-4o:…`) or behind its provider (`openai/gpt-4o`); None when unknown.

    Returns:
        The name of the encoding; `o200k_base` for models that are not in the table.
    """
    name = (model or "").rpartition("/")[2].removeprefix(_FINE_TUNED).partition(":")[0]
    beginnings = (encoding for beginning, encoding in _BY_BEGINNING.items() if name.startswith(beginning))
    return _BY_NAME.get(name) or next(beginnings, DEFAULT_ENCODING)
