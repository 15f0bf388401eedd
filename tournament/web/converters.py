"""Parts of addresses beyond Django's own."""

from django.urls import register_converter


class TokenConverter:
    """The secret part of a link."""

    regex = "[A-Za-z0-9_-]{8,32}"

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


register_converter(TokenConverter, "token")
