/** The description of a body by the header of its part (RFC 2045, RFC 1864, RFC 2183, RFC 2557, RFC 3282), with the defaults of RFC 2045 §5.2 and RFC 2046 §5.1.5. */
import { fieldsOf, valueOf } from './fields.js'
import { parameterOf, readDisposition, readLanguages, readMediaType, readToken, type MediaType } from './parameters.js'
import type { Content, Parameter } from './types.js'

export interface Description {
  /** How the body is read. */
  kind: 'text' | 'message' | 'multipart' | 'basic'
  /** Of a multipart, one octet a character; '' when missing. */
  boundary: string
  content: Content
}

const US_ASCII: Parameter = ['charset', 'us-ascii']

/** @param header one octet a character @param inDigest whether its multipart is a digest, where the default type is a message */
export function describe(header: string, inDigest: boolean): Description {
  const fields = fieldsOf(header)
  const find = (name: string): string | null => {
    const field = fields.find((each) => each.name === name)
    return field ? valueOf(header, field) : null
  }
  const declared = find('content-type')
  const isMissing = declared === null || declared === ''
  const media = (!isMissing && readMediaType(declared)) || defaultType(isMissing && inDigest)
  const { type, subtype, parameters } = media
  const kind = kindOf(media)
  const needsCharset = kind === 'text' && !parameters.some(([name]) => /^charset\*?$/i.test(name))
  return {
    kind,
    boundary: kind === 'multipart' ? parameterOf(parameters, 'boundary') : '',
    content: {
      type,
      subtype,
      parameters: needsCharset ? [...parameters, US_ASCII] : parameters,
      id: find('content-id'),
      description: find('content-description'),
      encoding: readToken(find('content-transfer-encoding') ?? '') || '7bit',
      md5: find('content-md5'),
      disposition: readDisposition(find('content-disposition') ?? ''),
      languages: readLanguages(find('content-language') ?? ''),
      // RFC 2557 §4.4.2: white space is of the folding, not of the URI.
      location: find('content-location')?.replace(/[ \t]+/g, '') ?? null,
    },
  }
}

/** Content that can't be read as what it is called: a multipart without parts, as mime/structure.ts has it too. */
export function asText({ content }: Description): Description {
  return {
    kind: 'text',
    boundary: '',
    content: { ...content, type: 'text', subtype: 'plain', parameters: [US_ASCII], encoding: '7bit' },
  }
}

/** A multipart or message that is not opened. */
export function asOctets({ content }: Description): Description {
  return {
    kind: 'basic',
    boundary: '',
    content: { ...content, type: 'application', subtype: 'octet-stream', parameters: [] },
  }
}

const defaultType = (isMessage: boolean): MediaType =>
  isMessage
    ? { type: 'message', subtype: 'rfc822', parameters: [] }
    : { type: 'text', subtype: 'plain', parameters: [] }

function kindOf({ type, subtype }: MediaType): Description['kind'] {
  switch (type.toLowerCase()) {
    case 'text':
      return 'text'
    case 'multipart':
      return 'multipart'
    case 'message':
      return /^(?:rfc822|global)$/i.test(subtype) ? 'message' : 'basic'
    default:
      return 'basic'
  }
}
