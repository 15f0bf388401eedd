"""`manage.py simulate --players N --rounds R --seed S`: a whole event through the real actions."""

from __future__ import annotations

import time
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection

from scoring.rules import RULES, sizes_of
from tournament.games import words_of
from tournament.models import LogEntry
from tournament.models.events import MOST_SEMI_SEATS
from tournament.queries.standings import standings_for
from tournament.refusals import Refused
from tournament.simulation import SimulationPlan, simulate


class Command(BaseCommand):
    help = "Play a whole event to the end, through the same actions the pages use."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--players", type=int, default=24)
        parser.add_argument("--rounds", type=int, default=3)
        parser.add_argument("--deals", type=int, default=3)
        parser.add_argument("--cut", type=int, default=6, help="players in the final; 0: none")
        parser.add_argument("--semi", type=int, default=0, help="players in a semi-final; 0: none")
        parser.add_argument(
            "--per-table", type=int, default=0, help="best of each of its tables, into the final"
        )
        parser.add_argument("--ruleset", choices=[*RULES], default="es-2026")
        parser.add_argument("--seed", type=int, default=1)

    def handle(self, *args: Any, **options: Any) -> None:
        plan = SimulationPlan(
            players=options["players"],
            rounds=options["rounds"],
            deals=options["deals"],
            cut=options["cut"],
            semi=options["semi"],
            per_table=options["per_table"],
            seed=options["seed"],
            ruleset=options["ruleset"],
        )
        sizes = sizes_of(RULES[plan.ruleset])
        least, most = min(sizes), max(sizes)
        if not (least <= plan.players <= 5000 and 1 <= plan.rounds <= 12 and 1 <= plan.deals <= 6):
            raise CommandError(f"{least} to 5000 players, 1 to 12 rounds and 1 to 6 deals, please.")
        if plan.cut and not least <= plan.cut <= min(most, plan.players):
            raise CommandError(f"The cut is 0, or {least} to {most} and no more than the players.")
        if plan.semi and not plan.cut < plan.semi <= min(MOST_SEMI_SEATS, plan.players):
            raise CommandError(
                "A semi-final has more players than the final, and no more than all."
            )
        begun = time.perf_counter()
        try:
            event = simulate(plan)
        except Refused as refused:
            raise CommandError(refused.message) from refused
        seconds = time.perf_counter() - begun
        board = standings_for(event)
        changes = LogEntry.objects.filter(event=event).count()
        champion = board.ranked[0]
        self.stdout.write(
            f"{event.name}: {len(board.ranked)} players, {plan.rounds} rounds, {changes} changes "
            f"in {seconds:.1f} s on {connection.vendor} ({changes / seconds:.0f} a second)."
        )
        self.stdout.write(
            f"Champion: {champion.public_name}, "
            f"{words_of(event).sums(champion.points, champion.stars)}."
        )
        self.stdout.write(f"/events/{event.slug}/standings/")
