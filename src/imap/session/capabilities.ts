/** What the server offers, by the state of the session. What is not here is not offered. */
import type { ImapSession } from './session.js'

/** Before and after signing in. */
const ALWAYS = ['IMAP4rev2', 'IMAP4rev1', 'LITERAL+', 'ID', 'ENABLE', 'SASL-IR']
const SIGNED_IN = [
  'NAMESPACE',
  'CHILDREN',
  'LIST-EXTENDED',
  'LIST-STATUS',
  'SPECIAL-USE',
  'STATUS=SIZE',
  'IDLE',
  'NOTIFY',
  'UNSELECT',
  'UIDPLUS',
  'MULTIAPPEND',
  'MOVE',
  'CONDSTORE',
  'QRESYNC',
  'ESEARCH',
  'SEARCHRES',
  'WITHIN',
  'SORT',
  'ESORT',
  'THREAD=REFERENCES',
  'THREAD=ORDEREDSUBJECT',
  'BINARY',
  'OBJECTID',
  'SAVEDATE',
  'PREVIEW',
  'QUOTA',
  'QUOTA=RES-STORAGE',
  'UTF8=ACCEPT',
]

/** Names of ENABLE (RFC 5161 §3.1), in upper case. */
export const ENABLES = ['IMAP4REV2', 'CONDSTORE', 'QRESYNC', 'UTF8=ACCEPT'] as const

export function capabilities({ user, wire, parts }: Pick<ImapSession, 'user' | 'wire' | 'parts'>): string {
  const offered = [...ALWAYS]
  if (user) {
    offered.push(...SIGNED_IN, `APPENDLIMIT=${parts.limits.maxMessageBytes}`)
    if (!wire.isCompressed) offered.push('COMPRESS=DEFLATE')
  } else if (wire.isTls) {
    offered.push('AUTH=PLAIN')
    for (const mechanism of parts.tokens?.mechanisms ?? []) offered.push(`AUTH=${mechanism}`)
  } else {
    if (wire.canStartTls) offered.push('STARTTLS')
    offered.push('LOGINDISABLED')
  }
  return offered.join(' ')
}
