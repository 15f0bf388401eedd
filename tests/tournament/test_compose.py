"""The container's files, and what they pass on of what docs/hosting.md promises."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parent.parent.parent
SERVICES = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]
SCALED = yaml.safe_load((ROOT / "compose.scale.yml").read_text())["services"]
PASSED: dict[str, str | None] = SERVICES["web"]["environment"]
VARIABLE = r"\b(?:LODESTAR_[A-Z_]+|DATABASE_URL)\b"


def documented() -> dict[str, tuple[str, str]]:
    """Variables of the table, each with its default and what it is in compose."""
    lines = (ROOT / "docs" / "hosting.md").read_text().splitlines()
    rows = [
        line.strip("| ").split(" | ") for line in lines if re.match(rf"\| `{VARIABLE}` \|", line)
    ]
    return {name.strip("`"): (default, compose) for name, _meaning, default, compose in rows}


DOCUMENTED = documented()


def test_every_service_of_the_container_has_its_bounds() -> None:
    assert {*SERVICES} == {"database", "web", "front"}
    for service in SERVICES.values():
        assert service["init"] is True
        assert service["mem_limit"]
        assert service["logging"]["options"]["max-size"]
        assert service["restart"] == "unless-stopped"
    assert {*SCALED} == {"migrate", "web", "mails", "jobs", "front"}
    for name in ("migrate", "web", "mails", "jobs"):
        assert SCALED[name]["environment"]["LODESTAR_TASKS"] == "database"


def test_every_setting_that_is_read_is_documented() -> None:
    read = {
        name
        for file in ("settings.py", "env.py", "laptop.py", "server.py", "health.py")
        for name in re.findall(rf'"({VARIABLE})"', (ROOT / "config" / file).read_text())
    }
    assert read - {*DOCUMENTED} == set()
    # Read by the shell: of the image, and of ./dev.
    assert {*DOCUMENTED} - read == {"LODESTAR_WORKERS", "LODESTAR_VENV"}


def test_every_setting_that_makes_sense_there_reaches_the_container() -> None:
    assert {*PASSED} == {
        name for name, (_default, compose) in DOCUMENTED.items() if not compose.startswith("–")
    }


@pytest.mark.parametrize("name", DOCUMENTED)
def test_the_table_says_what_compose_sets(name: str) -> None:
    _default, compose = DOCUMENTED[name]
    if compose.startswith("–"):
        assert name not in PASSED
    elif compose.startswith("="):
        assert PASSED[name] is None, "compose passes on what .env says, and nothing of its own"
    elif compose == "demanded":
        assert str(PASSED[name]).startswith(f"${{{name}:?")
    elif found := re.match(r"`([^`]+)`", compose):
        assert PASSED[name] == f"${{{name}:-{found[1]}}}"
    else:
        assert str(PASSED[name]).startswith(f"${{{name}:-")


def test_workers_get_what_the_web_service_gets() -> None:
    for name in ("migrate", "mails", "jobs"):
        assert SCALED[name]["extends"] == {"file": "docker-compose.yml", "service": "web"}
        assert {*SCALED[name]["environment"]} == {"LODESTAR_TASKS"}


def test_the_example_names_every_setting_with_what_counts_without_it() -> None:
    lines = (ROOT / ".env.example").read_text()
    given: list[tuple[str, str, str]] = re.findall(r"(?m)^(#?)([A-Z_]+)=(.*)$", lines)
    assert sorted(name for _mark, name, _value in given) == sorted({*PASSED, "POSTGRES_PASSWORD"})
    for mark, name, value in given:
        default, compose = DOCUMENTED.get(name, ("", ""))
        counts = default if compose.startswith("=") else compose
        if mark and (plain := re.match(r"`?(\d+|[a-z]+`|UTC)", counts)) and name != "DATABASE_URL":
            assert value == plain[1].strip("`"), name
