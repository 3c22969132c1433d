"""Requests over the network: with urllib, and with the streams of asyncio. Each request has a connection of its own."""

import asyncio
import http.client
import io
import ssl
import time
import urllib.error
import urllib.parse
import urllib.request
from typing import Any, cast

from .claiming import solve
from .steps import _LOST, _Pause, _Request, _Response, _Steps, _Work, _T


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """The service never redirects, and a key must not follow to where somebody else points."""

    def redirect_request(self, *_: Any) -> None:
        return None


_opener = urllib.request.build_opener(_NoRedirects)


def _run(steps: _Steps[_T], timeout: float) -> _T:
    """Takes steps one after the other, and waits for each."""
    try:
        step = next(steps)
        while True:
            try:
                result: Any = None
                if isinstance(step, _Request):
                    result = _fetch(step, timeout)
                elif isinstance(step, _Work):
                    result = solve(step.challenge, step.difficulty)
                else:
                    time.sleep(step.seconds)
            except _LOST as error:
                step = steps.throw(error)
            else:
                step = steps.send(result)
    except StopIteration as end:
        return cast(_T, end.value)


def _fetch(request: _Request, timeout: float) -> _Response:
    asked = urllib.request.Request(request.url, data=request.body, headers=dict(request.headers), method=request.method)
    try:
        answer = _opener.open(asked, timeout=timeout)
    except urllib.error.HTTPError as error:
        answer = error
    with answer:
        headers = {name.lower(): value for name, value in answer.headers.items()}
        return _Response(answer.status, headers, answer.read())


async def _run_async(steps: _Steps[_T], timeout: float) -> _T:
    """Takes steps one after the other; other tasks go on while one waits. A proof of work is done in a thread."""
    try:
        step = next(steps)
        while True:
            try:
                result: Any = None
                if isinstance(step, _Request):
                    result = await asyncio.wait_for(_fetch_async(step), timeout)
                elif isinstance(step, _Work):
                    result = await asyncio.get_running_loop().run_in_executor(
                        None, solve, step.challenge, step.difficulty
                    )
                else:
                    await asyncio.sleep(step.seconds)
            except asyncio.TimeoutError as error:
                step = steps.throw(TimeoutError(str(error)))
            except _LOST as error:
                step = steps.throw(error)
            else:
                step = steps.send(result)
    except StopIteration as end:
        return cast(_T, end.value)


async def _fetch_async(request: _Request) -> _Response:
    """HTTP/1.1 with `Connection: close` (RFC 9112 §9.6): the answer is all that comes, and http.client reads it."""
    url = urllib.parse.urlsplit(request.url)
    is_secure = url.scheme == "https"
    host = url.hostname or ""
    reader, writer = await asyncio.open_connection(
        host, url.port or (443 if is_secure else 80), ssl=ssl.create_default_context() if is_secure else None
    )
    try:
        fields = {"Host": url.netloc.rpartition("@")[2], "Connection": "close", **request.headers}
        if request.body is not None or request.method in ("POST", "PUT", "PATCH"):
            fields["Content-Length"] = str(len(request.body or b""))
        if any("\r" in value or "\n" in value for value in fields.values()):
            raise ValueError("A header field has a line break")
        target = (url.path or "/") + ("?" + url.query if url.query else "")
        head = "%s %s HTTP/1.1\r\n" % (request.method, target)
        head += "".join("%s: %s\r\n" % field for field in fields.items()) + "\r\n"
        writer.write(head.encode("latin-1") + (request.body or b""))
        await writer.drain()
        answer = http.client.HTTPResponse(cast(Any, _Received(await reader.read(-1))), method=request.method)
        answer.begin()
        headers = {name.lower(): value for name, value in answer.getheaders()}
        return _Response(answer.status, headers, answer.read())
    finally:
        writer.close()


class _Received:
    """What came over a connection, for http.client."""

    def __init__(self, content: bytes):
        self._content = content

    def makefile(self, _mode: str) -> io.BytesIO:
        return io.BytesIO(self._content)
