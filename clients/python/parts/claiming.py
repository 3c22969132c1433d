"""Claiming an address: a challenge, its proof of work, and the claim. A human approves it afterwards through the link."""

import hashlib
from typing import Any, Optional

from .errors import RestanteError
from .steps import _call, _given, _Settings, _Steps, _Work

_CLAIM_TRIES = 2


def solve(challenge: str, difficulty: int) -> str:
    """A decimal counter with which SHA-256 of `<challenge>:<nonce>` begins with `difficulty` zero bits."""
    start = hashlib.sha256((challenge + ":").encode())
    bound = 1 << (256 - difficulty)
    nonce = 0
    while True:
        digest = start.copy()
        digest.update(b"%d" % nonce)
        if int.from_bytes(digest.digest(), "big") < bound:
            return str(nonce)
        nonce += 1


def _claim(settings: _Settings, name: str, agent_name: Optional[str]) -> _Steps[Any]:
    left = _CLAIM_TRIES
    while True:
        left -= 1
        challenge = yield from _call(settings, "getClaimChallenge", {}, {}, None, None)
        nonce = yield _Work(challenge["challenge"], challenge["difficulty"])
        body = _given(name=name, challenge=challenge["challenge"], nonce=nonce, agent_name=agent_name)
        try:
            return (yield from _call(settings, "claimMailbox", {}, {}, body, None))
        except RestanteError as error:
            # Others claimed while it counted.
            if error.code != "difficulty_raised" or left == 0:
                raise
