/** Checks the recipient and the note of an invite: unsolicited mail to a human, from the service's own address. */
import { MAX_LEVEL } from '../../accounts/trust.js'
import type { Letters } from '../../accounts/letters.js'
import { shownLinks } from '../../guard/links/links.js'
import type { Guard, GuardSubject } from '../../guard/types.js'
import { ServiceError, invalidRequest } from '../../lib/errors.js'
import { addressKey, domainOf, parseAddress } from '../../mime/address.js'
import { findLinks } from '../../mime/html/links.js'
import { hiddenInWords } from '../../mime/html/visible.js'

const MAX_NOTE_CHARS = 1000
const ELSE = 'Or leave the note out, or give claim_url to your human yourself. Nothing was sent or counted.'

export interface RecipientDeps {
  letters: Pick<Letters, 'canReach'>
  isLocalDomain: (domain: string) => boolean
}

/** @returns the plain address @throws ServiceError `invalid_request` */
export function checkRecipient(to: string, { letters, isLocalDomain }: RecipientDeps): string {
  const parsed = parseAddress(to)
  if (!parsed || parsed.name !== '') {
    throw invalidRequest('`to` is not an email address.', 'Give one plain address, as `name@example.com`.', [
      { field: 'to', problem: 'one plain email address' },
    ])
  }
  if (isLocalDomain(domainOf(parsed.address))) {
    throw invalidRequest(
      'Invites go to humans, and addresses of this server belong to agents.',
      'Give the address at which your human reads mail.',
      [{ field: 'to', problem: 'an address outside of this server' }],
    )
  }
  if (!letters.canReach(parsed.address)) {
    throw invalidRequest(
      'This server sends no mail to other servers, so it cannot send invites.',
      'Give claim_url to your human yourself; the operator of this server can approve with `restante claim approve ADDRESS`.',
      [{ field: 'to', problem: 'no mail leaves this server' }],
    )
  }
  return addressKey(parsed.address)
}

/**
 * Normalizes a note to lines of text.
 *
 * @returns null if there is none @throws ServiceError `invalid_request`
 */
export function checkNote(note: string | undefined): string | null {
  const text = (note ?? '').replace(/\r\n?/g, '\n').trim()
  if (text === '') return null
  const problem =
    [...text].length > MAX_NOTE_CHARS
      ? `it has more than ${MAX_NOTE_CHARS} characters`
      : // Characters that could disguise the note.
        /[^\P{Cc}\n\t]|[\p{Cs}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u.test(text)
        ? 'it contains control characters, or characters that change the direction of text'
        : undefined
  if (problem === undefined) return text
  throw invalidRequest(`The note can't be used: ${problem}.`, `Send a plain short note. ${ELSE}`, [
    { field: 'note', problem },
  ])
}

/**
 * By words alone a note is refused as if by a sender of the highest level: it stands as a quotation in the server's own mail, and whoever asks for an approval
 * introduces himself as impostors do. Findings count as ever.
 */
const INVITE_TRUST = MAX_LEVEL

/**
 * Has the guard judge the agent's text like a trusted sender's message to a new recipient. Nobody reviews held invites, so `hold` refuses too.
 *
 * @throws ServiceError `invalid_request`
 */
export async function checkByGuard(guard: Guard, agentName: string | null, note: string | null): Promise<void> {
  const text = [agentName ?? '', note ?? ''].filter((words) => words !== '').join('\n')
  if (text === '') return
  const subject: GuardSubject = {
    kind: 'invite',
    subject: '',
    text,
    hiddenWords: hiddenInWords(text),
    html: null,
    links: shownLinks(null, findLinks(text, null)),
    recipientCount: 1,
    newRecipientCount: 1,
    attachments: [],
    trust: INVITE_TRUST,
    isAnswer: false,
  }
  const own = await guard.check(subject)
  const verdict = guard.isDoubtful?.(own) ? ((await guard.ask?.(subject, own)) ?? own) : own
  if (verdict.decision === 'send') return
  const field = note === null ? 'agent_name' : 'note'
  const why = verdict.reasons.map(({ code, detail }) => `${code}: ${detail}`)
  throw new ServiceError(
    'invalid_request',
    `The ${note === null ? 'name of the agent' : 'note'} reads like ${verdict.category}: ${why[0] ?? 'no reason given'}.`,
    note === null
      ? 'Claim again under a plain agent_name, or give claim_url to your human yourself. Nothing was sent or counted.'
      : `Write plainly who you are and why you ask, without links, offers or urgency, and call POST /v1/claim/notify again. ${ELSE}`,
    { fields: why.map((problem) => ({ field, problem })) },
  )
}
