"""The one thing that a ticket says: what is so for this player now, and what comes next."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from tournament import rulebook
from tournament.models import Cut, Event, Player, Round, Seat
from tournament.models.cuts import QualifierStatus
from tournament.models.events import EventStatus
from tournament.models.players import PlayerStatus
from tournament.models.rounds import RoundStatus, Stage
from tournament.models.scoresheets import SheetStatus
from tournament.queries.cuts import current_cut, follows_semi_final, line_of
from tournament.queries.visibility import PublicStandings


class NoticeKind(StrEnum):
    """The state of a player, as their ticket tells it."""

    WAITING = "waiting"
    REGISTERED = "registered"
    WITHDRAWN = "withdrawn"
    CHECKED_IN = "checked_in"
    DRAWING = "drawing"
    NO_SEAT = "no_seat"
    SEATED = "seated"
    CONFIRM = "confirm"
    HANDED_IN = "handed_in"
    TABLE_DONE = "table_done"
    BETWEEN = "between"
    LEVEL = "level"
    DECLINED = "declined"
    CUT_HIDDEN = "cut_hidden"
    IN_FINAL = "in_final"
    NOT_IN_FINAL = "not_in_final"
    ALL_PLAYED = "all_played"
    DROPPED = "dropped"
    DISQUALIFIED = "disqualified"
    FINISHED = "finished"


@dataclass(frozen=True, slots=True)
class Notice:
    """`tone`: the notice's class; `icon`: a name of the sprite. Of `SEATED` the page shows the seat
    instead, of `CONFIRM` the sheet."""

    kind: NoticeKind
    title: str
    text: str = ""
    tone: str = "info"
    icon: str = "info"


def notice_for(
    player: Player, seat: Seat | None, public: PublicStandings, *, may_confirm: bool
) -> Notice:
    """`seat`: the player's in the current round, if any; `public`: what the player may know of the
    standings, as everybody; `may_confirm`: the sheet of its table."""
    event = player.event
    apart = _apart(player)
    if event.status == EventStatus.FINISHED:
        return _finished(player, public)
    if apart is not None:
        return apart
    if seat is not None and seat.table.round.status == RoundStatus.PUBLISHED:
        return _at_table(seat, may_confirm=may_confirm)
    return _between(player, seat, public)


def _apart(player: Player) -> Notice | None:
    """Of whoever is not among those who play now."""
    event = player.event
    match player.status:
        case PlayerStatus.WAITING:
            title = _("You are number %(place)d on the waiting list.")
            text = _("As soon as a place is free you get a mail, and this page says so.")
            place = {"place": waiting_place(player)}
            return Notice(NoticeKind.WAITING, title % place, text, "warn", "clock")
        case PlayerStatus.REGISTERED | PlayerStatus.NO_SHOW:
            begun = event.status == EventStatus.RUNNING
            text = (
                _("The event has begun: show this page at the door, and you are seated next.")
                if begun
                else _("Show this page at the door.")
            )
            return Notice(NoticeKind.REGISTERED, _("You are registered."), text, "ok", "check")
        case PlayerStatus.WITHDRAWN:
            return Notice(NoticeKind.WITHDRAWN, _("You are not registered any more."))
        case PlayerStatus.DISQUALIFIED:
            text = _("Ask the judge if you want to know more.")
            title = _("You are disqualified.")
            return Notice(NoticeKind.DISQUALIFIED, title, text, "refusal", "warning")
        case PlayerStatus.DROPPED:
            title = _("You dropped out. Your points stay in the standings.")
            return Notice(NoticeKind.DROPPED, title, _("Tell the desk if you play on."))
    return None


def waiting_place(player: Player) -> int:
    """From 1, in the order in which people came."""
    waiting = player.event.players.waiting()
    return waiting.filter(created_at__lte=player.created_at).count()


def _at_table(seat: Seat, *, may_confirm: bool) -> Notice:
    sheet, round_ = seat.table.sheet, seat.table.round
    if sheet.is_bye:
        title = _("%(round)s: you have no opponent.") % {"round": round_.label}
        text = _("It counts as a duel won, without gold. The next round brings you somebody.")
        return Notice(NoticeKind.TABLE_DONE, title, text, "ok", "check")
    if sheet.status == SheetStatus.OPEN:
        return Notice(NoticeKind.SEATED, round_.label)
    if may_confirm:
        return Notice(NoticeKind.CONFIRM, _("Confirm the sheet of your table"))
    if sheet.status == SheetStatus.SUBMITTED:
        text = _("A second person of your table reads it and confirms.")
        return Notice(NoticeKind.HANDED_IN, _("Your table has handed in."), text, "ok", "check")
    playing = round_.tables.exclude(sheet__status=SheetStatus.CONFIRMED).count()
    text = (
        ngettext("%(n)d table still plays.", "%(n)d tables still play.", playing) % {"n": playing}
        if playing
        else _("All tables are done: the round closes in a moment.")
    )
    return Notice(NoticeKind.TABLE_DONE, _("Your table is done."), text, "ok", "check")


def _between(player: Player, seat: Seat | None, public: PublicStandings) -> Notice:
    event = player.event
    if event.rounds.final().closed().exists():
        text = (
            _("The standings are read once more, then the event is finished.")
            if public.all_shown
            else _("The ranks are announced at the end.")
        )
        return Notice(NoticeKind.ALL_PLAYED, _("Everything is played."), text, "ok", "flag")
    cut = current_cut(event)
    # Between the semi-final and the next cut, whoever played it waits for that one.
    waits = cut is not None and seat is not None and seat.table.round.is_semi_final
    if cut is not None and not (waits and cut.stage == Stage.SEMI_FINAL):
        return _after_cut(player, cut, public)
    if event.rounds.filter(status=RoundStatus.DRAWN).exists():
        text = _("Please wait: your seat stands here in a moment.")
        title = _("The tables of the next round are being drawn.")
        return Notice(NoticeKind.DRAWING, title, text, icon="clock")
    round_ = event.rounds.played().order_by("-published_at", "-pk").first()
    if round_ is not None and round_.status == RoundStatus.PUBLISHED:
        return Notice(
            NoticeKind.NO_SEAT,
            _("%(round)s is being played without you.") % {"round": round_.label},
            _("You are checked in, and seated in the next one."),
            "ok",
            "clock",
        )
    if seat is None and round_ is None:
        text = _("Your seat stands here once the first round is published.")
        return Notice(NoticeKind.CHECKED_IN, _("You are checked in."), text, "ok", "check")
    return _round_over(event, round_)


def _round_over(event: Event, round_: Round | None) -> Notice:
    played = event.rounds.preliminary().closed().count()
    if round_ is not None and round_.is_semi_final:
        text = _("The cut comes next: this page says who plays the final.")
    elif event.has_semi_final and played >= event.rounds_planned:
        text = _("The cut comes next: this page says who plays the semi-final.")
    elif event.has_final and played >= event.rounds_planned:
        text = _("The cut comes next: this page says who plays the final.")
    elif played >= event.rounds_planned:
        text = _("It was the last one: the final standings follow.")
    else:
        text = _("Round %(next)d of %(all)d comes next: your seat stands here.") % {
            "next": played + 1,
            "all": event.rounds_planned,
        }
    title = _("%(round)s is over.") % {"round": round_.label if round_ else _("The round")}
    return Notice(NoticeKind.BETWEEN, title, text, icon="clock")


def _after_cut(player: Player, cut: Cut, public: PublicStandings) -> Notice:
    words = _CUT_WORDS[cut.stage]
    over = _("The preliminaries are over.")
    if follows_semi_final(player.event, cut.stage):
        over = _("%(round)s is over.") % {"round": Stage.SEMI_FINAL.label}
    own = cut.qualifiers.filter(player=player).first()
    # Whoever declined was asked, and knows.
    if not public.tells_finalist(player.number) and (
        own is None or own.status == QualifierStatus.IN
    ):
        return Notice(NoticeKind.CUT_HIDDEN, over, str(words.soon), icon="clock")
    if own is not None and own.status == QualifierStatus.IN:
        text = _("Stay near: your seat stands here as soon as the table is drawn.")
        return Notice(NoticeKind.IN_FINAL, str(words.playing), text, "ok", "trophy")
    if own is not None:
        text = _("Tell the desk at once if you play after all.")
        return Notice(NoticeKind.DECLINED, str(words.declined), text)
    if rulebook.player_id(player.number) in line_of(cut).level:
        text = _("A lot decides; this page tells you.")
        return Notice(NoticeKind.LEVEL, str(words.level), text, icon="lot")
    text = str(words.played) if _is_played(cut) else str(words.may_move_up)
    return Notice(NoticeKind.NOT_IN_FINAL, str(words.out), text)


def _is_played(cut: Cut) -> bool:
    return cut.event.rounds.played().filter(stage=cut.stage).exists()


@dataclass(frozen=True, slots=True)
class _CutWords:
    """What a ticket says after a cut, by the stage that it leads into."""

    soon: Promise
    playing: Promise
    declined: Promise
    level: Promise
    played: Promise
    may_move_up: Promise
    out: Promise


_CUT_WORDS: Mapping[str, _CutWords] = {
    Stage.FINAL: _CutWords(
        soon=gettext_lazy("Who plays the final is announced soon; this page says so then."),
        playing=gettext_lazy("You are in the final."),
        declined=gettext_lazy("You declined your seat in the final."),
        level=gettext_lazy("You are level on the line to the final."),
        played=gettext_lazy("The final is being played."),
        may_move_up=gettext_lazy("If a finalist declines, the next in order moves up."),
        out=gettext_lazy("You are not in the final. Thank you for playing!"),
    ),
    Stage.SEMI_FINAL: _CutWords(
        soon=gettext_lazy("Who plays the semi-final is announced soon; this page says so then."),
        playing=gettext_lazy("You are in the semi-final."),
        declined=gettext_lazy("You declined your seat in the semi-final."),
        level=gettext_lazy("You are level on the line to the semi-final."),
        played=gettext_lazy("The semi-final is being played."),
        may_move_up=gettext_lazy("If somebody declines their seat, the next in order moves up."),
        out=gettext_lazy("You are not in the semi-final. Thank you for playing!"),
    ),
}


def _finished(player: Player, public: PublicStandings) -> Notice:
    """An ending worth keeping, once everybody may know it."""
    row = public.rank_now(player.number)
    if player.status == PlayerStatus.DISQUALIFIED:
        return Notice(NoticeKind.FINISHED, _("The event is over. You were disqualified."))
    if row is None and not public.all_shown:
        text = _("The ranks are not announced yet; this page tells you yours then.")
        return Notice(NoticeKind.FINISHED, _("The event is over."), text, icon="flag")
    if row is None or not (row.deals or public.board.is_finalist(player.number)):
        return Notice(NoticeKind.FINISHED, _("The event is over."), icon="flag")
    words = {"rank": row.rank, "all": public.places}
    if row.rank == 1 and not row.shared:
        title = _("You are the champion. Congratulations!")
        return Notice(NoticeKind.FINISHED, title, _("First of %(all)d.") % words, "ok", "trophy")
    title = _("You came %(rank)s of %(all)d.") % (words | {"rank": ordinal(row.rank)})
    text = _("A place that is shared.") if row.shared else _("Thank you for playing!")
    return Notice(NoticeKind.FINISHED, title, text, "ok", "flag")


def ordinal(rank: int) -> str:
    """ "12th", as the active language writes it."""
    if rank % 100 in (11, 12, 13):
        return _("%(rank)dth") % {"rank": rank}
    words = {1: _("%(rank)dst"), 2: _("%(rank)dnd"), 3: _("%(rank)drd")}
    return words.get(rank % 10, _("%(rank)dth")) % {"rank": rank}
