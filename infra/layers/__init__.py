"""Builds the two Lambda layers and the tokenizer's vocabulary, with uv and without Docker.

`python -m infra.layers host` builds for this machine (what the local environment runs), `aws` for Lambda on arm64,
`list` says what is in those that are built.
Result, all under `build/`, each folder beside a `.key` file that holds the hash of what it was built from:

    tiktoken/                         rank files; tests on this machine set TIKTOKEN_CACHE_DIR to it
    layers/<target>/dependencies/     `python/` and `tiktoken/`: third-party packages and the vocabulary
    layers/<target>/context_memory/   `python/`: our own code
"""
