"""`./dev serve`: a club's laptop in the venue's network, with production settings and no set-up.

What production demands is made here once: the secret key is kept in the data folder, and the
address is the one by which phones in the same network reach this machine.
"""

from __future__ import annotations

import os
import socket
import sys
from pathlib import Path

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


def main(args: list[str]) -> None:
    host, _sep, port = (args[0] if args else PORT).rpartition(":")
    # To listen everywhere is no address that a phone could open.
    reached = own_address() if host in ("", EVERYWHERE) else host
    key = env.secret_key("LODESTAR_SECRET_KEY", DATA_DIR / "secret_key", generate=True)
    os.environ["LODESTAR_SECRET_KEY"] = key
    os.environ.setdefault("LODESTAR_SITE_URL", f"http://{reached}:{port or PORT}")
    os.environ.setdefault("LODESTAR_ALLOWED_HOSTS", f"{reached},localhost,127.0.0.1")
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    execute_from_command_line(["manage.py", "serve", f"{host or EVERYWHERE}:{port or PORT}"])


if __name__ == "__main__":
    main(sys.argv[1:])
