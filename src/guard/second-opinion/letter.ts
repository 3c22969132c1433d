/** The parts of a message that a language model is given: as little as possible, in a form that is data and not instructions. */
import { domainToUnicode } from 'node:url'
import { cut } from '../../lib/text.js'
import { parseUrl } from '../../lib/url.js'
import { domainOf } from '../../mime/address.js'
import { extractReply } from '../../mime/reply/reply.js'
import { hostsOf, linksOf, readLinks } from '../links/links.js'
import { wordsOfHtml } from '../text/text.js'
import type { GuardSubject } from '../types.js'

/** Max characters from the start of the text. The end is included, so padding hides nothing. */
const MAX_HEAD_CHARS = 6000
const MAX_TAIL_CHARS = 2000
const MAX_SUBJECT_CHARS = 500
const MAX_NAME_CHARS = 100
const MAX_HOSTS = 30
const MAX_ATTACHMENTS = 20
const MAX_TYPE_CHARS = 100
/** Max characters read before the text is cut. */
const MAX_READ_CHARS = 64 * 1024

export interface Letter {
  kind: GuardSubject['kind']
  from: { name: string; domain: string } | null
  reply_to_domains: string[]
  subject: string
  text: string
  link_hosts: string[]
  recipients: number
  new_recipients: number
  attachments: { extension: string; content_type: string; size_bytes: number }[]
}

export function letterOf(subject: GuardSubject): Letter {
  const { from, replyTo = [], attachments } = subject
  return {
    kind: subject.kind,
    from: from ? { name: discreet(cut(from.name, MAX_NAME_CHARS)), domain: domainOf(from.address) } : null,
    reply_to_domains: replyTo.slice(0, 5).map(({ address }) => domainOf(address)),
    subject: discreet(cut(subject.subject, MAX_SUBJECT_CHARS)),
    // Cut first, since the rest takes time; and again, since replaced addresses may be longer.
    text: shortened(discreet(shortened(ownWords(subject)))),
    link_hosts: [...new Set(hostsOf(readLinks(linksOf(subject.links, subject.text))))].slice(0, MAX_HOSTS),
    recipients: subject.recipientCount,
    new_recipients: subject.newRecipientCount,
    attachments: attachments.slice(0, MAX_ATTACHMENTS).map(({ filename, contentType, sizeBytes }) => ({
      extension: /\.([\p{L}\d]{1,10})$/u.exec(filename)?.[1]?.toLowerCase() ?? '',
      content_type: cut(contentType, MAX_TYPE_CHARS),
      size_bytes: sizeBytes,
    })),
  }
}

/** The text without quotes, unless there is nothing else. */
function ownWords({ text, html }: GuardSubject): string {
  const plain =
    text.length <= MAX_READ_CHARS ? text : `${cut(text, MAX_READ_CHARS / 2)}\n${text.slice(-MAX_READ_CHARS / 2)}`
  const own = extractReply(plain)
  if (own.trim() !== '') return own
  return plain.trim() === '' && html !== null ? wordsOfHtml(html) : plain
}

/** Replaces addresses with their domains and links with their hosts, which keeps correspondents and secret links private. */
function discreet(text: string): string {
  return text
    .replace(/\bhttps?:\/\/[^\s<>"')\]]{1,2048}/gi, (link) => {
      const url = parseUrl(link)
      return url === undefined ? '[link]' : `[link to ${domainToUnicode(url.hostname)}]`
    })
    .replace(
      /(?<![^\s<>()[\]"',;:@])[^\s<>()[\]"',;:@]{1,64}@((?:[\p{L}\d-]{1,63}\.){1,8}[\p{L}\d-]{1,63})/gu,
      '[address at $1]',
    )
}

function shortened(text: string): string {
  if (text.length <= MAX_HEAD_CHARS + MAX_TAIL_CHARS) return text
  return `${cut(text, MAX_HEAD_CHARS)}\n[…]\n${text.slice(5 - MAX_TAIL_CHARS)}`
}
