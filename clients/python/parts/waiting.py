"""Waiting: for the approval of a claim, for mail, for a one-time code."""

import time
from dataclasses import dataclass
from typing import Any, Callable, Mapping, Optional

from .errors import RestanteError
from .steps import _call, _given, _Pause, _Settings, _Steps
from .types import Message

_LONG_POLL_SECONDS = 30


@dataclass(frozen=True)
class Code:
    """A one-time code, and the message that it came in."""

    code: str
    message: Message


def _wait_until_claimed(settings: _Settings, timeout: float, interval: float) -> _Steps[bool]:
    until = time.monotonic() + timeout
    while (yield from _call(settings, "getClaimStatus", {}, {}, None, None))["status"] != "claimed":
        if time.monotonic() + interval > until:
            return False
        yield _Pause(interval)
    return True


def _wait_for_arrival(
    settings: _Settings,
    filters: Mapping[str, Any],
    after: Optional[int],
    timeout: float,
    find: Callable[[Message], Any],
) -> _Steps[Any]:
    """The first message that fits and has what is looked for; None when none came in time."""
    if after is None:
        after = (yield from _call(settings, "getMailbox", {}, {}, None, None))["last_event_seq"]
    until = time.monotonic() + timeout
    while True:
        wait = max(0, min(_LONG_POLL_SECONDS, int(until - time.monotonic())))
        query = _given(types="message.received", after=after, wait=wait, **filters)
        page = yield from _call(settings, "listEvents", {}, query, None, None)
        for event in page["data"]:
            message = yield from _received(settings, event["data"].get("message_id"))
            found = None if message is None else find(message)
            if found is not None:
                return found
        after = page["next_after"]
        if time.monotonic() + 1 > until and not page["has_more"]:
            return None


def _received(settings: _Settings, message_id: Optional[str]) -> _Steps[Optional[Message]]:
    """The message of an event; None when it was deleted since."""
    if message_id is None:
        return None
    try:
        return (yield from _call(settings, "getMessage", {"id": message_id}, {}, None, None))
    except RestanteError as error:
        if error.status == 404:
            return None
        raise


def _itself(message: Message) -> Message:
    return message


def _code_in(message: Message) -> Optional[Code]:
    codes = message["extracted"]["codes"]
    return Code(codes[0], message) if codes else None
