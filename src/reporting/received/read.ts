/** Finds the report in a mail's attachments. Runs in a thread (reader.ts), as it may be costly. */
import { readPart } from '../../mime/part.js'
import { type ParseLimits, MessageFormatError } from '../../mime/types.js'
import { readDmarcXml } from './dmarc-xml.js'
import { readTlsJson } from './tls-json.js'
import { Refused, type ReadReport, type Reading, type Refusal } from './types.js'
import { unpack } from './unpack.js'

const XML_ENCODING = /^<\?xml[^>]{0,200}\bencoding\s*=\s*["']([\w.:-]{1,40})["']/

/** @param parts numbers of candidate attachments; the first valid one counts */
export async function readReportMail(raw: Buffer, parts: readonly number[], limits: ParseLimits): Promise<Reading> {
  let refusal: Refusal = 'no_report'
  for (const part of parts) {
    try {
      return { kind: 'read', report: readReport(await readPart(raw, part, limits)) }
    } catch (error) {
      if (error instanceof Refused) refusal = refusal === 'no_report' ? error.refusal : refusal
      else if (!(error instanceof MessageFormatError)) throw error
    }
  }
  return { kind: 'refused', refusal }
}

/** @param packed as attached @throws Refused */
export function readReport(packed: Buffer): ReadReport {
  const text = decoded(unpack(packed)).trimStart()
  if (text.startsWith('<')) return readDmarcXml(text)
  if (text.startsWith('{')) return readTlsJson(text)
  throw new Refused('no_report')
}

/** By byte order mark or XML declaration, else UTF-8; invalid bytes become U+FFFD. */
function decoded(bytes: Buffer): string {
  const mark = bytes.subarray(0, 2).toString('hex')
  const declared = mark === 'feff' ? 'utf-16be' : mark === 'fffe' ? 'utf-16le' : declaredIn(bytes)
  return decoderFor(declared).decode(bytes)
}

function declaredIn(bytes: Buffer): string {
  const declared = XML_ENCODING.exec(bytes.toString('latin1', 0, 300).replace(/^\xef\xbb\xbf/, ''))?.[1] ?? 'utf-8'
  // A UTF-16 declaration could not be read here if it were true.
  return /^utf-?16/i.test(declared) ? 'utf-8' : declared
}

function decoderFor(label: string): { decode(bytes: Uint8Array): string } {
  try {
    return new TextDecoder(label)
  } catch (error) {
    // Unknown encoding; most such reports are ASCII anyway.
    if (error instanceof RangeError) return new TextDecoder()
    throw error
  }
}
