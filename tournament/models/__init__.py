"""What is remembered: facts only. Points, stars and standings are computed from them."""

from tournament.models.apart import PairApart
from tournament.models.cuts import Cut, Lot, Qualifier
from tournament.models.events import Event, Pulse
from tournament.models.jobs import Job
from tournament.models.log import LogEntry
from tournament.models.penalties import Inquiry, Penalty
from tournament.models.people import Invitation, StaffMember, User
from tournament.models.photos import SheetPhoto
from tournament.models.players import Contact, Player
from tournament.models.rounds import Round, Seat, Table
from tournament.models.sheets import Deal, Scoresheet

__all__ = [
    "Contact",
    "Cut",
    "Deal",
    "Event",
    "Inquiry",
    "Invitation",
    "Job",
    "LogEntry",
    "Lot",
    "PairApart",
    "Penalty",
    "Player",
    "Pulse",
    "Qualifier",
    "Round",
    "Scoresheet",
    "Seat",
    "SheetPhoto",
    "StaffMember",
    "Table",
    "User",
]
