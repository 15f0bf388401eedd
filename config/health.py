"""`python -m config.health`: exit status 0 if the server of this container answers."""

from __future__ import annotations

import os
import sys
from http.client import HTTPConnection
from urllib.parse import urlsplit


def healthy(port: int = 8000) -> bool:
    # Another name would be refused by ALLOWED_HOSTS, and 127.0.0.1 need not be one of them.
    host = urlsplit(os.environ.get("LODESTAR_SITE_URL", "")).hostname or "localhost"
    connection = HTTPConnection("127.0.0.1", port, timeout=4)
    try:
        connection.request("GET", "/health/", headers={"Host": host})
        return connection.getresponse().status == 200
    except OSError:
        return False
    finally:
        connection.close()


if __name__ == "__main__":
    sys.exit(0 if healthy() else 1)
