"""The client of a mailbox's agent. A method for each operation follows those that take several calls; AsyncRestante is made of this class."""

from typing import Any, Iterator, Mapping, Optional

from .steps import _call, _given, _page_of, _settings, _Steps, _T
from .transport import _run
from .types import ClaimInvite, ClaimStatus, Message
from .waiting import Code, _code_in, _itself, _wait_for_arrival, _wait_until_claimed


class Restante:
    """Calls of a mailbox's agent."""

    def __init__(
        self,
        base_url: Optional[str] = None,
        api_key: Optional[str] = None,
        retries: int = 3,
        timeout: float = 90.0,
    ):
        """By default the address and the key are those of the environment, RESTANTE_URL and RESTANTE_API_KEY; `api_key=""` calls without a key.

        `retries`: how often a call that the service could not take is sent again. `timeout`: seconds that one request may take.
        """
        self._settings = _settings(base_url, api_key, retries, timeout)

    def _run(self, steps: _Steps[_T]) -> _T:
        return _run(steps, self._settings.timeout)

    def call(
        self,
        name: str,
        *,
        params: Optional[Mapping[str, Any]] = None,
        query: Optional[Mapping[str, Any]] = None,
        body: Optional[Mapping[str, Any]] = None,
        headers: Optional[Mapping[str, str]] = None,
        idempotency_key: Optional[str] = None,
    ) -> Any:
        """Calls an operation of /v1/openapi.yaml by its name. Returns what the JSON says, or bytes; raises RestanteError."""
        return self._run(_call(self._settings, name, params or {}, query or {}, body, headers, idempotency_key))

    def _entries(self, name: str, params: Mapping[str, Any], query: Mapping[str, Any]) -> Iterator[Any]:
        """Every entry of a list, page by page."""
        while True:
            data, cursor = _page_of(self._run(_call(self._settings, name, params, query, None, None)))
            for entry in data:
                yield entry
            if cursor is None:
                return
            query = {**query, "cursor": cursor}

    def claim_status(self) -> ClaimStatus:
        """`pending` until a human has approved the mailbox, then `claimed`."""
        return self._run(_call(self._settings, "getClaimStatus", {}, {}, None, None))

    def wait_until_claimed(self, timeout: float = 24 * 3600, interval: float = 60) -> bool:
        """Asks every minute until a human has approved the mailbox. False when nobody did in time; raises RestanteError `claim_declined`, `claim_expired`."""
        return self._run(_wait_until_claimed(self._settings, timeout, interval))

    def invite(self, to: str, note: Optional[str] = None) -> ClaimInvite:
        """Has the service send the claim link to a human; at most two a claim."""
        return self._run(_call(self._settings, "inviteApprover", {}, {}, _given(to=to, note=note), None))

    def wait_for_mail(
        self,
        from_: Optional[str] = None,
        subject_contains: Optional[str] = None,
        thread_id: Optional[str] = None,
        after: Optional[int] = None,
        timeout: float = 300,
    ) -> Optional[Message]:
        """Waits for a message that fits; None when none came in time.

        `from_`: an address, or a domain when it begins with @. `after`: the `seq` of an event; without it, mail that comes from now on.
        """
        filters = _given(from_=from_, subject_contains=subject_contains, thread_id=thread_id)
        return self._run(_wait_for_arrival(self._settings, filters, after, timeout, _itself))

    def wait_for_code(
        self,
        from_: Optional[str] = None,
        subject_contains: Optional[str] = None,
        thread_id: Optional[str] = None,
        after: Optional[int] = None,
        timeout: float = 300,
    ) -> Optional[Code]:
        """Waits for a message with a one-time code; None when none came in time. The code is the first in the message."""
        filters = _given(from_=from_, subject_contains=subject_contains, thread_id=thread_id)
        return self._run(_wait_for_arrival(self._settings, filters, after, timeout, _code_in))
