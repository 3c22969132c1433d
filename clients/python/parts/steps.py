"""A call as steps, so that a program with asyncio and one without take the same ones: requests, pauses and proofs of work."""

import http.client
import json
import os
import random
import re
import urllib.parse
import uuid
from dataclasses import dataclass
from typing import Any, Dict, Generator, Mapping, Optional, Tuple, TypeVar, Union

from .errors import RestanteError, _error_of
from .operations import _OPERATIONS

_MAX_PAUSE_SECONDS = 60
#: What a lost connection raises; answers that end too early are no OSError.
_LOST = (OSError, http.client.HTTPException, EOFError)


@dataclass(frozen=True)
class _Request:
    method: str
    url: str
    headers: Mapping[str, str]
    body: Optional[bytes]


@dataclass(frozen=True)
class _Response:
    status: int
    #: With lower-case names.
    headers: Mapping[str, str]
    content: bytes


@dataclass(frozen=True)
class _Pause:
    seconds: float


@dataclass(frozen=True)
class _Work:
    """A proof of work: its step gives the nonce."""

    challenge: str
    difficulty: int


_T = TypeVar("_T")
_Steps = Generator[Union[_Request, _Pause, _Work], Any, _T]


class _Omitted:
    """The value of a field that is not given, where None means null."""

    def __repr__(self) -> str:
        return "OMITTED"


OMITTED = _Omitted()


@dataclass(frozen=True)
class _Settings:
    base_url: str
    api_key: Optional[str]
    retries: int
    timeout: float


def _settings(base_url: Optional[str], api_key: Optional[str], retries: int, timeout: float) -> _Settings:
    url = base_url or os.environ.get("RESTANTE_URL")
    if not url:
        raise TypeError("Give base_url, or set RESTANTE_URL in the environment")
    key = os.environ.get("RESTANTE_API_KEY") if api_key is None else api_key
    return _Settings(url.rstrip("/"), key or None, retries, timeout)


def _call(
    settings: _Settings,
    name: str,
    params: Mapping[str, Any],
    query: Mapping[str, Any],
    body: Optional[Mapping[str, Any]],
    headers: Optional[Mapping[str, str]],
    idempotency_key: Optional[str] = None,
) -> _Steps[Any]:
    """One call. One that the service could not take is sent again where that does no harm: reading, and writing with an `Idempotency-Key`."""
    method, path, is_keyed = _OPERATIONS[name]
    own = {"Accept": "application/json, */*", **(headers or {})}
    if settings.api_key is not None:
        own["Authorization"] = "Bearer " + settings.api_key
    if is_keyed:
        own.setdefault("Idempotency-Key", idempotency_key or str(uuid.uuid4()))
    data = None
    if body is not None:
        data = json.dumps(dict(body)).encode()
        own["Content-Type"] = "application/json"
    request = _Request(method, settings.base_url + _filled(path, params) + _query_of(query), own, data)
    repeatable = method == "GET" or "Idempotency-Key" in own
    tries = 0
    while True:
        pause = 2**tries * random.uniform(0.5, 1)
        try:
            response: _Response = yield request
            if 200 <= response.status < 300:
                return _content_of(response)
            error = _error_of(response.status, response.headers, response.content)
            if tries >= settings.retries or not _may_try_again(error, repeatable):
                raise error
            if error.retry_after is not None:
                pause = error.retry_after
        except _LOST:
            if tries >= settings.retries or not repeatable:
                raise
        tries += 1
        yield _Pause(pause)


def _content_of(response: _Response) -> Any:
    if response.headers.get("content-type", "").startswith("application/json"):
        return json.loads(response.content)
    return response.content


def _may_try_again(error: RestanteError, repeatable: bool) -> bool:
    """A refusal for now is no harm to repeat; a fault only where the call is one. A day's limit is for the caller to wait for."""
    if (error.retry_after or 0) > _MAX_PAUSE_SECONDS:
        return False
    return error.status == 429 or (repeatable and error.status >= 500 and error.status != 507)


def _filled(path: str, params: Mapping[str, Any]) -> str:
    return re.sub(r"\{(\w+)\}", lambda found: urllib.parse.quote(str(params[found[1]]), safe="!*'()"), path)


def _query_of(query: Mapping[str, Any]) -> str:
    words = [(name, _word(value)) for name, value in query.items() if value is not None]
    return "?" + urllib.parse.urlencode(words) if words else ""


def _word(value: Any) -> str:
    return str(int(value)) if isinstance(value, bool) else str(value)


def _given(**fields: Any) -> Dict[str, Any]:
    """The fields that are given. `from` is written `from_` in Python."""
    return {
        name[:-1] if name.endswith("_") else name: value
        for name, value in fields.items()
        if value is not None and value is not OMITTED
    }


def _nullable(**fields: Any) -> Dict[str, Any]:
    """The same for fields where None means null."""
    return {name: value for name, value in fields.items() if value is not OMITTED}


def _page_of(answer: Mapping[str, Any]) -> Tuple[Any, Optional[str]]:
    return answer["data"], answer["next_cursor"]
