"""`python -m infra.local.issuer --key FILE --port N [--redirect URL …]`: serve until told to stop."""

from __future__ import annotations

import argparse
from pathlib import Path

from infra.local.issuer.keys import kept_key
from infra.local.issuer.requests import Clients
from infra.local.issuer.server import Issuer
from infra.local.stand_ins import told_to_stop
from infra.local.token import believed


def main(argv: list[str] | None = None) -> int:
    """Serve until SIGINT or SIGTERM; 0 when it ended as asked, 1 when the port is taken."""
    parser = argparse.ArgumentParser(prog="python -m infra.local.issuer", description=__doc__)
    parser.add_argument("--key", type=Path, required=True, help="file of its private key, made where there is none")
    parser.add_argument("--port", type=int, default=0, help="port to listen on; 0 takes a free one (default)")
    parser.add_argument(
        "--redirect", action="append", default=[], metavar="URL", help="where users may be sent back to; may come again"
    )
    arguments = parser.parse_args(argv)
    stop = told_to_stop()
    try:
        with Issuer(kept_key(arguments.key), arguments.port, _clients(arguments.redirect)) as issuer:
            print(f"issuer: a stand-in for tests, at {issuer.url}", flush=True)
            stop.wait()
    except OSError as error:
        print(f"issuer: cannot listen on port {arguments.port}: {error.strerror}", flush=True)
        return 1
    return 0


def _clients(redirects: list[str]) -> Clients:
    oidc = believed()
    return Clients(audiences=oidc.audiences, redirects=frozenset(redirects), scopes=frozenset(oidc.scopes))


if __name__ == "__main__":
    raise SystemExit(main())
