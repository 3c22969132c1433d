/** ENVELOPE, BODY and BODYSTRUCTURE as responses have them (RFC 9051 §7.5.2, §9). */
import type { Content, Disposition, Envelope, EnvelopeAddress, Parameter, Part } from '../message/types.js'
import type { ResponseLine } from '../wire/response.js'

/** Text with one octet a character, as headers are read. */
const octets = (text: string | null): string | Buffer | null =>
  text === null || /^[\x00-\x7f]*$/.test(text) ? text : Buffer.from(text, 'latin1')

export function writeEnvelope(line: ResponseLine, envelope: Envelope): void {
  line.raw('(').nstring(octets(envelope.date)).raw(' ').nstring(octets(envelope.subject))
  for (const people of [envelope.from, envelope.sender, envelope.replyTo, envelope.to, envelope.cc, envelope.bcc]) {
    line.raw(' ')
    if (people.length === 0) line.nil()
    // Without spaces between them.
    else {
      line.raw('(')
      for (const address of people) writeAddress(line, address)
      line.raw(')')
    }
  }
  line.raw(' ').nstring(octets(envelope.inReplyTo)).raw(' ').nstring(octets(envelope.messageId)).raw(')')
}

function writeAddress(line: ResponseLine, { name, adl, mailbox, host }: EnvelopeAddress): void {
  line.list([name, adl, mailbox, host], (text) => line.nstring(octets(text)))
}

/** @param extended BODYSTRUCTURE; without it BODY */
export function writeStructure(line: ResponseLine, part: Part, how: { extended: boolean; utf8: boolean }): void {
  const { content } = part
  line.raw('(')
  if (part.kind === 'multipart') {
    for (const each of part.parts) writeStructure(line, each, how)
    line.raw(' ').string(content.subtype)
    if (how.extended) {
      line.raw(' ')
      writeParameters(line, content.parameters)
      writeExtension(line, content)
    }
    line.raw(')')
    return
  }
  line.string(content.type).raw(' ').string(content.subtype).raw(' ')
  writeParameters(line, content.parameters)
  line
    .raw(' ')
    .nstring(octets(content.id))
    .raw(' ')
    .nstring(octets(content.description))
    .raw(' ')
    .string(content.encoding)
  line.raw(` ${part.end - part.bodyAt}`)
  if (part.kind === 'message' && (how.utf8 || content.subtype.toLowerCase() === 'rfc822')) {
    line.raw(' ')
    writeEnvelope(line, part.envelope)
    line.raw(' ')
    writeStructure(line, part.message, how)
    line.raw(` ${part.lines}`)
  } else if (part.kind === 'text') line.raw(` ${part.lines}`)
  if (how.extended) {
    line.raw(' ').nstring(octets(content.md5))
    writeExtension(line, content)
  }
  line.raw(')')
}

function writeExtension(
  line: ResponseLine,
  { disposition, languages, location }: Pick<Content, 'disposition' | 'languages' | 'location'>,
): void {
  line.raw(' ')
  writeDisposition(line, disposition)
  line.raw(' ')
  const [only] = languages
  if (only === undefined) line.nil()
  else if (languages.length === 1) line.nstring(octets(only))
  else line.list(languages, (language) => line.nstring(octets(language)))
  line.raw(' ').nstring(octets(location))
}

function writeDisposition(line: ResponseLine, disposition: Disposition | null): void {
  if (!disposition) {
    line.nil()
    return
  }
  line.raw('(').nstring(octets(disposition.type)).raw(' ')
  writeParameters(line, disposition.parameters)
  line.raw(')')
}

function writeParameters(line: ResponseLine, parameters: readonly Parameter[]): void {
  if (parameters.length === 0) line.nil()
  else line.list(parameters.flat(), (text) => line.nstring(octets(text)))
}
