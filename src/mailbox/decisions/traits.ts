/** What the account's story needs of an outgoing message: the domains of its links, and its language. */
import type { Told, Traits } from '../../accounts/story.js'
import { ownerOf } from '../../guard/links/domains.js'
import { languageOf } from '../../guard/text/language.js'
import { parseUrl } from '../../lib/url.js'
import { domainOf } from '../../mime/address.js'
import type { MessageContent, StoredMessage } from '../message.js'

const MAX_LINKS = 100

/** Without the sender's own domain, to which anybody may link. */
export function traitsOf({
  from,
  text,
  extracted_text,
  extracted,
}: Pick<MessageContent, 'from' | 'text' | 'extracted_text' | 'extracted'>): Traits {
  const hosts = extracted.links.slice(0, MAX_LINKS).flatMap((link) => {
    const url = parseUrl(link)
    return url && /^https?:$/.test(url.protocol) ? [url.hostname] : []
  })
  const own = from && ownerOf(domainOf(from.address)).domain
  const domains = new Set([...new Set(hosts)].map((host) => ownerOf(host).domain))
  return { hosts: [...domains].filter((domain) => domain !== own), language: languageOf(extracted_text ?? text) }
}

/** The same of a stored message, with its recipients. */
export function toldOf({ state, content }: StoredMessage): Told {
  return { ...traitsOf(content), recipients: state.recipients.length, newRecipients: state.newRecipientCount }
}
