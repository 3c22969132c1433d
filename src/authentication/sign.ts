/**
 * Signs outgoing mail (RFC 6376 §3 and §5, RFC 8463), relaxed/relaxed, with every key of the domain.
 * mailauth's signer parses the PEM again for each message, takes no parsed key, and can't list From once more than it occurs: without that a second
 * From could be added to a signed message (RFC 6376 §8.15).
 */
import { createHash, sign as signOctets } from 'node:crypto'
import { promisify } from 'node:util'
import { SECOND, systemClock, type Clock } from '../lib/clock.js'
import { headerLength } from '../mime/headers.js'
import { headerFields, relaxedBodyHash, relaxedField, type HeaderField } from './canonical.js'
import type { DkimKeys } from './keys.js'
import type { DkimKey, Signer } from './types.js'

/** In the order of `h=`. A repeated field is signed as often as it occurs. */
const SIGNED_FIELDS = [
  'From',
  'To',
  'Cc',
  'Subject',
  'Date',
  'Message-ID',
  'In-Reply-To',
  'References',
  'MIME-Version',
  'Content-Type',
  // RFC 8058 §4: one-click unsubscription requires signatures on both.
  'List-Unsubscribe',
  'List-Unsubscribe-Post',
  // RFC 8460 §5.3: receivers filter reports by them.
  'TLS-Report-Domain',
  'TLS-Report-Submitter',
]
const FOLD_AT = 76

const signInPool = promisify(signOctets)

/** @param clock time of signing, `t=` */
export function createSigner(keys: Pick<DkimKeys, 'signingKeys'>, clock: Clock = systemClock): Signer {
  return {
    async sign(raw, domain) {
      const signing = keys.signingKeys(domain)
      if (signing.length === 0) return raw
      const bodyAt = headerLength(raw)
      const listed = fieldsToSign(headerFields(raw.subarray(0, bodyAt)))
      const bodyHash = await relaxedBodyHash(raw.subarray(bodyAt))
      const signedAt = Math.floor(clock.now() / SECOND)
      const signatures = await Promise.all(signing.map((key) => signature(key, listed, bodyHash, signedAt)))
      return Buffer.concat([Buffer.from(signatures.join(''), 'latin1'), raw])
    },
  }
}

interface Listed {
  /** Names for `h=`. */
  names: string[]
  /** The fields in the order of the names, relaxed, each with its CRLF. */
  octets: string
}

/** RFC 6376 §5.4.2: of repeated fields, the last one in the message is signed first. */
function fieldsToSign(fields: HeaderField[]): Listed {
  const names: string[] = []
  let octets = ''
  for (const name of SIGNED_FIELDS) {
    const found = fields.filter((field) => field.name === name.toLowerCase()).reverse()
    for (const field of found) {
      names.push(name)
      octets += `${relaxedField(field)}\r\n`
    }
    // Listed once more than it occurs: adding another one breaks the signature.
    if (name === 'From') names.push(name)
  }
  return { names, octets }
}

async function signature(key: DkimKey, { names, octets }: Listed, bodyHash: string, signedAt: number): Promise<string> {
  const tags = [
    'v=1',
    `a=${key.algorithm}`,
    'c=relaxed/relaxed',
    `d=${key.domain}`,
    `s=${key.selector}`,
    `t=${signedAt}`,
    ...names.map((name, i) => (i === 0 ? `h=${name}` : `:${name}`)),
    `bh=${bodyHash}`,
  ]
  const field = `DKIM-Signature: ${folded(tags)};\r\n b=`
  // RFC 6376 §3.7: the signature's own field is last, with an empty b= and without a CRLF.
  const message = Buffer.from(octets + relaxedField({ name: 'dkim-signature', text: field }), 'latin1')
  const value = (await signedOctets(key, message)).toString('base64')
  return `${field}${(value.match(/.{1,72}/g) ?? []).join('\r\n ')}\r\n`
}

/** RSA takes most of a millisecond and runs in a worker thread; Ed25519 takes less than passing it to one. */
export async function signedOctets({ algorithm, privateKey }: DkimKey, message: Buffer): Promise<Buffer> {
  if (algorithm === 'rsa-sha256') return signInPool('sha256', message, privateKey)
  // RFC 8463 §3: Ed25519 over the SHA-256 of the message.
  return signOctets(null, createHash('sha256').update(message).digest(), privateKey)
}

/** Joins tags by semicolons; a part that begins with a colon continues the list before it. */
function folded(parts: string[]): string {
  let text = ''
  let column = 'DKIM-Signature: '.length
  for (const [i, part] of parts.entries()) {
    const joint = i === 0 || part.startsWith(':') ? '' : '; '
    if (column + joint.length + part.length > FOLD_AT) {
      text += `${joint.trim()}\r\n ${part}`
      column = 1 + part.length
    } else {
      text += joint + part
      column += joint.length + part.length
    }
  }
  return text
}
