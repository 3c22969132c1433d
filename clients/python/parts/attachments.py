"""Files that go with a message."""

import base64
from typing import Optional, Union, cast

from .types import AttachmentUpload


def attachment(filename: str, content: Union[bytes, str], content_type: Optional[str] = None) -> AttachmentUpload:
    """A file for the `attachments` of a message; `application/octet-stream` when no type is given."""
    data = content.encode() if isinstance(content, str) else content
    upload = {"filename": filename, "content": base64.b64encode(data).decode()}
    if content_type is not None:
        upload["content_type"] = content_type
    return cast(AttachmentUpload, upload)
