/** Claiming an address: a challenge, its proof of work, and the claim. A human approves it afterwards through the link. */
import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Restante } from './client.js'
import { RestanteError } from './errors.js'

export interface ClaimOptions {
  /** `https://mail.example.com`; by default the environment's `RESTANTE_URL`. */
  baseUrl?: string
  /** 5 to 32 of a-z 0-9 . - _, or a whole address on one of the server's domains. */
  name: string
  /** How the human who approves it will see you. */
  agentName?: string
  signal?: AbortSignal
}

export interface Claimed {
  address: string
  /** Shown this once: keep it. Before the approval it works for `claimStatus` and `invite` only. */
  apiKey: string
  /** For the human who approves the mailbox within 24 hours. */
  claimUrl: string
  client: Restante
}

/** Digests between two turns of the event loop: some 50 ms. */
const DIGESTS_PER_TURN = 50_000

/**
 * @throws RestanteError `name_taken`, `name_reserved` (choose another name and claim again), `invalid_request`, `rate_limited`
 */
export async function claim({ baseUrl, name, agentName, signal }: ClaimOptions): Promise<Claimed> {
  const stranger = new Restante({ baseUrl, apiKey: null })
  const attempt = async () => {
    const { challenge, difficulty } = await stranger.call('getClaimChallenge', { signal })
    const nonce = await solve(challenge, difficulty, signal)
    const body = { name, challenge, nonce, ...(agentName !== undefined && { agent_name: agentName }) }
    return stranger.call('claimMailbox', { body, signal })
  }
  const claimed = await attempt().catch(async (error: unknown) => {
    // Others claimed while it counted.
    if (error instanceof RestanteError && error.code === 'difficulty_raised') return attempt()
    throw error
  })
  return {
    address: claimed.address,
    apiKey: claimed.api_key,
    claimUrl: claimed.claim_url,
    client: new Restante({ baseUrl, apiKey: claimed.api_key }),
  }
}

/** A decimal counter with which SHA-256 of `<challenge>:<nonce>` begins with `difficulty` zero bits. Others get their turn now and then. */
export async function solve(challenge: string, difficulty: number, signal?: AbortSignal): Promise<string> {
  for (let nonce = 0; ; nonce++) {
    const digest = createHash('sha256').update(`${challenge}:${nonce}`).digest()
    if (leadingZeros(digest) >= difficulty) return String(nonce)
    if (nonce % DIGESTS_PER_TURN === 0) {
      signal?.throwIfAborted()
      await nextTurn()
    }
  }
}

function leadingZeros(digest: Uint8Array): number {
  const at = digest.findIndex((byte) => byte !== 0)
  return at === -1 ? digest.length * 8 : at * 8 + Math.clz32(digest[at] ?? 0) - 24
}
