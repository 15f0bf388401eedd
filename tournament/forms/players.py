"""Registration by oneself, and entries by the organiser."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from copy import copy
from dataclasses import replace
from typing import Any, ClassVar

from django import forms
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.utils.translation import gettext_lazy as _

from tournament.actions.players import PlayerEntry
from tournament.forms.fields import MailAddressField, NameField, SentenceField
from tournament.forms.seen import SeenFieldsMixin
from tournament.models import Event, Player
from tournament.names import NameStyle, tells_whole

STYLE_CHOICES = [
    (NameStyle.FULL, _("My full name")),
    (NameStyle.INITIAL, _("First name and the first letter of the surname")),
    (NameStyle.ALIAS, _("Another name that I choose")),
    (NameStyle.NUMBER, _("My start number only")),
]
LEAST_DIGITS = 6  # of a phone
UNREACHABLE = _("This is no e-mail and no phone.")
AGREES = _(
    "I am the parent or guardian. I agree that this person takes part, and to what happens to "
    "their data"
)


def is_reachable(text: str) -> bool:
    """Whether it looks like an e-mail or a phone."""
    try:
        validate_email(text)
    except ValidationError:
        return len(re.findall(r"\d", text)) >= LEAST_DIGITS
    return True


def ticket_address(data: Mapping[str, Any]) -> str:
    """Of a child without an e-mail the ticket goes to who answers for them."""
    if data.get("email") or not data.get("minor"):
        return data.get("email") or ""
    with suppress(ValidationError):
        return str(MailAddressField().clean(data.get("guardian_contact")))
    return ""


class GuardianForm(forms.Form):
    """Who answers for somebody under 18, as they say it themselves: all of it is needed."""

    guardian = NameField(
        label=_("Name of the parent or guardian"),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    guardian_contact = SentenceField(
        label=_("E-mail or phone of the parent or guardian"),
        limit=100,
        help_text=_("Only the organiser sees it. It is erased with the other contacts."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    guardian_agrees = forms.BooleanField(label=AGREES)
    takes_back = forms.BooleanField(label=_("I no longer agree"), required=False)

    def __init__(self, *args: Any, player: Player, **kwargs: Any) -> None:
        self.player = player
        kwargs["initial"] = {
            "guardian": player.guardian,
            "guardian_contact": player.guardian_contact,
        }
        super().__init__(*args, **kwargs)
        agreed = player.guardian_agreed_at is not None
        del self.fields["guardian_agrees" if agreed else "takes_back"]

    def clean_guardian_contact(self) -> str:
        text: str = self.cleaned_data["guardian_contact"]
        if not is_reachable(text):
            raise ValidationError(UNREACHABLE)
        return text


class MinorsForm(forms.Form):
    """Whether somebody is under 18, and who answers for them: not asked by an event that admits
    none, but of who is known to be."""

    minor = forms.BooleanField(
        label=_("Under 18"),
        required=False,
        help_text=_("Everybody sees a first name and an initial at most."),
    )
    guardian = NameField(
        label=_("Parent or guardian"),
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    guardian_contact = SentenceField(
        label=_("Their e-mail or phone"),
        limit=100,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    guardian_agrees = forms.BooleanField(label=_("They have agreed"), required=False)

    OF_MINORS: ClassVar[tuple[str, ...]] = (
        "minor",
        "guardian",
        "guardian_contact",
        "guardian_agrees",
    )

    def ask_of_minors(self, *, asks: bool) -> None:
        """Before how everybody sees them, which hangs on it; or not at all."""
        for name in self.OF_MINORS:
            self.fields[name].asked_when_chosen = True  # type: ignore[attr-defined]
            if not asks:
                del self.fields[name]
        names = [name for name in self.fields if name not in self.OF_MINORS]
        place = names.index("name_style") if "name_style" in names else len(names)
        self.order_fields([*names[:place], *self.OF_MINORS, *names[place:]])
        if asks and self.data.get("minor") and self.data.get("name_style") == NameStyle.FULL:
            data: Any = copy(self.data)  # what a browser sent cannot be changed
            data["name_style"] = NameStyle.INITIAL
            self.data = data

    def of_minors(self, data: Mapping[str, Any]) -> dict[str, Any]:
        """What was said of it, as an entry has it."""
        return {name: data[name] for name in self.OF_MINORS if name in data}


class PlayerForm(SeenFieldsMixin, MinorsForm):
    """One entry, as the organiser types it: only the name is needed."""

    name = NameField(label=_("Name"), widget=forms.TextInput(attrs={"autocomplete": "off"}))
    email = MailAddressField(label=_("E-mail"), required=False)
    phone = forms.CharField(
        label=_("Phone"),
        required=False,
        max_length=30,
        widget=forms.TextInput(attrs={"type": "tel", "autocomplete": "off"}),
    )
    name_style = forms.ChoiceField(
        label=_("Name in public"), choices=STYLE_CHOICES, initial=NameStyle.FULL
    )
    alias = NameField(label=_("The other name"), required=False)
    note = forms.CharField(label=_("Note for the organiser"), required=False, max_length=200)
    rather_not_deal = forms.BooleanField(label=_("Would rather not deal"), required=False)
    age_confirmed = forms.BooleanField(label=_("Of age"), required=False)
    unranked = forms.BooleanField(
        label=_("Stands in, without a rank"),
        required=False,
        help_text=_("Seated and scored, but never ranked, qualified or given a prize."),
    )

    keeps_name = forms.BooleanField(
        label=_("The name stays in the results"),
        required=False,
        help_text=_("Else it is erased when its time has come."),
    )

    def __init__(
        self,
        *args: Any,
        event: Event,
        player: Player | None = None,
        minors: bool = False,
        **kwargs: Any,
    ) -> None:
        """`player`: whose entry is changed; None for a new one. `minors`: asked of also where the
        event admits none."""
        if player is not None:
            kwargs["initial"] = self.initial_of(player)
        super().__init__(*args, **kwargs)
        self.player = player
        self.fields["alias"].asked_when_chosen = True  # type: ignore[attr-defined]
        if event.minimum_age:
            self.fields["age_confirmed"].label = _("%(age)d or older") % {"age": event.minimum_age}
        else:
            del self.fields["age_confirmed"]
        known = player is not None and player.minor
        self.ask_of_minors(asks=event.admits_minors or minors or known)
        if player is not None:
            self.remember_what_is_seen()

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        self.refuse_changed_meanwhile()
        missing = data.get("name_style") == NameStyle.ALIAS and not data.get("alias")
        if missing and "alias" not in self.errors:
            self.add_error("alias", _("Write the name to be shown."))
        if data.get("minor"):
            self._clean_minor(data)
        return data

    def _clean_minor(self, data: dict[str, Any]) -> None:
        if data.get("name_style") == NameStyle.ALIAS and tells_whole(
            data.get("alias") or "", data.get("name") or ""
        ):
            self.add_error(
                "alias", _("Nobody under 18 is shown by the full name: choose another one.")
            )

    def entry(self) -> PlayerEntry:
        """What was typed; of an entry that exists, what was not changed stays as it is."""
        data = self.cleaned_data
        if self.player is not None:
            data = {**self.initial, **{name: data[name] for name in self.fields_to_write}}
        return PlayerEntry(
            name=data["name"],
            email=ticket_address(data),
            phone=data.get("phone", ""),
            name_style=data["name_style"],
            alias=data.get("alias", "") if data["name_style"] == NameStyle.ALIAS else "",
            age_confirmed=data.get("age_confirmed", False),
            note=data.get("note", ""),
            willing_to_deal=not data["rather_not_deal"],
            unranked=data.get("unranked", False),
            keeps_name=data["keeps_name"],
            **self.of_minors(data),
        )

    @staticmethod
    def initial_of(player: Player) -> dict[str, Any]:
        return {
            "name": player.name,
            "email": player.email,
            "phone": player.phone,
            "name_style": player.name_style,
            "alias": player.alias,
            "note": player.note,
            "rather_not_deal": not player.willing_to_deal,
            "age_confirmed": player.age_confirmed,
            "unranked": player.unranked,
            "keeps_name": player.keeps_name,
            "minor": player.minor,
            "guardian": player.guardian,
            "guardian_contact": player.guardian_contact,
            "guardian_agrees": player.guardian_agreed_at is not None,
        }


class NamesakeForm(forms.Form):
    """Asks, where somebody of this name is in the list, whether this is another person."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if "namesake" in self.data:
            self.ask_namesake()

    def ask_namesake(self) -> None:
        self.fields["namesake"] = forms.BooleanField(
            label=_("This is another person of the same name"), required=False
        )

    @property
    def is_namesake(self) -> bool:
        return bool(self.cleaned_data.get("namesake"))


class NewPlayerForm(NamesakeForm, PlayerForm):
    """Somebody whom the organiser adds."""

    def entry(self) -> PlayerEntry:
        return replace(super().entry(), namesake=self.is_namesake)


class RegistrationForm(PlayerForm):
    """A person registers: with an e-mail for the ticket, and the tick where there is an age."""

    def __init__(self, *args: Any, event: Event, **kwargs: Any) -> None:
        super().__init__(*args, event=event, **kwargs)
        del self.fields["unranked"]  # for the staff to say
        self.fields["name"].label = _("Your name")
        self.fields["name"].widget.attrs["autocomplete"] = "name"
        email = self.fields["email"]
        email.label, email.required = _("Your e-mail"), True
        email.help_text = _("Your ticket goes there. Only the organiser sees it.")
        email.widget.attrs["autocomplete"] = "email"
        self.fields["phone"].widget.attrs["autocomplete"] = "tel"
        self.fields["name_style"].label = _("How everybody sees you")
        self.fields["name_style"].widget = forms.RadioSelect(choices=STYLE_CHOICES)
        self.fields["note"].label = _("Anything the organiser should know")
        self.fields["rather_not_deal"].label = _(
            "I would rather not deal: somebody else at my table keeps the score"
        )
        keeps = self.fields["keeps_name"]
        keeps.label = _("Keep my name in the results for good")
        keeps.help_text = _(
            "Without it your name is erased %(days)d days after the event, unless you are among "
            "the first three. Your e-mail and phone go after %(contact)d days in any case."
        ) % {"days": event.name_days, "contact": event.contact_days}
        if event.minimum_age:
            tick = self.fields["age_confirmed"]
            tick.required = True
            tick.label = _("I am %(age)d or older") % {"age": event.minimum_age}
            tick.error_messages["required"] = _(
                "Please confirm your age: this event is for people of %(age)d and over."
            ) % {"age": event.minimum_age}
        if event.admits_minors:
            self._ask_a_guardian(event.minimum_age)

    def _ask_a_guardian(self, minimum_age: int) -> None:
        tick = self.fields["minor"]
        tick.label = _("This person is under 18")
        tick.help_text = _(
            "Then a parent or guardian registers them. Everybody sees the first name and an "
            "initial at most, or another name, and no picture of them is published."
        )
        # Whoever fills it in need not be who plays.
        self.fields["name"].label = _("Name of who plays")
        self.fields["email"].label = _("E-mail for the ticket")
        self.fields["email"].help_text = _("The ticket goes there. Only the organiser sees it.")
        if "age_confirmed" in self.fields:
            self.fields["age_confirmed"].label = _("%(age)d or older") % {"age": minimum_age}
        own = GuardianForm.base_fields
        for name in ("guardian", "guardian_contact", "guardian_agrees"):
            self.fields[name].label = own[name].label
            self.fields[name].help_text = own[name].help_text

    def _clean_minor(self, data: dict[str, Any]) -> None:
        super()._clean_minor(data)
        for name, said in (
            ("guardian", _("Write the name of the parent or guardian.")),
            ("guardian_contact", _("Write an e-mail or a phone of the parent or guardian.")),
            ("guardian_agrees", _("A parent or guardian has to agree.")),
        ):
            if not data.get(name) and name not in self.errors:
                self.add_error(name, said)
        contact = data.get("guardian_contact")
        if contact and not is_reachable(contact):
            self.add_error("guardian_contact", UNREACHABLE)


class EmailForm(forms.Form):
    """An address, as it is typed on a phone."""

    email = MailAddressField(
        label=_("Your e-mail"),
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
    )


class WalkInForm(NamesakeForm, MinorsForm):
    name = NameField(label=_("Name"))
    age_confirmed = forms.BooleanField(label=_("Of age"), required=False)
    unranked = forms.BooleanField(label=_("Stands in, without a rank"), required=False)

    def __init__(self, *args: Any, event: Event, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if event.minimum_age:
            tick = self.fields["age_confirmed"]
            tick.label = _("%(age)d or older") % {"age": event.minimum_age}
        else:
            del self.fields["age_confirmed"]
        self.ask_of_minors(asks=event.admits_minors)

    def entry(self) -> PlayerEntry:
        return PlayerEntry(
            **self.of_minors(self.cleaned_data),
            email=ticket_address(self.cleaned_data),
            name=self.cleaned_data["name"],
            age_confirmed=self.cleaned_data.get("age_confirmed", False),
            namesake=self.is_namesake,
            unranked=self.cleaned_data["unranked"],
        )
