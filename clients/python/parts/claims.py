"""Claiming an address with either client."""

from dataclasses import dataclass
from typing import Optional

from .claiming import _claim
from .methods import AsyncRestante, Restante
from .steps import _settings
from .transport import _run, _run_async


@dataclass(frozen=True)
class Claimed:
    address: str
    #: Shown this once: keep it. Before the approval it works for `claim_status` and `invite` only.
    api_key: str
    #: For the human who approves the mailbox within 24 hours.
    claim_url: str
    client: Restante


@dataclass(frozen=True)
class AsyncClaimed:
    """As Claimed, with a client for asyncio."""

    address: str
    api_key: str
    claim_url: str
    client: AsyncRestante


def claim(
    name: str, *, base_url: Optional[str] = None, agent_name: Optional[str] = None, timeout: float = 90.0
) -> Claimed:
    """Claims an address: fetches a challenge, does its proof of work, and claims.

    Raises RestanteError `name_taken` or `name_reserved`: choose another name and claim again.
    """
    settings = _settings(base_url, "", 3, timeout)
    made = _run(_claim(settings, name, agent_name), timeout)
    client = Restante(settings.base_url, made["api_key"], timeout=timeout)
    return Claimed(made["address"], made["api_key"], made["claim_url"], client)


async def claim_async(
    name: str, *, base_url: Optional[str] = None, agent_name: Optional[str] = None, timeout: float = 90.0
) -> AsyncClaimed:
    """As `claim`, for asyncio."""
    settings = _settings(base_url, "", 3, timeout)
    made = await _run_async(_claim(settings, name, agent_name), timeout)
    client = AsyncRestante(settings.base_url, made["api_key"], timeout=timeout)
    return AsyncClaimed(made["address"], made["api_key"], made["claim_url"], client)
