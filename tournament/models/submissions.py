"""Which submissions were carried out: a form that is sent twice counts once."""

from __future__ import annotations

from typing import ClassVar

from django.db import models

from tournament.models.events import Event


class SubmissionQuerySet(models.QuerySet["Submission"]):
    """An empty key marks nothing: such a submission counts every time."""

    def processed(self, event: Event, key: str) -> bool:
        return bool(key) and self.filter(event=event, key=key).exists()

    def outcome(self, event: Event, key: str) -> int | None:
        """The key of the object that the submission made or changed; None if it is new."""
        if not key:
            return None
        return self.filter(event=event, key=key).values_list("object_id", flat=True).first()

    def remember(
        self, event: Event, key: str, about: models.Model | None = None, content: str = ""
    ) -> None:
        """Part of the transaction that carries the submission out."""
        if key:
            about_pk = about.pk if about is not None else None
            self.create(event=event, key=key, object_id=about_pk, content=content)


class Submission(models.Model):
    """One press of a button, by the mark that its form carried; `content`: a digest of what was
    sent, where the mark alone was made by a phone."""

    event = models.ForeignKey(
        Event, on_delete=models.CASCADE, related_name="submissions", db_index=False
    )
    key = models.CharField(max_length=40)
    content = models.CharField(max_length=64, blank=True)
    object_id = models.BigIntegerField(null=True, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    objects = SubmissionQuerySet.as_manager()

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["event", "key"], name="submission_once_per_event"),
        ]

    def __str__(self) -> str:
        return f"{self.event_id}: {self.key}"
