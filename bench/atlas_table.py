"""Write `docs/seating-atlas.md`: how good the plans in the atlas are.

python -m bench.atlas_table
"""

from collections import Counter
from itertools import combinations
from pathlib import Path

from seating import atlas
from seating.bounds import least_repeats_of_plan
from seating.sizes import table_sizes

PAGE = Path(__file__).parent.parent / "docs" / "seating-atlas.md"

# The least repeats that were known before the atlas, for 3, 4 and 5 rounds.
KNOWN = {
    20: (None, 24, None),
    21: (18, 33, 51),
    22: (22, 42, 66),
    23: (24, 48, 78),
    24: (24, 48, 80),
    25: (None, 0, None),
    26: (None, 24, None),
    27: (18, 30, 42),
    28: (20, 30, 48),
    29: (15, 30, 50),
    30: (15, 30, 50),
    31: (None, None, 20),
    32: (None, None, 24),
    33: (12, 18, 19),
    34: (12, 12, 15),
    35: (0, 2, 12),
    36: (0, 2, 12),
    37: (None, None, 3),
    38: (None, None, 4),
    39: (6, 0, 5),
    40: (0, 0, 4),
    41: (0, 0, 0),
    42: (0, 0, 0),
    43: (None, None, 0),
    44: (None, None, 0),
    45: (0, 0, 1),
    46: (0, 0, 0),
    47: (0, 0, 0),
    48: (0, 0, 0),
    **dict.fromkeys(range(51, 67), (0, 0, 0)),
}


def page() -> str:
    """The page, from what the atlas has now."""
    rows = {(n, r): cell(n, r) for n in atlas.PLAYERS for r in atlas.ROUNDS}
    bold = sum(text.startswith("**") for text in rows.values())
    proved = sum("=" in text for text in rows.values())
    head = " | ".join(f"{r} rounds" for r in atlas.ROUNDS)
    lines = [
        f"| {n} | {split(n)} | {' | '.join(rows[n, r] for r in atlas.ROUNDS)} |"
        for n in atlas.PLAYERS
    ]
    return TEXT.format(
        cells=len(rows),
        proved=proved,
        bold=bold,
        head=head,
        line="|".join("---" for _ in range(2 + len(atlas.ROUNDS))),
        rows="\n".join(lines),
    )


def split(players: int) -> str:
    """The sizes as people say them: "5×6 + 1×5"."""
    counts = Counter(table_sizes(players))
    return " + ".join(f"{number}×{size}" for size, number in counts.items())


def cell(players: int, rounds: int) -> str:
    """Repeats; = where fewer are impossible, bold where fewer than were known."""
    met = meetings(players, rounds)
    repeats, most = sum(times - 1 for times in met.values()), max(met.values())
    bound = least_repeats_of_plan(table_sizes(players), rounds, at_most_twice=most <= 2)
    text = f"{repeats}{'=' if repeats == bound else ''}"
    thirds = sum(times > 2 for times in met.values())
    text += f" ({thirds})" if thirds else ""
    known = KNOWN.get(players, (None, None, None))[rounds - 3] if 3 <= rounds <= 5 else None
    return f"**{text}**" if known is not None and repeats < known else text


def meetings(players: int, rounds: int) -> Counter[tuple[int, int]]:
    """How often each pair meets in the stored plan."""
    plan = atlas.stored(players, rounds)
    if plan is None:
        raise LookupError(f"the atlas has no plan for {players} players and {rounds} rounds")
    found: Counter[tuple[int, int]] = Counter()
    for row in plan:
        pairs = combinations(range(players), 2)
        found.update((one, other) for one, other in pairs if row[one] == row[other])
    return found


TEXT = """# The atlas of seatings

For 20 to 66 players and 2 to 8 rounds `seating/atlas.txt` holds the best plan that
long searches found for the default tables (fives and sixes, as many sixes as can be). The draw
takes it from there in milliseconds and gives the places in it out by lot. `bench/atlas.py`
searches on from what is there, for as long as one likes; this page is written by
`bench/atlas_table.py`.

A cell says how many repeats the plan has: for each pair of people the meetings after the first,
added up. **=** is proved: no plan that keeps the rules of a good seating has fewer. **Bold** is
fewer than the best value we knew of before. A number in brackets counts the pairs who meet three
times; without one, nobody meets anybody a third time. In every plan nobody is at a table of five
more than once oftener than anybody else, dealing goes round within one, and up to five rounds
nobody sits in the same seat twice.

These plans keep small tables level at any price. The draw weighs that against meetings
([how](decisions/seating.md)) and exchanges people as long as a plan gets better for it: 22 players
for 2 rounds have 8 repeats then and not 16, 40 for 8 rounds have 10, 45 for 8 as well as 46 for 7
and 8 none at all; in each of these a few sit at a five twice more than others. All other plans stay
as they are.

Of {cells} plans, {proved} are proved the best there can be, and {bold} are better than what was
known for 3 to 5 rounds.

| players | tables | {head} |
|{line}|
{rows}
"""


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
