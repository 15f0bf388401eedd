"""What every template may use."""

from django.http import HttpRequest

THEMES = ("light", "dark")


def theme_of(request: HttpRequest) -> str:
    """The chosen theme, or nothing where the device decides."""
    chosen = request.COOKIES.get("theme", "")
    return chosen if chosen in THEMES else ""


def theme(request: HttpRequest) -> dict[str, str]:
    return {"theme": theme_of(request)}
