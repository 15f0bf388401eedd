"""What the rules say when they do not take an input."""


class Refusal(Exception):
    """An input the rules do not take: a code, and the values that explain it.

    Words for people are made from both elsewhere. Seats in the values count from 1.
    """

    def __init__(self, code: str, **values: object) -> None:
        super().__init__(code, values)
        self.code = code
        self.values: dict[str, object] = values

    def at(self, place: str) -> "Refusal":
        """The same refusal, naming the place in a larger input that it is about."""
        return Refusal(self.code, **{**self.values, "place": place})
