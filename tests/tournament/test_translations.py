"""The catalogues are whole, they fit the source, and a page in Spanish holds no English."""

from __future__ import annotations

import gettext
import os
import re
import shutil
import subprocess
import sys
from html import unescape
from pathlib import Path
from typing import TYPE_CHECKING

import polib
import pytest
from django.conf import settings as configured
from django.core import mail
from django.urls import reverse
from django.utils import translation

from config.catalogues import LOCALE, compile_catalogues
from tests import factories
from tournament.games import EDITION_WORDS, TOURNAMENT, GameWords
from tournament.links import ticket_url
from tournament.models.actors import Actor
from tournament.simulation import tables_of

if TYPE_CHECKING:
    from django.test import Client
    from pytest_django import DjangoCaptureOnCommitCallbacks, Settings

pytestmark = pytest.mark.django_db

ROOT = LOCALE.parent
TRANSLATED = [code for code, _ in configured.LANGUAGES if code != "en"]
PLACEHOLDER = re.compile(r"%\(\w+\)[sd]")


def catalogue(code: str) -> polib.POFile:
    return polib.pofile(str(LOCALE / code / "LC_MESSAGES" / "django.po"))


def keys(file: polib.POFile) -> set[tuple[str | None, str]]:
    return {(entry.msgctxt, entry.msgid) for entry in file}


# --- The catalogues by themselves ---------------------------------------------------------


@pytest.mark.parametrize("code", TRANSLATED)
def test_every_text_is_translated(code: str) -> None:
    file = catalogue(code)
    assert not [entry.msgid for entry in file.untranslated_entries()]
    assert not [entry.msgid for entry in file.fuzzy_entries()]


@pytest.mark.parametrize("code", TRANSLATED)
def test_every_placeholder_is_kept(code: str) -> None:
    wrong = []
    for entry in catalogue(code):
        forms = [(entry.msgid, entry.msgstr)]
        if entry.msgid_plural:
            forms = [
                (entry.msgid if form == 0 else entry.msgid_plural, text)
                for form, text in entry.msgstr_plural.items()
            ]
        wrong += [
            (english, text)
            for english, text in forms
            if set(PLACEHOLDER.findall(english)) != set(PLACEHOLDER.findall(text))
        ]
    assert not wrong


@pytest.mark.parametrize("game", [TOURNAMENT, *EDITION_WORDS.values()], ids=lambda one: one.edition)
@pytest.mark.parametrize("code", ["en", *TRANSLATED])
def test_each_role_of_a_game_keeps_a_letter_of_its_own(code: str, game: GameWords) -> None:
    with translation.override(code):
        letters = [str(role.letter) for role in game.roles.values()]
    assert len(set(letters)) == len(letters)
    assert all(len(letter) == 1 for letter in letters)


def test_a_role_keeps_its_letter_on_every_page() -> None:
    for code in TRANSLATED:
        letters = {
            entry.msgctxt: entry.msgstr
            for entry in catalogue(code)
            if (entry.msgctxt or "").startswith("letter ")
        }
        # A page may ask for a letter under a name of its own: one role, one letter.
        role: dict[str, str] = {}
        for context, letter in letters.items():
            assert role.setdefault(context.split()[-1], letter) == letter


# --- The catalogues and the source --------------------------------------------------------


@pytest.fixture(scope="module")
def marked(tmp_path_factory: pytest.TempPathFactory) -> set[tuple[str | None, str]]:
    """Every text the source marks, extracted afresh from a copy."""
    if not shutil.which("xgettext"):
        if os.environ.get("CI") == "true":
            pytest.fail("gettext is not installed: the catalogues can't be compared")
        pytest.skip("gettext is not installed: no xgettext to extract the texts with")
    copy = tmp_path_factory.mktemp("source")
    for folder in ("config", "scoring", "templates", "tournament"):
        skipped = shutil.ignore_patterns("migrations", "__pycache__")
        shutil.copytree(ROOT / folder, copy / folder, ignore=skipped)
    (copy / "locale").mkdir()
    environment = {k: v for k, v in os.environ.items() if k != "DJANGO_SETTINGS_MODULE"}
    subprocess.run(
        [sys.executable, "-m", "django", "makemessages", "-l", "es", "--no-location"],
        cwd=copy,
        env=environment,
        check=True,
        capture_output=True,
    )
    return keys(polib.pofile(str(copy / "locale" / "es" / "LC_MESSAGES" / "django.po")))


@pytest.mark.parametrize("code", TRANSLATED)
def test_the_catalogue_holds_what_the_source_marks(
    code: str, marked: set[tuple[str | None, str]]
) -> None:
    held = keys(catalogue(code))
    assert not marked - held, "new texts: run makemessages, then translate them"
    assert not held - marked, "texts that nothing uses any more: run makemessages"


# --- The compiled form --------------------------------------------------------------------


@pytest.fixture
def compiled(tmp_path: Path) -> Path:
    """The catalogues compiled into a folder of their own, whatever was compiled before."""
    folder = tmp_path / "locale"
    shutil.copytree(LOCALE, folder, ignore=shutil.ignore_patterns("*.mo"))
    compile_catalogues(folder)
    return folder


@pytest.mark.parametrize("code", TRANSLATED)
def test_catalogues_compile(code: str, compiled: Path) -> None:
    with (compiled / code / "LC_MESSAGES" / "django.mo").open("rb") as file:
        words = gettext.GNUTranslations(file)
    for entry in catalogue(code):
        context = f"{entry.msgctxt}\4" if entry.msgctxt else ""
        if entry.msgid_plural:
            for form, count in ((0, 1), (1, 2)):
                said = words.ngettext(context + entry.msgid, entry.msgid_plural, count)
                assert said == entry.msgstr_plural[form]
        else:
            assert words.gettext(context + entry.msgid) == entry.msgstr


def test_only_what_is_older_is_compiled_again(compiled: Path) -> None:
    assert compile_catalogues(compiled) == []
    source = compiled / "es" / "LC_MESSAGES" / "django.po"
    later = source.with_suffix(".mo").stat().st_mtime + 60
    os.utime(source, (later, later))
    assert compile_catalogues(compiled) == [source.with_suffix(".mo")]


# --- The pages ----------------------------------------------------------------------------

# Words that no Spanish page has; names, time zones and the list of languages stand aside.
ENGLISH = re.compile(
    r"\b(Standings|Players?|Save|Tables?|Rounds?|Seats?|Deals?|Dealer|Points|Stars?|Sheets?"
    r"|Rank|Name|Search|Miners?|Saboteurs|Dwarfs?|Judge|Penalt(?:y|ies)|Sign|Settings|Draw"
    r"|the|and|of|is|are|was|your|you|not|with|for|to|"
    r"Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday)\b",
    re.IGNORECASE,
)
ASIDE = re.compile(
    r"<(script|style|code|svg)\b.*?</\1>"
    r"|<select[^>]*name=\"(?:time_zone|language)\".*?</select>",
    re.DOTALL,
)
SPOKEN = re.compile(r"\b(?:aria-label|title|alt|placeholder|data-copied|data-busy)=\"([^\"]*)\"")


def words_of(page: str) -> str:
    """What a person reads or hears of a page."""
    page = ASIDE.sub(" ", page)
    return unescape(" ".join(SPOKEN.findall(page)) + " " + re.sub(r"<[^>]*>", " ", page))


def leftovers(text: str) -> list[str]:
    return [text[max(0, found.start() - 30) : found.end() + 30] for found in ENGLISH.finditer(text)]


def test_the_words_would_betray_an_english_page(client: Client) -> None:
    event = factories.make_event(name="Copa Topo", venue="La Mina")
    page = client.get(reverse("rules", args=[event.slug]), headers={"Accept-Language": "en"})
    assert len(leftovers(words_of(page.text))) > 20


@pytest.fixture
def spanish(settings: Settings, compiled: Path) -> None:
    settings.LOCALE_PATHS = [compiled]


@pytest.mark.usefixtures("spanish")
def test_pages_in_spanish_hold_no_english(client: Client) -> None:
    with translation.override("es"):
        event = factories.make_event(
            organiser=factories.make_user("Olga"),
            name="Copa Topo",
            venue="La Mina",
            minimum_age=18,
            capacity=12,
            edition="2025",
            promo_cards="El carrusel",
        )
        people = [
            factories.make_player(event, f"{name} Pico")
            for name in ("Ana", "Bea", "Carlos", "Dani", "Eva", "Fina")
        ]
        factories.make_player(event, "Gala Pico", here=False)
        factories.play_round(event)
        round_ = factories.make_round(event, seed=2)
        table = tables_of(round_)[0]
        factories.enter(table, 1)
    judge, number, slug = factories.make_judge(event), people[0].number, event.slug
    client.force_login(factories.organiser_of(event))
    pages = [
        reverse("home"),
        *(reverse(n, args=[slug]) for n in ("event", "rules", "register", "standings")),
        reverse("seats", args=[slug]) + "?q=Ana",
        reverse("seats", args=[slug]) + "?q=Pico",
        ticket_url(people[0]),
        reverse("table_link:sheet", args=[table.token]),
        reverse("table_link:deal", args=[table.token, 1]),
        reverse("table_link:deal", args=[table.token, 2]),
        reverse("table_link:points", args=[table.token]),
        *(reverse(n) for n in ("desk", "new_event", "account")),
        *(
            reverse(n, args=[slug])
            for n in (
                "event_desk",
                "settings",
                "staff",
                "log",
                "players",
                "player_add",
                "player_import",
                "door",
                "announcements",
                "cut",
                "notebook",
            )
        ),
        *(reverse(n, args=[slug, number]) for n in ("player", "penalty")),
        reverse("round", args=[slug, round_.pk]),
        reverse("staff_table:sheet", args=[slug, table.pk]),
        reverse("staff_table:deal", args=[slug, table.pk, 2]),
        reverse("staff_table:points", args=[slug, table.pk]),
    ]
    found = {}
    for address in pages:
        answer = client.get(address, headers={"Accept-Language": "es"})
        assert answer.status_code == 200, address
        assert '<html lang="es"' in answer.text, address
        if english := leftovers(words_of(answer.text).replace(judge.name, "")):
            found[address] = english
    assert not found


@pytest.mark.usefixtures("spanish")
def test_mails_in_spanish_hold_no_english(
    client: Client, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    event = factories.make_event(name="Copa Topo", venue="La Mina", capacity=1)
    for name in ("Ana", "Bea"):  # a place, then the waiting list
        with django_capture_on_commit_callbacks(execute=True):
            answer = client.post(
                reverse("register", args=[event.slug]),
                {"name": f"{name} Pico", "email": f"{name}@example.org", "name_style": "full"},
                headers={"Accept-Language": "es"},
            )
        assert answer.status_code == 302
    assert len(mail.outbox) == 2
    for one in mail.outbox:
        assert not leftovers(re.sub(r"https?://\S+", "", f"{one.subject}\n{one.body}"))


@pytest.mark.usefixtures("spanish")
def test_a_refusal_speaks_spanish() -> None:
    from tournament.actions import draws
    from tournament.refusals import Refused

    event = factories.make_event(name="Copa Topo")
    with translation.override("es"), pytest.raises(Refused) as refusal:
        draws.draw_round(event=event, by=Actor.of_user(factories.organiser_of(event)), seed=1)
    assert not leftovers(refusal.value.message)


# --- The pages of the account, whose words are allauth's --------------------------------------

ACCOUNT_PAGES = (
    "account_login",
    "account_signup",
    "account_reset_password",
    "account_reset_password_done",
    "account_email_verification_sent",
    "account",
    "account_email",
    "account_change_password",
    "account_logout",
    "account_reauthenticate",
    "mfa_index",
    "mfa_activate_totp",
    "mfa_list_webauthn",
    "mfa_add_webauthn",
)
IN_CAPITALS = re.compile(r"\w+,? (?:\w+ )?[A-Z][a-z]+")


def heads_of(page: str) -> list[str]:
    """What stands in titles, headings and buttons, each in one line."""
    parts = re.findall(r"<(title|h1|h2|button|legend)\b[^>]*>(.*?)</\1>", page, re.DOTALL)
    return [" ".join(unescape(re.sub(r"<[^>]*>", " ", words)).split()) for _tag, words in parts]


def account_pages(client: Client, language: str) -> dict[str, str]:
    """Signed in a moment ago, so that nothing asks for the password again."""
    user = factories.make_user("Olga")
    user.emailaddress_set.create(email=user.email, verified=True, primary=True)
    signed_in = {"login": user.email, "password": "pass-word-1"}
    pages = {}
    for name in ACCOUNT_PAGES:
        if name == "account":
            client.post(reverse("account_login"), signed_in)
        answer = client.get(reverse(name), follow=True, headers={"Accept-Language": language})
        assert answer.status_code == 200, name
        pages[name] = answer.text
    return pages


@pytest.fixture
def third_party(settings: Settings, compiled: Path) -> None:
    settings.LOCALE_PATHS = [compiled, compiled / "third_party"]


@pytest.mark.usefixtures("third_party")
def test_account_pages_are_written_in_sentences(client: Client) -> None:
    found = {
        (name, words)
        for name, page in account_pages(client, "en").items()
        for words in heads_of(page)
        if IN_CAPITALS.search(words.removesuffix(" · Lodestar"))
    }
    assert not found


@pytest.mark.usefixtures("third_party")
def test_a_passkey_has_one_name_in_spanish(client: Client) -> None:
    for name, page in account_pages(client, "es").items():
        assert not re.findall(r"passkey|clave de (?:acceso|seguridad)", words_of(page), re.I), name
