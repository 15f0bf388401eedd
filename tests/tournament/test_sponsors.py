"""Who stands behind an event: organisers, contact, sponsors; and which text of the rules holds."""

from __future__ import annotations

import base64
import io
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest
from django.core import mail
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from PIL import Image
from pypdfium2.raw import FPDF_PAGEOBJ_IMAGE

from tests.factories import PHOTO, make_event, make_player, organiser, organiser_of
from tests.pages import flat
from tests.tournament.test_event_file import packed, taken_in, unpacked, wipe
from tests.tournament.test_printed_documents import print_it
from tests.tournament.test_prizes import settled
from tournament.actions.announcements import send_announcement
from tournament.actions.events import change_settings, finish_event
from tournament.actions.sponsors import MOST, add_sponsor, change_sponsor, remove_sponsor
from tournament.documents.event_archive import event_archive
from tournament.documents.layout.geometry import Box
from tournament.documents.layout.logos import Logo, logos_in_a_row
from tournament.images import LOGO
from tournament.models import Event, Sponsor
from tournament.queries.log import log_of, log_rows
from tournament.refusals import Refused

if TYPE_CHECKING:
    from pytest_django import DjangoCaptureOnCommitCallbacks

pytestmark = pytest.mark.django_db
FACTS = {"name": "Mercado", "link": "https://example.org/", "place": 1}


def add(event: Event, **more: Any) -> Sponsor:
    return add_sponsor(event=event, facts=FACTS | more, logo=None, by=organiser(event))


def told() -> Event:
    """An event with all that can be told of those behind it."""
    event = make_event(
        organisers="Club Topo\nLa Tienda", contact="ask@example.org", governing_language="es"
    )
    add(event)
    add(event, name="Imprenta", link="", place=2)
    return event


def signed_in(event: Event) -> Client:
    client = Client()
    client.force_login(organiser_of(event))
    return client


def picture(kind: str, size: tuple[int, int] = (1200, 300), mode: str = "RGBA") -> bytes:
    out = io.BytesIO()
    Image.new(mode, size, (200, 30, 30, 0)[: len(mode)]).save(out, kind)
    return out.getvalue()


# --- where it stands ---------------------------------------------------------------------------


def test_the_event_and_its_rules_tell_who_to_ask_and_which_text_holds() -> None:
    event = told()
    page = flat(Client().get(reverse("event", args=[event.slug])))
    assert "Club Topo<br>La Tienda" in page
    assert 'href="mailto:ask@example.org"' in page
    assert 'href="https://example.org/" rel="noopener nofollow sponsored"' in page
    assert page.index("Mercado") < page.index("Imprenta")
    rules = flat(Client().get(reverse("rules", args=[event.slug])))
    assert "If texts differ, the version in Spanish holds." in rules
    assert "ask@example.org" in rules


def test_nothing_is_said_where_nothing_is_set() -> None:
    event = make_event()
    assert "Sponsors" not in flat(Client().get(reverse("event", args=[event.slug])))
    assert "texts differ" not in flat(Client().get(reverse("rules", args=[event.slug])))


def test_mails_say_who_organises_and_where_to_ask(
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    event = told()
    make_player(event, "Ana", email="ana@example.org")
    with django_capture_on_commit_callbacks(execute=True):
        send_announcement(
            event=event, audience="here", subject="", text="Hello", by=organiser(event)
        )
    body = mail.outbox[-1].body
    assert "Questions to: ask@example.org" in body
    assert "With the support of: Mercado, Imprenta" in body


def test_the_notice_of_rules_names_them() -> None:
    printed = print_it(told(), "rules")
    assert printed is not None
    assert printed.count == 1
    for words in ("Club Topo · La Tienda", "Mercado, Imprenta", "the version in Spanish holds"):
        assert words in printed.texts[0]


def test_settings_are_changed_at_any_time_and_logged() -> None:
    event = told()
    Event.objects.filter(pk=event.pk).update(frozen_rules={"rounds_planned": 3})
    change_settings(event=event, settings={"contact": "600 600 600"}, by=organiser(event))
    (row,) = log_rows(log_of(event)[:1])
    assert row.details == ["Contact for questions: ask@example.org → 600 600 600"]


# --- sponsors ----------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["PNG", "WEBP", "JPEG"])
def test_a_logo_is_drawn_anew_small_and_served_as_ours(kind: str) -> None:
    event = make_event()
    content = picture(kind, mode="RGB" if kind == "JPEG" else "RGBA")
    file = SimpleUploadedFile("../evil.svg", content, content_type="image/svg+xml")
    client, address = signed_in(event), reverse("sponsors", args=[event.slug])
    assert client.post(address, FACTS | {"logo": file}).status_code == 302
    sponsor = event.sponsors.get()
    assert (sponsor.logo_width, sponsor.logo_height) == (LOGO, LOGO // 4)
    served = Client().get(reverse("sponsor_logo", args=[event.slug, sponsor.pk]))
    assert served.headers["Content-Type"] == "image/jpeg"
    assert served.headers["X-Content-Type-Options"] == "nosniff"
    with Image.open(io.BytesIO(served.content), formats=("JPEG",)) as image:
        assert image.size == (LOGO, LOGO // 4)
    page = flat(Client().get(reverse("event", args=[event.slug])))
    assert f"?v={sponsor.logo_mark}" in page


def test_a_logo_stands_on_the_diplomas_beside_the_names() -> None:
    event = settled()
    by = organiser(event)
    add_sponsor(event=event, facts=FACTS, logo=PHOTO, by=by)
    add_sponsor(event=event, facts=FACTS | {"name": "Imprenta"}, logo=None, by=by)
    finish_event(event=event, by=by)
    event.refresh_from_db()
    printed = print_it(event, "diplomas")
    assert printed is not None
    assert "With the support of: Mercado, Imprenta" in printed.texts[0]
    objects = [one.type for one in printed.document[0].get_objects()]
    assert objects.count(FPDF_PAGEOBJ_IMAGE) == 1


@pytest.mark.parametrize("ratios", [[1.0], [4.0] * 12, [0.25, 9.0]])
def test_logos_stay_in_their_row(ratios: list[float]) -> None:
    box = Box(34, 180, 220, 7.5)
    places = [one.box for one in logos_in_a_row([Logo("", one) for one in ratios], box)]
    assert places[0].x >= box.x - 1e-6
    assert places[-1].x + places[-1].w <= box.x + box.w + 1e-6
    assert all(one.x + one.w < two.x for one, two in pairwise(places))
    assert all(box.y - 1e-6 <= one.y <= one.y + one.h <= box.y + box.h + 1e-6 for one in places)
    assert [one.w / one.h for one in places] == pytest.approx(ratios)


@pytest.mark.parametrize(
    "content", [b"", b"<svg onload='alert(1)'/>", picture("PNG")[:200], b"GIF89a" + b"0" * 50]
)
def test_what_is_no_picture_is_told_and_nothing_typed_is_lost(content: bytes) -> None:
    event = make_event()
    file = SimpleUploadedFile("logo.png", content or b" ", content_type="image/png")
    page = signed_in(event).post(reverse("sponsors", args=[event.slug]), FACTS | {"logo": file})
    assert page.status_code == 422
    assert 'value="Mercado"' in flat(page)
    assert not event.sponsors.exists()


@pytest.mark.parametrize("link", ["javascript:alert(1)", "data:text/html,x", "x y"])
def test_a_link_leads_to_the_web_alone(link: str) -> None:
    event = make_event()
    page = signed_in(event).post(reverse("sponsors", args=[event.slug]), FACTS | {"link": link})
    assert page.status_code == 422
    assert not event.sponsors.exists()


def test_a_change_keeps_the_logo_unless_it_is_dropped_or_another_comes() -> None:
    event = make_event()
    by = organiser(event)
    sponsor = add_sponsor(event=event, facts=FACTS, logo=PHOTO, by=by)
    address = reverse("sponsor", args=[event.slug, sponsor.pk])
    client = signed_in(event)
    client.post(address, FACTS | {"name": "El Mercado"})
    sponsor.refresh_from_db()
    assert (sponsor.name, bool(sponsor.logo)) == ("El Mercado", True)
    assert log_rows(log_of(event)[:1])[0].details == ["Name: Mercado → El Mercado"]
    client.post(address, FACTS | {"name": "El Mercado", "drop_logo": "on"})
    sponsor.refresh_from_db()
    assert (sponsor.logo, sponsor.logo_width) == ("", 0)
    logo = reverse("sponsor_logo", args=[event.slug, sponsor.pk])
    assert Client().get(logo).status_code == 404
    remove_sponsor(sponsor=sponsor, by=by)
    with pytest.raises(Refused, match="removed already"):
        change_sponsor(sponsor=sponsor, facts=FACTS, logo=None, drop_logo=False, by=by)
    assert "Name: El Mercado → –" in log_rows(log_of(event)[:1])[0].details


def test_there_are_not_more_than_a_page_can_hold() -> None:
    event = make_event()
    for _ in range(MOST):
        add(event)
    with pytest.raises(Refused, match=f"There are {MOST} sponsors already"):
        add(event)


def test_a_draft_shows_its_logos_to_its_staff_alone() -> None:
    event = make_event(published=False)
    sponsor = add_sponsor(event=event, facts=FACTS, logo=PHOTO, by=organiser(event))
    address = reverse("sponsor_logo", args=[event.slug, sponsor.pk])
    assert Client().get(address).status_code == 404
    assert signed_in(event).get(address).status_code == 200


@pytest.mark.parametrize("logo", [b"<svg/>", PHOTO.jpeg, b"\xff\xd8\xff"])
def test_a_file_brings_logos_as_we_make_them_and_no_others(logo: bytes) -> None:
    event = told()
    members = unpacked(event_archive(event))
    wipe(event)
    first = members["private.json"]["event"]["sponsors"][0]
    first.update(logo=base64.b64encode(logo).decode(), logo_width=1, logo_height=1)
    with pytest.raises(Refused):
        taken_in(packed(members))
