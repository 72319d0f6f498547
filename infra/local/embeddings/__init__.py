"""The embedding model of the local environment: a small multilingual E5, run on this machine without a network.

It is a real model, four bits a weight, out of a package of the registry. It wants to be told whether a text is looked
for (`query: `) or to be found (`passage: `), as all of its family do.

    python -m infra.local.embeddings --port 8090
"""

from __future__ import annotations

MODEL = "multilingual-e5-small"
"""The name it goes by wherever a model's name is shown."""
QUERY, PASSAGE = "query: ", "passage: "
"""What it wants before each text."""
