"""Ed25519 signatures over whole files, in the comment at the end of a ZIP.

The key comes from the site's secret key, so it needs no place of its own and no backup; whoever
replaces that key keeps the old one in `SECRET_KEY_FALLBACKS`, and old files are still known.
"""

from __future__ import annotations

import re

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings
from django.utils.encoding import force_bytes

_KEY = b"Lodestar packet 1\nEd25519 key %s\n"
_SIGNATURE = b"%s\n"  # by itself at the very end: all bytes before it are signed
_LENGTH = 129
_END = re.compile(
    rb"Lodestar packet 1\nEd25519 key (?P<key>[0-9a-f]{64})\n(?P<signature>[0-9a-f]{128})\n\Z"
)
# What a ZIP says last: how long its comment is.
COMMENT_LENGTH = len(_KEY % (b"0" * 64)) + _LENGTH


class BadSignature(Exception):
    """No signature, or one that does not belong to these bytes."""


def public_key() -> str:
    """The site's own, in hex."""
    return _public(settings.SECRET_KEY)


def known_keys() -> tuple[str, ...]:
    """The site's own public keys in hex, the one in use first."""
    return tuple(_public(one) for one in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS))


def pem() -> str:
    """The site's public key as other programs read it."""
    key = _private(settings.SECRET_KEY).public_key()
    return key.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo).decode()


def signed(content: bytes) -> bytes:
    """A ZIP that has room for its comment, with the signature as that comment."""
    whole = content + _KEY % public_key().encode()
    return whole + _SIGNATURE % _private(settings.SECRET_KEY).sign(whole).hex().encode()


def signer_of(content: bytes) -> str:
    """The public key, in hex, by which these very bytes are signed. Raises BadSignature."""
    found = _END.search(content, max(0, len(content) - COMMENT_LENGTH))
    if found is None:
        raise BadSignature
    key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(found["key"].decode()))
    try:
        key.verify(bytes.fromhex(found["signature"].decode()), content[:-_LENGTH])
    except InvalidSignature:
        raise BadSignature from None
    return found["key"].decode()


def _private(secret: str | bytes) -> Ed25519PrivateKey:
    seed = HKDF(hashes.SHA256(), length=32, salt=None, info=b"lodestar packet")
    return Ed25519PrivateKey.from_private_bytes(seed.derive(force_bytes(secret)))


def _public(secret: str | bytes) -> str:
    return _private(secret).public_key().public_bytes_raw().hex()
