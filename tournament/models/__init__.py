"""What is remembered: facts only. Points, stars and standings are computed from them."""

from tournament.models.announcements import Announcement
from tournament.models.boxes import Box, BoxCheck, BoxTable
from tournament.models.calls import JudgeCall, LateArrival
from tournament.models.clocks import Break, RoundClock, TableTime
from tournament.models.cuts import Cut, Lot, Qualifier
from tournament.models.events import Event
from tournament.models.jobs import Job
from tournament.models.log import LogEntry
from tournament.models.mails import Mail
from tournament.models.penalties import Inquiry, Penalty
from tournament.models.people import Invitation, StaffMember, User
from tournament.models.persons import (
    Merge,
    MergeSide,
    Person,
    PersonClaim,
    PersonContact,
    PersonLink,
)
from tournament.models.photos import SheetPhoto
from tournament.models.places import Place, PlacePromise, PlaceSkip
from tournament.models.players import Contact, Player
from tournament.models.prizes import Prize, PrizeGift, PrizePass
from tournament.models.results import Freeze, Result
from tournament.models.reveals import Reveal
from tournament.models.rounds import Round, Seat, Table
from tournament.models.rulings import Ruling
from tournament.models.scoresheets import Deal, Scoresheet
from tournament.models.screens import Screen
from tournament.models.seating_changes import SeatingChange
from tournament.models.separations import Separation
from tournament.models.series import (
    KeptPenalty,
    Series,
    SeriesEvent,
    SeriesInvitation,
    SeriesLogEntry,
    SeriesMember,
    SeriesTable,
)
from tournament.models.sponsors import Sponsor
from tournament.models.submissions import Submission
from tournament.models.versions import CacheTable, Counts, EventVersion, SharedCache

__all__ = [
    "Announcement",
    "Box",
    "BoxCheck",
    "BoxTable",
    "Break",
    "CacheTable",
    "Contact",
    "Counts",
    "Cut",
    "Deal",
    "Event",
    "EventVersion",
    "Freeze",
    "Inquiry",
    "Invitation",
    "Job",
    "JudgeCall",
    "KeptPenalty",
    "LateArrival",
    "LogEntry",
    "Lot",
    "Mail",
    "Merge",
    "MergeSide",
    "Penalty",
    "Person",
    "PersonClaim",
    "PersonContact",
    "PersonLink",
    "Place",
    "PlacePromise",
    "PlaceSkip",
    "Player",
    "Prize",
    "PrizeGift",
    "PrizePass",
    "Qualifier",
    "Result",
    "Reveal",
    "Round",
    "RoundClock",
    "Ruling",
    "Scoresheet",
    "Screen",
    "Seat",
    "SeatingChange",
    "Separation",
    "Series",
    "SeriesEvent",
    "SeriesInvitation",
    "SeriesLogEntry",
    "SeriesMember",
    "SeriesTable",
    "SharedCache",
    "SheetPhoto",
    "Sponsor",
    "StaffMember",
    "Submission",
    "Table",
    "TableTime",
    "User",
]
