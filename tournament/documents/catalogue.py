"""Everything that can be printed: the page of prints shows them in this order."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.translation import gettext_lazy as _

from tournament.documents import sheets
from tournament.documents.ask import Document

DOCUMENTS: Mapping[str, Document] = {
    "sheets": Document(_("Scoresheets"), True, sheets.facts, sheets.parts),
}
