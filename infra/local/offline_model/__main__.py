"""`python -m infra.local.offline_model --port N`: serve until told to stop."""

from __future__ import annotations

import argparse

from infra.local.offline_model import MODEL
from infra.local.offline_model.server import OfflineModel
from infra.local.stand_ins import told_to_stop


def main(argv: list[str] | None = None) -> int:
    """Serve until SIGINT or SIGTERM; 0 when it ended as asked, 1 when the port is taken."""
    parser = argparse.ArgumentParser(
        prog="python -m infra.local.offline_model",
        description="A stand-in for a language model: answers by rules, needs no key. Not a language model.",
    )
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default: %(default)s)")
    parser.add_argument("--port", type=int, default=0, help="port to listen on; 0 takes a free one (default)")
    arguments = parser.parse_args(argv)
    stop = told_to_stop()
    try:
        with OfflineModel(arguments.host, arguments.port) as model:
            print(f"{MODEL}: a stand-in by rules, no language model, at {model.base_url}", flush=True)
            stop.wait()
    except OSError as error:
        print(f"{MODEL}: cannot listen on {arguments.host}:{arguments.port}: {error.strerror}", flush=True)
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
