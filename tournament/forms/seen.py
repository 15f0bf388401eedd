"""Forms that change a thing which others may change at the same time."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _


class SeenFieldsMixin(forms.BaseForm):
    """Sends along what was on the screen, so that only what this person changed is written; and a
    field that somebody else has changed meanwhile is shown as it is now, before it is overwritten.

    Only for what exists already: `remember_what_is_seen()` once the initial values are there.
    """

    def remember_what_is_seen(self) -> None:
        for field in self.fields.values():
            field.show_hidden_initial = True
        if self.is_bound:
            self.data = self.data.copy()  # type: ignore[attr-defined] # what is shown counts as seen

    @property
    def fields_to_write(self) -> set[str]:
        """What this person changed; and what came without saying what was seen."""
        return {name for name in self.fields if self._seen(name) is None} | set(self.changed_data)

    def refuse_changed_meanwhile(self) -> None:
        """For `clean`: an error at each field that this person has changed, and somebody else since
        the page was loaded. It shows what stands there now, so saving once more overwrites it."""
        for name in self.changed_data:
            seen, now = self._seen(name), self._now(name)
            if seen is None or seen == now:
                continue
            self.data[self[name].html_initial_name] = now  # type: ignore[index]
            self.add_error(
                name,
                ValidationError(
                    _("Somebody else has changed this meanwhile: “%(now)s”. Save again for yours."),
                    params={"now": now},
                ),
            )

    def _seen(self, name: str) -> str | None:
        sent: Any = self.data.get(self[name].html_initial_name)
        return None if sent is None else str(sent)

    def _now(self, name: str) -> str:
        field = self.fields[name]
        value = field.hidden_widget().format_value(field.prepare_value(self[name].initial))
        return "" if value is None else str(value)
