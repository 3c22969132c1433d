"""What the service says when it refuses a call."""

import json
from typing import Any, Mapping, Optional


class RestanteError(Exception):
    """The service refused a call. `code` is for programs, `hint` says what to do next."""

    def __init__(self, status: int, error: Mapping[str, Any], request_id: Optional[str], retry_after: Optional[float]):
        self.status = status
        self.code = str(error.get("code", "unknown"))
        self.message = str(error.get("message", "HTTP %d" % status))
        self.hint = str(error.get("hint", ""))
        fields = error.get("fields")
        self.fields = [each for each in fields if isinstance(each, dict)] if isinstance(fields, list) else []
        #: Name it to the operator when `code` is `internal`.
        self.request_id = request_id
        #: Seconds; None when the service says nothing of that.
        self.retry_after = retry_after
        problems = ["%s: %s" % (each.get("field"), str(each.get("problem")).rstrip(".") + ".") for each in self.fields]
        super().__init__(" ".join([self.message, *problems, self.hint]).strip())


class WebhookError(Exception):
    """A webhook that is not from the service, or too old. Answer 400 and forget it."""


def _error_of(status: int, headers: Mapping[str, str], content: bytes) -> RestanteError:
    """The error of an answer, whatever its body is: a proxy in between answers with pages. `headers` have lower-case names."""
    try:
        error = json.loads(content)["error"]
        error.get("code")
    except (ValueError, KeyError, TypeError, AttributeError):
        error = {"message": "HTTP %d: %s" % (status, content[:200].decode("utf-8", "replace"))}
    try:
        retry_after = float(headers.get("retry-after", ""))
    except ValueError:
        retry_after = None
    return RestanteError(status, error, headers.get("x-request-id"), retry_after)
