"""What a seating costs: meetings, odd tables and dealing in one sum, weighed against each other.

Draw, plan, repair and the figures of a change by hand all count with these numbers. The unit is
an eighth of a repeat, so that dealing, which matters least, costs one.
"""

from seating.sizes import PREFERRED

DEALER = 1  # somebody who deals although somebody else has dealt once less
REPEAT = 8  # two people who meet a second time
ODD = 20  # at an odd table once more than somebody else: two and a half repeats
ODD_YET = 12  # the same while a round to come can make up for it
FORBIDDEN = 1_000_000_000_000  # two who must not meet: more than all else together

DISPLACED = 2  # by standings: a player one table away from where the ranking puts them


def meeting(before: int) -> int:
    """What it costs that two people meet who met so often before: ever more, by the square."""
    return REPEAT * before * before


def one_meeting_more(before: int) -> int:
    """What a meeting costs more if the two had met once more than so often."""
    return REPEAT * (2 * before + 1)


def from_six(size: int) -> int:
    """How far a table is from the preferred size."""
    return abs(size - PREFERRED)
