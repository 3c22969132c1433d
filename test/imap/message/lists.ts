/** ENVELOPE and BODYSTRUCTURE as the nested lists of the protocol (RFC 9051 §9), for comparing. */
import type {
  BasicPart,
  Envelope,
  EnvelopeAddress,
  MessagePart,
  Parameter,
  Part,
  TextPart,
} from '../../../src/imap/message/types.js'
import type { ImapValue } from '../../support/imap-reader.js'

export function envelopeList(envelope: Envelope): ImapValue[] {
  const { date, subject, from, sender, replyTo, to, cc, bcc, inReplyTo, messageId } = envelope
  return [date, subject, ...[from, sender, replyTo, to, cc, bcc].map(addressList), inReplyTo, messageId]
}

function addressList(addresses: readonly EnvelopeAddress[]): ImapValue {
  return addresses.length === 0 ? null : addresses.map(({ name, adl, mailbox, host }) => [name, adl, mailbox, host])
}

/** Without message/global, which is a basic part to IMAP4rev1. */
export function structureList(part: Part): ImapValue[] {
  const { type, subtype, parameters, id, description, encoding, md5, disposition, languages, location } = part.content
  const tail = [
    disposition && [disposition.type, parameterList(disposition.parameters)],
    languages.length === 0 ? null : [...languages],
    location,
  ]
  if (part.kind === 'multipart') return [...part.parts.map(structureList), subtype, parameterList(parameters), ...tail]
  const size = String(part.end - part.bodyAt)
  const basic = [type, subtype, parameterList(parameters), id, description, encoding, size]
  return [...basic, ...special(part), md5, ...tail]
}

function special(part: TextPart | MessagePart | BasicPart): ImapValue[] {
  if (part.kind === 'text') return [String(part.lines)]
  if (part.kind === 'basic' || part.content.subtype.toLowerCase() === 'global') return []
  return [envelopeList(part.envelope), structureList(part.message), String(part.lines)]
}

function parameterList(parameters: readonly Parameter[]): ImapValue {
  return parameters.length === 0 ? null : parameters.flat()
}
