/** The letter to an owner about a new connection, and how to end it, in case someone else used their browser. */
import type { Letter } from '../../accounts/letters.js'
import { timestamp } from '../../lib/clock.js'
import type { OAuthScope } from '../../oauth/scopes.js'
import type { OAuthClient } from '../../oauth/types.js'
import { PATHS } from '../page/person-frame.js'
import { scopeWords } from '../page/scopes.js'

export interface Allowed {
  to: string
  address: string
  client: Pick<OAuthClient, 'kind' | 'name' | 'host'>
  scopes: readonly OAuthScope[]
  at: number
  /** Origin of our pages. */
  origin: string
}

export function allowedLetter({ to, address, client: { kind, name, host }, scopes, at, origin }: Allowed): Letter {
  const whose = kind === 'document' && host !== null ? `${host} is its verified site` : 'this name is not verified'
  return {
    to,
    // Without the program's name: a subject reads as ours.
    subject: `A program may now use ${address}`,
    parts: [
      { kind: 'text', text: `Someone signed in to your account has given a program access to the mailbox ${address}.` },
      { kind: 'quote', by: `It calls itself (${whose})`, text: name },
      {
        kind: 'facts',
        rows: [
          ['It may', scopeWords(scopes)],
          ['Allowed', `${timestamp(at).slice(0, 16).replace('T', ' ')} UTC`],
        ],
      },
      {
        kind: 'text',
        text: 'If that was you, there is nothing to do. If it was not, end the connection, and then any sessions that you do not recognize.',
      },
      { kind: 'link', label: 'Your connections', url: `${origin}${PATHS.connections}` },
      { kind: 'link', label: 'Your sessions', url: `${origin}${PATHS.sessions}` },
    ],
  }
}
