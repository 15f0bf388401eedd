"""A store that several machines share: any that speaks S3."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from typing import Any

from botocore.client import Config
from botocore.exceptions import BotoCoreError, ClientError
from storages.backends.s3 import S3Storage


class Bucket(S3Storage):  # type: ignore[misc]
    """Private, under the names that they are given; what fails is an OSError, as of a disk."""

    # A press waits for it: rather a sentence after some seconds than a page that never comes.
    CONFIG = Config(
        connect_timeout=3,
        read_timeout=10,
        retries={"total_max_attempts": 2},
        s3={"addressing_style": "path"},
        # Not every store knows the newer checksums.
        request_checksum_calculation="when_required",
        response_checksum_validation="when_required",
    )

    def get_default_settings(self) -> dict[str, Any]:
        defaults: dict[str, Any] = super().get_default_settings()
        # The bucket's own rights, which are private.
        ours = {"client_config": self.CONFIG, "file_overwrite": True, "default_acl": None}
        return defaults | ours

    def _save(self, name: str, content: Any) -> Any:
        with _as_of_a_disk():
            return super()._save(name, content)

    def _open(self, name: str, mode: str = "rb") -> Any:
        with _as_of_a_disk():
            return super()._open(name, mode)

    def exists(self, name: str) -> Any:
        with _as_of_a_disk():
            return super().exists(name)

    def listdir(self, name: str) -> Any:
        with _as_of_a_disk():
            return super().listdir(name)

    def delete(self, name: str) -> None:
        with _as_of_a_disk():
            super().delete(name)

    def get_modified_time(self, name: str) -> Any:
        with _as_of_a_disk():
            return super().get_modified_time(name)


@contextmanager
def _as_of_a_disk() -> Iterator[None]:
    try:
        yield
    except ClientError as error:
        missing = error.response["ResponseMetadata"]["HTTPStatusCode"] == HTTPStatus.NOT_FOUND
        raise OSError(errno.ENOENT if missing else errno.EIO, str(error)) from error
    except BotoCoreError as error:
        raise OSError(errno.EIO, str(error)) from error
