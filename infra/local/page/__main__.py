"""`python -m infra.local.page --settings FILE --port N`: serve until told to stop."""

from __future__ import annotations

import argparse
from pathlib import Path

from infra.local.page.server import PageServer
from infra.local.stand_ins import told_to_stop


def main(argv: list[str] | None = None) -> int:
    """Serve until SIGINT or SIGTERM; 0 when it ended as asked, 1 when the port is taken."""
    parser = argparse.ArgumentParser(prog="python -m infra.local.page", description=__doc__)
    parser.add_argument("--settings", type=Path, required=True, help="what config.json says; read for each answer")
    parser.add_argument("--port", type=int, default=0, help="port to listen on; 0 takes a free one (default)")
    arguments = parser.parse_args(argv)
    stop = told_to_stop()
    try:
        with PageServer(arguments.settings, arguments.port) as page:
            print(f"page: at {page.url}", flush=True)
            stop.wait()
    except OSError as error:
        print(f"page: cannot listen on port {arguments.port}: {error.strerror}", flush=True)
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
