"""`python -m infra.local.offline_model --port N`: serve until told to stop."""

from __future__ import annotations

from infra.local.model_server import serve
from infra.local.offline_model.server import OfflineModel

if __name__ == "__main__":
    raise SystemExit(serve("infra.local.offline_model", OfflineModel))
