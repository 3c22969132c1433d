/** An agent: it claims with the TypeScript client, and calls with plain fetch, so that tests see answers as they are. */
import { createHash } from 'node:crypto'
import { claim as claimMailbox } from '#client'
import type { Daemon } from './daemon.js'

export interface Answer {
  status: number
  headers: Headers
  // Tests look into answers freely; a wrong shape fails their assertions.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  body: any
}

export interface Agent {
  address: string
  key: string
  claimUrl: string
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
}

export async function request(
  url: string,
  method: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const response = await fetch(url, {
    method,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  const json = response.headers.get('content-type')?.includes('json')
  return { status: response.status, headers: response.headers, body: json ? JSON.parse(text) : text }
}

/** A decimal counter with which SHA-256("<challenge>:<nonce>") has the leading zero bits asked for. */
export function solve(challenge: string, difficulty: number): string {
  for (let nonce = 0; ; nonce++) {
    const digest = createHash('sha256').update(`${challenge}:${nonce}`).digest()
    if (Math.clz32(digest.readUInt32BE(0)) >= difficulty) return String(nonce)
  }
}

export async function claim(daemon: Pick<Daemon, 'url'>, name: string, agentName = 'test agent'): Promise<Agent> {
  const { address, apiKey: key, claimUrl } = await claimMailbox({ baseUrl: daemon.url, name, agentName })
  return {
    address,
    key,
    claimUrl,
    call: (method, path, body, headers) =>
      request(`${daemon.url}${path}`, method, body, { authorization: `Bearer ${key}`, ...headers }),
  }
}

/** A mailbox that a human has approved. */
export async function approvedAgent(daemon: Daemon, name: string, owner?: string): Promise<Agent> {
  const agent = await claim(daemon, name)
  const approved = await daemon.cli('claim', 'approve', agent.address, ...(owner ? ['--owner', owner] : []))
  if (approved.code !== 0) throw new Error(`approve: ${approved.stdout}${approved.stderr}`)
  return agent
}

/** Reads events by long-poll until one fits; fails after 30 seconds. */
export async function waitForEvent(
  agent: Agent,
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  fits: (event: any) => boolean,
  after = 0,
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
): Promise<any> {
  const deadline = Date.now() + 30_000
  const seen: string[] = []
  while (Date.now() < deadline) {
    const answer = await agent.call('GET', `/v1/events?after=${after}&wait=5`)
    if (answer.status !== 200) throw new Error(`events: ${answer.status} ${JSON.stringify(answer.body)}`)
    for (const event of answer.body.data) {
      if (fits(event)) return event
      seen.push(`${event.type} ${event.data.status ?? ''}`)
      after = event.seq
    }
  }
  throw new Error(`no such event in time; seen: ${seen.join(', ')}`)
}
