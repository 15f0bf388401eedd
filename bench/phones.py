"""A hall full of phones as asyncio has it: each keeps a connection, asks every five seconds and
fetches what has changed, as `static/js/live.js` does."""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import json
import random
import time
from dataclasses import dataclass, field

EVERY = 5.0  # seconds


@dataclass
class Hall:
    """What all phones together have seen. `news`: when each had the part with another version."""

    host: str
    port: int
    slug: str
    part: str = "seats"
    language: str = "en"
    news: list[float] = field(default_factory=list)
    slow: list[float] = field(default_factory=list)
    errors: int = 0
    stop: bool = False

    async def visit(self, phones: int, until: asyncio.Event) -> None:
        """So many phones, spread over the five seconds, until told."""
        visits = [asyncio.create_task(self._phone(EVERY * n / phones)) for n in range(phones)]
        await until.wait()
        self.stop = True
        for visit in visits:
            visit.cancel()
        await asyncio.gather(*visits, return_exceptions=True)

    async def _phone(self, wait: float) -> None:
        await asyncio.sleep(wait)
        reader, writer = await asyncio.open_connection(self.host, self.port)
        etag, seen = "", None
        try:
            while not self.stop:
                begun = time.perf_counter()
                status, headers, body = await self._get(reader, writer, f"/live/{self.slug}/", etag)
                self.slow.append(time.perf_counter() - begun)
                if status == 200:
                    etag = headers["etag"]
                    now = json.loads(body)["parts"][self.part][self.language]
                    if seen is not None and now != seen:
                        address = f"/live/{self.slug}/{self.part}/{self.language}/?v={now}"
                        _status, _headers, body = await self._get(reader, writer, address, "")
                        assert body
                        self.news.append(time.time())
                    seen = now
                elif status != 304:
                    self.errors += 1
                await asyncio.sleep(EVERY * random.uniform(0.8, 1.2))
        except (OSError, asyncio.IncompleteReadError, KeyError):
            self.errors += 1
        finally:
            writer.close()
            with contextlib.suppress(OSError, asyncio.CancelledError):
                await writer.wait_closed()

    async def _get(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        address: str,
        etag: str,
    ) -> tuple[int, dict[str, str], bytes]:
        lines = [f"GET {address} HTTP/1.1", f"Host: {self.host}", "Accept-Encoding: gzip"]
        lines += [f"If-None-Match: {etag}"] if etag else []
        writer.write("\r\n".join([*lines, "\r\n"]).encode())
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        headers = {
            name.lower(): value
            for name, _colon, value in (line.partition(": ") for line in head[1:])
        }
        body = await reader.readexactly(int(headers.get("content-length", 0)))
        if headers.get("content-encoding") == "gzip":
            body = gzip.decompress(body)
        return int(head[0].split()[1]), headers, body
