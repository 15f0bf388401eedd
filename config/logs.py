"""The log holds no secret part of an address: it would be a way in for whoever reads it."""

from __future__ import annotations

import logging
import re

LINKS = re.compile(
    r"(/(?:t|p|keep|me|same|places|screen|invitations|series-invitations"
    r"|confirm-email|password/reset/key)/)[\w:%-]{8,}"
)


class HideLinks(logging.Filter):
    """Of links it leaves the beginning."""

    def filter(self, record: logging.LogRecord) -> bool:
        said = record.getMessage()
        hidden = LINKS.sub(r"\1…", said)
        if hidden != said:
            record.msg, record.args = hidden, ()
        return True
