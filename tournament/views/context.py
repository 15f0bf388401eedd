"""What every template may use."""

from django.http import HttpRequest

THEMES = ("light", "dark")


def theme(request: HttpRequest) -> dict[str, str]:
    """The chosen theme, or nothing where the device decides."""
    chosen = request.COOKIES.get("theme", "")
    return {"theme": chosen if chosen in THEMES else ""}
