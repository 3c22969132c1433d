"""Checking that a webhook comes from the service (Standard Webhooks): signature, age, and nothing changed on its way."""

import base64
import binascii
import hashlib
import hmac
import json
import time
from typing import Any, Mapping, Optional, Union

from .ed25519 import _has_signature
from .errors import WebhookError


def verify_webhook(
    body: Union[str, bytes],
    headers: Mapping[str, str],
    secret: Optional[str] = None,
    *,
    public_key: Optional[str] = None,
    tolerance: float = 300,
) -> Any:
    """The event of a webhook, when it is from the service and not too old; raises WebhookError.

    `body` as it came over the network, byte by byte. Either is enough: `secret` (`whsec_…`), or `public_key` (`whpk_…`), with which the receiver holds
    nothing that has to be kept secret. While a secret is rotated, the old and the new one pass.
    """
    given = {name.lower(): value for name, value in headers.items()}
    try:
        ident, timestamp, signatures = given["webhook-id"], given["webhook-timestamp"], given["webhook-signature"]
    except KeyError as missing:
        raise WebhookError("%s is missing" % missing) from None
    if not (timestamp.isascii() and timestamp.isdigit()) or len(timestamp) > 12:
        raise WebhookError("webhook-timestamp is no time")
    if abs(time.time() - int(timestamp)) > tolerance:
        raise WebhookError("The webhook is too old, or a clock is wrong")
    if secret is None and public_key is None:
        raise ValueError("Give the secret or the public key")
    key = None if secret is None else _key_of(secret, "whsec_")
    public = None if public_key is None else _key_of(public_key, "whpk_")
    content = body.encode() if isinstance(body, str) else body
    signed = ("%s.%s." % (ident, timestamp)).encode() + content
    for each in signatures.split(" "):
        version, _, value = each.partition(",")
        try:
            signature = base64.b64decode(value.encode(), validate=True)
        except (ValueError, binascii.Error):
            continue
        if version == "v1" and key is not None:
            if hmac.compare_digest(hmac.new(key, signed, hashlib.sha256).digest(), signature):
                return json.loads(content)
        elif version == "v1a" and public is not None and _has_signature(signed, signature, public):
            return json.loads(content)
    raise WebhookError("The webhook has no good signature")


def _key_of(text: str, prefix: str) -> bytes:
    if not text.startswith(prefix):
        raise ValueError("A key that begins with %s is needed" % prefix)
    return base64.b64decode(text[len(prefix) :])
