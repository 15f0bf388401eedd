"""An entry of a phone's outbox, as it is sent."""

from __future__ import annotations

from typing import Any

from django import forms

from tournament.actions.outbox import Kind, OutboxEntry

_TEXT = r"[a-z0-9:/>-]{0,200}"  # `Deal.text`, or nothing


class OutboxEntryForm(forms.Form):
    """The keys of the JSON object that a phone sends (docs/decisions/outbox.md). Lists are text
    with commas."""

    kind = forms.ChoiceField(choices=[(kind.value, kind.value) for kind in Kind])
    players = forms.RegexField(r"\A\d{1,9}(?:,\d{1,9}){0,11}\Z")
    seen = forms.RegexField(rf"\A{_TEXT}(?:,{_TEXT}){{0,19}}\Z", required=False)
    number = forms.IntegerField(min_value=1, max_value=20, required=False)
    roles = forms.RegexField(r"\A[msx]{1,12}\Z", required=False)
    connector = forms.IntegerField(min_value=0, max_value=12, required=False)
    facts = forms.RegexField(r"\A[a-z0-9:/>-]{1,200}\Z", required=False)
    seat = forms.IntegerField(min_value=0, max_value=12, required=False)
    reopened = forms.BooleanField(required=False)

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if data.get("kind") in (Kind.DEAL, Kind.DECLINED):
            if not data.get("number") and "number" not in self.errors:
                self.add_error("number", "missing")
            # A tournament's deal has roles, an edition's facts; nothing has both.
            if bool(data.get("roles")) == bool(data.get("facts")):
                self.add_error("roles", "missing")
        return data

    def entry(self) -> OutboxEntry:
        data = self.cleaned_data
        return OutboxEntry(
            kind=Kind(data["kind"]),
            players=tuple(int(one) for one in data["players"].split(",")),
            seen=tuple(data["seen"].split(",")),
            number=data["number"] or 0,
            roles=data["roles"],
            connector=data["connector"] or None,
            facts=data["facts"],
            seat=data["seat"] or 0,
            reopened=data["reopened"],
        )
