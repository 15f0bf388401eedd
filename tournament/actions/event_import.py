"""An event that comes as a file: all of it, or nothing."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from zoneinfo import available_timezones

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import validate_email, validate_slug
from django.db import OperationalError, transaction
from django.db.models import ImageField, Model
from django.utils.translation import gettext as _
from PIL import Image

from scoring import eventfile
from scoring.reading import fields, items, join, malformed, text
from scoring.refusal import Refusal
from tournament import rulebook
from tournament.actions.accounts import lock_account
from tournament.actions.erasing import take_out, tell_erased
from tournament.images import LOGO
from tournament.models import (
    Event,
    EventVersion,
    LogEntry,
    PlacePromise,
    Player,
    Screen,
    SheetPhoto,
    Sponsor,
    StaffMember,
    Table,
    User,
)
from tournament.models.actors import Actor
from tournament.models.base import new_token
from tournament.models.events import RESERVED_SLUGS
from tournament.models.people import Duty
from tournament.models.photos import private_storage
from tournament.queries.check_event import first_difference
from tournament.queries.event_file import archive, public, whole
from tournament.queries.event_file.kinds import EVENT, FORMAT, IMPORTED, STAFF, Kind
from tournament.queries.event_file.names import Names
from tournament.queries.event_file.values import canonical, check_text, difference, read
from tournament.refusals import Refused

log = logging.getLogger(__name__)

type Photos = Callable[[str], bytes]  # the content of a photo by its name in the file
MOST_SIDE = 4000  # pixels; ours are half as long at most


@dataclass(frozen=True, slots=True)
class EventParts:
    """The documents of a file. Without `private` it is an archive: shown names, no contacts, no
    links, no log."""

    public: Mapping[str, Any]
    private: Mapping[str, Any] | None
    photos: Photos


@dataclass
class _Making:
    """What is made so far. `new`: e-mails of users who had no account before; `saved`: photos that
    lie on the disk."""

    parts: EventParts
    names: Names = field(default_factory=Names)
    new: set[str] = field(default_factory=set)
    saved: list[str] = field(default_factory=list)


def import_event(*, parts: EventParts, by: Actor, slug: str = "") -> Event:
    """Make the event of a file, under its own address or another. Refused is a file that is not
    whole, one whose standings or rows are not those that its facts come to, and one of an event
    that is here already."""
    making = _Making(parts)
    try:
        with _in_words():
            document = _document(parts)  # before anybody has to wait
            with transaction.atomic():
                return _import(making, document, by, slug)
    except BaseException:
        for name in making.saved:
            private_storage().delete(name)
        raise


@contextmanager
def _in_words() -> Iterator[None]:
    """Whatever a file can break is said; what we did not think of stands in the server's log."""
    try:
        yield
    except (Refused, OperationalError):  # a database that is busy says nothing of the file
        raise
    except Refusal as refusal:
        raise Refused(_refused_at(refusal), code="malformed") from refusal
    except Exception as error:  # a damaged or hostile file fails anywhere
        log.warning("An event file was refused: %r", error)
        raise Refused(
            _("The file is damaged, or something in it is not as this software writes it."),
            code="malformed",
        ) from error


def _refused_at(refusal: Refusal) -> str:
    values: dict[str, Any] = dict(refusal.values)
    if refusal.code == "malformed":
        return _("The file is not whole: %(place)s (%(problem)s).") % {
            "place": values.get("place", "–"),
            "problem": values.get("problem", "–"),
        }
    return _("The file holds what the rules do not allow: %(code)s (%(place)s).") % {
        "code": refusal.code,
        "place": values.get("place", "–"),
    }


def _document(parts: EventParts) -> Mapping[str, Any]:
    """All rows, as far as the file has them."""
    for document in (parts.public, parts.private):
        check_text(document)
    facts = eventfile.read(parts.public)
    if "event" not in parts.public:
        raise Refused(
            _("This file has the facts for the standings alone: it is no event that can be made.")
        )
    if parts.private is not None:
        return parts.private
    return archive.archive_rows(parts.public, facts)


def _import(making: _Making, document: Mapping[str, Any], by: Actor, slug: str) -> Event:
    given = fields(document, "", required=("format", "people", "event"), optional=("x",))
    if given["format"] != FORMAT:
        raise malformed("format", "not_known")
    if by.user is not None:
        lock_account(by.user)
    _add_people(making, given["people"])
    event = _event(making, given["event"], slug)
    _fill(making, event, given["event"])
    _compare(event, making.parts)
    if found := first_difference(event):
        raise Refused(
            _("What the file holds does not fit together: %(difference)s") % {"difference": found}
        )
    _erase_again(event, by)
    if by.user is not None:
        StaffMember.objects.update_or_create(
            event=event, user=by.user, defaults={"duty": Duty.ORGANISER}
        )
    LogEntry.objects.record(IMPORTED, event=event, by=by, about=event)
    return event


def _erase_again(event: Event, by: Actor) -> None:
    """Whoever was erased here from the event that the file was made of comes back without a
    name."""
    here = Event.objects.exclude(pk=event.pk).filter(created_at=event.created_at)
    erased = Player.objects.filter(event__in=here, erased_at__isnull=False)
    numbers = set(erased.values_list("number", flat=True))
    for player in event.players.filter(erased_at=None).select_related("event"):
        if player.number in numbers:
            take_out(player)
            tell_erased(player, by)


# --- people ----------------------------------------------------------------------------------


def _add_people(making: _Making, people: object) -> None:
    """Users by e-mail. Whoever has no account here gets one without a password, so that the log
    can name them; it gives no duty, and opens only by a mail to that address."""
    for number, one in enumerate(items(people, "people")):
        place = join("people", number)
        given = fields(one, place, required=("email", "name"))
        email = text(given["email"], join(place, "email"))
        user = User.objects.filter(email=email).first()
        if user is None:
            user = _new_user(email, given["name"], place)
            making.new.add(email)
        making.names.add("user", user.pk, email)


def _new_user(email: str, name: object, place: str) -> User:
    try:
        validate_email(email)
    except ValidationError:
        raise malformed(join(place, "email"), "not_an_address") from None
    if len(email) > 254 or email != email.lower() or not isinstance(name, str) or len(name) > 80:
        raise malformed(place, "too_long")
    return User.objects.create_user(email, None, name=name)


# --- rows ------------------------------------------------------------------------------------


def _event(making: _Making, told: Any, slug: str) -> Event:
    event: Event = _row(making, EVENT, told, "event", None)
    event.slug = slug or event.slug
    _check_settings(event)
    parts = making.parts
    event.extensions = {
        name: document["x"]
        for name, document in (("public", parts.public), ("private", parts.private))
        if document is not None and "x" in document
    }
    if Event.objects.filter(slug=event.slug).exists() or event.slug in RESERVED_SLUGS:
        _check_here(told)
        raise Refused(
            _("There is an event at the address “%(slug)s” already: choose another address.")
            % {"slug": event.slug},
            code="slug",
        )
    event.save_base(raw=True, force_insert=True)
    making.names.add("event", event.pk, "")
    EventVersion.objects.create(event=event)
    return event


def _check_settings(event: Event) -> None:
    """What the database takes, and pages would fall over."""
    try:
        validate_slug(event.slug)
    except ValidationError:
        raise malformed("event.slug", "not_known") from None
    if event.time_zone not in available_timezones():
        raise malformed("event.time_zone", "not_known")
    for name in ("language", "governing_language"):
        if getattr(event, name) not in {"", *(code for code, _name in settings.LANGUAGES)}:
            raise malformed(f"event.{name}", "not_known")
    rulebook.ruleset_of(event)
    if event.lot_seed:
        rulebook.lot_secret(event, 1)


def _fill(making: _Making, event: Event, told: Mapping[str, Any]) -> None:
    """Everything below the event, one kind after the other, so that references find their rows."""
    for kind in EVENT.children:
        _level(making, kind, [(event, told, "event", "")])


type _Above = tuple[Model, Mapping[str, Any], str, str]  # row, what is told, its place, its path


def _level(making: _Making, kind: Kind, above: Sequence[_Above]) -> None:
    """The rows of a kind under all their parents, then what is below them."""
    made: list[_Above] = []
    for parent, told, place, path in above:
        at = join(place, kind.name)
        found = _listed(kind, told[kind.name], at)
        for number, (one, here) in enumerate(found, 1):
            step = "" if kind.one else f"{'.' if path else ''}{number}"
            row = _row(making, kind, one, here, parent)
            if row is not None:
                made.append((row, one, here, path + step))
    _insert(making, kind, [row for row, *_rest in made])
    for row, _told, _place, path in made:
        name = row.number if kind.name == "players" else path  # type: ignore[attr-defined]
        making.names.add(kind.model._meta.model_name or "", row.pk, name)
    for child in kind.children:
        _level(making, child, made)


def _listed(kind: Kind, value: Any, place: str) -> list[tuple[Any, str]]:
    if kind.one:
        return [] if value is None else [(value, place)]
    return [(one, join(place, number)) for number, one in enumerate(items(value, place))]


def _row(making: _Making, kind: Kind, told: Any, place: str, parent: Model | None) -> Any:
    """The row, not stored; None for a duty of somebody who has no account here."""
    names = [one.name for one in kind.fields]
    extra = ["sha256"] if kind.model is SheetPhoto else []
    below = [child.name for child in kind.children]
    given = fields(told, place, required=(*names, *extra, *below))
    if kind is STAFF and not _has_account(making, given["user"]):
        return None
    row = kind.model()
    if parent is not None:
        setattr(row, kind.parent, parent)
    if kind.above:
        setattr(row, kind.above, getattr(parent, kind.above))
    for one in kind.fields:
        if isinstance(one, ImageField):
            continue
        value = read(one, given[one.name], join(place, one.name))
        try:
            setattr(row, one.attname, making.names.to_field(row, one, value))
        except (KeyError, TypeError, IndexError):
            raise malformed(join(place, one.name), "not_known") from None
    if isinstance(row, SheetPhoto):
        _keep_photo(making, row, given, place)
    if isinstance(row, Sponsor):
        _check_logo(row, place)
    if isinstance(row, PlacePromise):
        _check_bands(row, place)
    return row


def _has_account(making: _Making, email: object) -> bool:
    """A duty is for whoever has an account here, not for one that the log needed."""
    user = User.objects.filter(email=email).first() if isinstance(email, str) else None
    if user is None or email in making.new:
        return False
    making.names.add("user", user.pk, email)
    return True


def _insert(making: _Making, kind: Kind, rows: Sequence[Any]) -> None:
    _check_links(kind, rows)
    if any(getattr(one, "auto_now_add", False) for one in kind.fields):
        for row in rows:
            # Raw, or the instant of the import would stand where the file has its own.
            row.save_base(raw=True, force_insert=True)
    else:
        kind.model._default_manager.bulk_create(rows)


def _check_links(kind: Kind, rows: Sequence[Any]) -> None:
    if kind.model not in (Player, Table, Screen):
        return
    blank = [row for row in rows if not row.token]
    for row in blank:
        row.token = new_token()
    _check_free(kind.model, [row.token for row in rows])


def _check_here(told: Any) -> None:
    """Another address would not help an event that is here."""
    players = told["players"] if isinstance(told["players"], list) else []
    tokens = [one.get("token") for one in players if isinstance(one, dict)]
    _check_free(Player, [one for one in tokens if one and isinstance(one, str)])


def _check_free(model: type[Model], tokens: Sequence[str]) -> None:
    if model._default_manager.filter(token__in=tokens).exists():
        raise Refused(_("This event is on this site already: its links are in use."))


# --- photos ----------------------------------------------------------------------------------


def _keep_photo(making: _Making, photo: SheetPhoto, given: Mapping[str, Any], place: str) -> None:
    """The file first, as everywhere; it is deleted again if anything is refused."""
    name = text(given["image"], join(place, "image"))
    content = making.parts.photos(name)
    if hashlib.sha256(content).hexdigest() != given["sha256"]:
        raise Refused(_("The photo %(name)s is missing or damaged.") % {"name": name})
    with Image.open(io.BytesIO(content), formats=("JPEG",)) as image:
        if image.size != (photo.width, photo.height) or max(image.size) > MOST_SIDE:
            raise malformed(join(place, "width"), "out_of_range")
    event_pk = photo.sheet.table.round.event_id
    saved = private_storage().save(f"{event_pk}/{new_token()}.jpg", io.BytesIO(content))
    making.saved.append(saved)
    photo.__dict__["image"] = saved  # without reading its size from the disk again


def _check_logo(sponsor: Sponsor, place: str) -> None:
    """As we make them: a JPEG of its size, and no larger than ours are."""
    if not sponsor.logo:
        return
    content = base64.b64decode(sponsor.logo, validate=True)
    with Image.open(io.BytesIO(content), formats=("JPEG",)) as image:
        if image.size != (sponsor.logo_width, sponsor.logo_height) or max(image.size) > LOGO:
            raise malformed(join(place, "logo_width"), "out_of_range")
        image.load()


def _check_bands(promise: PlacePromise, place: str) -> None:
    """Pairs of whole numbers, which pages compute with."""
    at = join(place, "bands")
    for number, one in enumerate(items(promise.bands, at)):
        pair = items(one, join(at, number))
        if len(pair) != 2 or not all(type(part) is int and 0 <= part < 10_000 for part in pair):
            raise malformed(join(at, number), "out_of_range")


# --- what it comes to ------------------------------------------------------------------------


def _compare(event: Event, parts: EventParts) -> None:
    """What is stored now, written again, must be what was given: standings first, then the rest."""
    event = Event.objects.get(pk=event.pk)
    found = _as_read(public.public_file(event))
    told = _told(parts.public, event)
    standings = ((told.get("event") or {}).get("standings"), found["event"]["standings"])
    if first := difference(*standings):
        raise Refused(
            _(
                "The standings in the file are not those of its facts: %(place)s is %(told)s "
                "there, and comes to %(found)s."
            )
            % _first(first)
        )
    _same(told, found)
    if parts.private is not None:
        told, found = _told(parts.private, event), _as_read(whole.whole_file(event))
        for document in (told, found):
            _without_accounts(document)
        _same(told, found)


def _without_accounts(document: dict[str, Any]) -> None:
    """Accounts are this site's: what they are called, and who has one to have a duty by."""
    document["people"] = [one["email"] for one in document["people"]]
    document["event"] = {**document["event"], "staff": []}


def _as_read(document: Mapping[str, Any]) -> dict[str, Any]:
    """As a file would have it; also refuses numbers that JSON has no words for."""
    found: dict[str, Any] = json.loads(canonical(document))
    return found


def _told(document: Mapping[str, Any], event: Event) -> dict[str, Any]:
    """The document with the address that the event has here."""
    shown = document.get("event") or {}
    if "settings" in shown:
        shown = {**shown, "settings": {**shown["settings"], "slug": event.slug}}
        if not event.lot_seed:
            # An archive knows what was promised by its first lot alone.
            shown["commitment"] = public.public_file(event)["event"]["commitment"]
    else:
        shown = {**shown, "slug": event.slug}
    return {**document, "event": shown}


def _same(told: Mapping[str, Any], found: Mapping[str, Any]) -> None:
    if first := difference(told, found):
        raise Refused(
            _("The file contradicts itself: %(place)s is %(told)s, and comes to %(found)s.")
            % _first(first)
        )


def _first(first: tuple[str, Any, Any]) -> dict[str, str]:
    place, told, found = first
    return {"place": place or "–", "told": _short(told), "found": _short(found)}


def _short(value: Any) -> str:
    shown = str(value)
    return shown if len(shown) <= 60 else f"{shown[:60]}…"
