"""`./dev serve`: a club's laptop in the venue's network, with production settings and no set-up.

What production demands is made here once: the secret key is kept in the data folder, and the
address is the one by which phones in the same network reach this machine.
"""

from __future__ import annotations

import argparse
import os
import socket
import sys
from pathlib import Path
from urllib.parse import urlsplit

from django.core.management import execute_from_command_line

from config import env

DATA_DIR = Path(env.text("LODESTAR_DATA_DIR", str(Path(__file__).resolve().parent.parent / "var")))
PORT = "8000"
EVERYWHERE = "0.0.0.0"  # noqa: S104 - phones have to reach the laptop


def own_address() -> str:
    """This machine's address in the local network; nothing is sent to find it out."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # An address kept for examples: connecting a datagram socket only chooses the way there.
            probe.connect(("192.0.2.1", 9))
        except OSError:
            # No network at all: the laptop reaches itself.
            return "127.0.0.1"
        return str(probe.getsockname()[0])


def arguments(args: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="./dev serve")
    parser.add_argument("address", nargs="?", default=PORT, help="[ADDRESS:]PORT")
    parser.add_argument("--copy", metavar="FOLDER", help="keep a second copy here: a stick, say")
    return parser.parse_args(args)


def main(args: list[str]) -> None:
    given = arguments(args)
    if given.copy:
        os.environ["LODESTAR_COPY_DIR"] = given.copy
    host, _sep, port = given.address.rpartition(":")
    # To listen everywhere is no address that a phone could open.
    reached = own_address() if host in ("", EVERYWHERE) else host
    key = env.secret_key("LODESTAR_SECRET_KEY", DATA_DIR / "secret_key", generate=True)
    os.environ["LODESTAR_SECRET_KEY"] = key
    site = env.site("LODESTAR_SITE_URL", f"http://{reached}:{port or PORT}")
    os.environ["LODESTAR_SITE_URL"] = site
    # Also the name that the network gives this machine, where one is set.
    hosts = f"{urlsplit(site).hostname},{reached},localhost,127.0.0.1"
    os.environ["LODESTAR_ALLOWED_HOSTS"] = env.text("LODESTAR_ALLOWED_HOSTS", hosts)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    execute_from_command_line(["manage.py", "serve", f"{host or EVERYWHERE}:{port or PORT}"])


if __name__ == "__main__":
    main(sys.argv[1:])
