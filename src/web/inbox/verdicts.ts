/** Findings about a message in plain words: who really sent it, which checks it passed, how delivery went, why it is held. */
import { isSpam } from '../../mailbox/labels.js'
import type { Message, MessageStatus, Recipient } from '../../mailbox/objects/objects.js'
import { html, type Html } from '../page/html.js'
import { reasonItem } from '../page/reasons.js'
import { exactly, moment, plain } from '../page/words.js'

/** A sentence and how good it is. */
interface Finding {
  text: string
  tone: 'good' | 'bad' | 'plain'
}

/** Whether the address in From is proven, by DMARC or else by what it stands on (RFC 9989, RFC 6376, RFC 7208). */
export function senderFinding({ auth, from }: Pick<Message, 'auth' | 'from'>): Finding {
  const domain = domainOf(from?.address)
  if (!auth) return { text: 'It was not checked who sent it.', tone: 'plain' }
  if (auth.dmarc === 'pass') return { text: `Proven to come from ${domain}.`, tone: 'good' }
  if (auth.dmarc === 'fail') {
    return { text: `Not proven to come from ${domain}: it may be forged.`, tone: 'bad' }
  }
  const signer = auth.dkim === 'pass' ? auth.dkim_domain : null
  const server = auth.spf === 'pass' ? auth.spf_domain : null
  const proven = [signer, server].find((each) => each !== null && isUnder(domain, each))
  if (proven !== undefined) return { text: `Proven to come from ${domain}.`, tone: 'good' }
  const other = signer ?? server
  return other === null
    ? { text: `Nothing proves that it comes from ${domain}.`, tone: 'bad' }
    : { text: `Sent by ${other}; nothing proves that ${domain} wrote it.`, tone: 'bad' }
}

/** The author of an incoming message whose domain vouches for it (RFC 9989 §5.3: something that passed is aligned with the domain in From); never of spam. */
export function provenAuthor(message: Message): string | undefined {
  const { direction, auth, from } = message
  return direction === 'inbound' && auth?.dmarc === 'pass' && !isSpam(message) ? from?.address : undefined
}

const domainOf = (address: string | undefined): string => address?.split('@').at(-1)?.toLowerCase() || 'its sender'

const isUnder = (domain: string, other: string): boolean =>
  domain === other.toLowerCase() || domain.endsWith(`.${other.toLowerCase()}`)

/** All checks of an incoming message. */
export function checks(message: Message): Html | undefined {
  const { auth, scan, direction } = message
  if (direction === 'outbound') return undefined
  const sender = senderFinding(message)
  return html`<p class="${sender.tone}">
      ${sender.text}${scan && html` ${virusWords(scan.virus)} ${spamWords(scan.spam)}`}
    </p>
    <details>
      <summary>What was checked</summary>
      <dl>
        ${
          auth &&
          html`<dt>Sending server (SPF)</dt>
            <dd>${SPF[auth.spf]}${auth.spf_domain !== null && ` Domain: ${plain(auth.spf_domain)}.`}</dd>
            <dt>Signature (DKIM)</dt>
            <dd>${DKIM[auth.dkim]}${auth.dkim_domain !== null && ` Signed by ${plain(auth.dkim_domain)}.`}</dd>
            <dt>Name in From (DMARC)</dt>
            <dd>
              ${DMARC[auth.dmarc]}${auth.dmarc_policy !== null && ` The domain asks for: ${POLICY[auth.dmarc_policy]}.`}
            </dd>`
        }
        ${
          scan &&
          html`<dt>Viruses</dt>
            <dd>${virusWords(scan.virus)}</dd>
            <dt>Spam</dt>
            <dd>
              ${spamWords(scan.spam)} ${scan.spam.score.toFixed(1)} points.
              ${
                scan.spam.reasons.length > 0 &&
                html`<ul>
                  ${scan.spam.reasons.map(({ detail, score }) => html`<li><bdi>${plain(detail)}</bdi> (${score > 0 && '+'}${score.toFixed(1)})</li>`)}
                </ul>`
              }
            </dd>`
        }
      </dl>
    </details>`
}

type Auth = NonNullable<Message['auth']>
type Scan = NonNullable<Message['scan']>

const SPF: Record<Auth['spf'], string> = {
  none: 'Its domain names no servers.',
  neutral: 'Its domain says nothing about this server.',
  pass: 'A server that its domain allows.',
  fail: 'A server that its domain does not allow.',
  softfail: 'A server that its domain probably does not allow.',
  temperror: 'Could not be looked up at that time.',
  permerror: 'Its domain names its servers in a way that cannot be read.',
}
const DKIM: Record<Auth['dkim'], string> = {
  none: 'Not signed.',
  pass: 'Signed, and unchanged since.',
  fail: 'Signed, but changed since or with a wrong key.',
  policy: 'Signed in a way that is not accepted.',
  neutral: 'Signed in a way that proves nothing.',
  temperror: 'The key could not be looked up at that time.',
  permerror: 'The signature cannot be read.',
}
const DMARC: Record<Auth['dmarc'], string> = {
  none: 'Its domain says nothing about mail in its name.',
  pass: 'The domain in From vouches for it.',
  fail: 'The domain in From does not vouch for it.',
  temperror: 'Could not be looked up at that time.',
  permerror: 'What the domain says cannot be read.',
}
const POLICY: Record<NonNullable<Auth['dmarc_policy']>, string> = {
  none: 'nothing to be done about mail that fails',
  quarantine: 'mail that fails to be treated as suspicious',
  reject: 'mail that fails to be refused',
}

function virusWords(virus: Scan['virus']): string {
  switch (virus) {
    case 'clean':
      return 'No virus was found.'
    case 'infected':
      return 'It has a virus.'
    case 'unscanned':
      return 'It was not scanned for viruses.'
  }
}

function spamWords({ verdict }: Scan['spam']): string {
  switch (verdict) {
    case 'ham':
      return 'It does not look like spam.'
    case 'spam':
      return 'It looks like spam.'
  }
}

/** The scanner's verdict on a file, and why the file is risky whatever that was. */
export function fileFinding({ scan, risk }: Pick<Message['attachments'][number], 'scan' | 'risk'>): Html {
  const said = scan === 'clean' ? 'no virus found' : scan === 'unscanned' ? 'not scanned' : undefined
  return html`${said !== undefined && html`<span class="small">${said}</span>`}
  ${risk.map(({ detail }) => html`<br /><span class="bad"><bdi>${plain(detail)}</bdi></span>`)}`
}

const STATUS: Record<MessageStatus, string> = {
  received: 'Received.',
  checking: 'It is being checked before it is sent.',
  scheduled: 'It is scheduled, and not sent yet.',
  cancelled: 'It was withdrawn, and not sent.',
  held: "The guard was not sure about it. The operator's staff looks at it before it is sent.",
  blocked: 'The guard blocked it: it was not sent.',
  queued: 'It is about to be sent.',
  sending: 'It is being sent.',
  sent: 'Some have it, others are still tried.',
  delivered: 'All have it.',
  partially_delivered: 'Some have it, others do not.',
  bounced: 'Nobody has it.',
}

const RECIPIENT: Record<Recipient['status'], string> = {
  queued: 'not tried yet',
  deferred: 'tried, and will be tried again',
  delivered: 'delivered',
  bounced: 'not delivered',
  complained: 'delivered; reported as spam',
  checking: 'being checked',
  scheduled: 'scheduled',
  held: 'held',
  blocked: 'blocked',
  cancelled: 'withdrawn',
}

/** State of an outgoing message, why it is as it is, and how it went for each recipient. */
export function delivery(message: Message, now: number): Html | undefined {
  const { direction, status, recipients, cancelled, send_at: sendAt } = message
  if (direction === 'inbound') return undefined
  if (message.imported)
    return html`<p class="plain">It was brought in from elsewhere: whether it reached anybody is not known here.</p>`
  const tone = status === 'held' || status === 'blocked' || status === 'bounced' ? 'bad' : 'plain'
  return html`<p class="${tone}">
      ${STATUS[status]} ${status === 'scheduled' && sendAt !== undefined && html`It goes ${exactly(Date.parse(sendAt))}.`}
      ${cancelled && plain(cancelled.detail)}
    </p>
    ${reasons(message)}
    <details${status !== 'delivered' && html` open`}>
      <summary>Delivery</summary>
      <ul class="deliveries">
        ${recipients.map((each) => recipientLine(each, now))}
      </ul>
    </details>`
}

function reasons({ status, check }: Message): Html | undefined {
  if (!check || (status !== 'held' && status !== 'blocked')) return undefined
  return html`<ul>
      ${check.reasons.map((reason) => reasonItem(reason))}
    </ul>
    ${
      check.reviewed_by !== null &&
      html`<p class="small">
        A person has decided about it${check.reviewed_at !== null && html`, ${exactly(Date.parse(check.reviewed_at))}`}.
      </p>`
    }`
}

function recipientLine(recipient: Recipient, now: number): Html {
  const { address, status, smtp_code: code, detail, attempts, next_attempt_at: next, at } = recipient
  return html`<li>
    <bdi>${plain(address)}</bdi>:
    <strong class="${status === 'bounced' ? 'bad' : 'plain'}">${RECIPIENT[status]}</strong>
    <span class="small"
      >${moment(Date.parse(at), now)}${attempts > 1 && `, after ${attempts} attempts`}${
        next !== null && html`; next attempt ${moment(Date.parse(next), now)}`
      }</span
    >
    ${
      detail !== null &&
      html`<br /><span class="small"
          >${code === null ? 'What happened' : 'The other server said'}:
          <q dir="auto">${code !== null && !detail.startsWith(String(code)) && `${code} `}${plain(detail)}</q></span
        >`
    }
  </li>`
}

/** True if it can still be withdrawn; whether its delivery has begun meanwhile is seen when it is tried. */
export function isWithdrawable({ direction, status }: Pick<Message, 'direction' | 'status'>): boolean {
  return direction === 'outbound' && ['scheduled', 'checking', 'held', 'queued'].includes(status)
}

/** True for mail that a human wrote and that has not gone: it can become their draft again. */
export const isRecallable = ({ composed_by: author, status }: Pick<Message, 'composed_by' | 'status'>): boolean =>
  author === 'human' && status === 'scheduled'
