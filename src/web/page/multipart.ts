/** Forms with files, as browsers send them: `multipart/form-data` (RFC 7578, RFC 2046 §5.1), read strictly from a body that is in memory. */
import { ServiceError } from '../../lib/errors.js'

/** A chosen file. */
export interface FormFile {
  /** Without folders and invisible characters; never empty. */
  filename: string
  /** `application/octet-stream` where the browser knows none. */
  contentType: string
  content: Buffer
}

export interface FormContent {
  fields: URLSearchParams
  files: FormFile[]
}

/** Fields and files of one form. */
const MAX_PARTS = 1000
const MAX_HEAD_BYTES = 4096
const MAX_NAME_CHARS = 255
/** RFC 2046 §5.1.1. */
const BOUNDARY = /^multipart\/form-data;\s*boundary=("?)([\w'()+,./:=?-]{1,70})\1$/i
const DISPOSITION = /^content-disposition: form-data; name="([^"]*)"(?:; filename="([^"]*)")?$/i
const MEDIA_TYPE = /^content-type:\s*([\w!#$&^.+-]{1,127}\/[\w!#$&^.+-]{1,127})\s*(?:;|$)/i

/** @throws ServiceError `unsupported_media_type` for another type, `invalid_request` for a malformed body or too many parts */
export function parseMultipart(body: Buffer, contentType: string): FormContent {
  const boundary = BOUNDARY.exec(contentType.trim())?.[2]
  if (boundary === undefined) {
    throw new ServiceError('unsupported_media_type', 'This is no form with files.', 'Send it from the page itself.')
  }
  const [fields, files] = [new URLSearchParams(), [] as FormFile[]]
  const delimiter = Buffer.from(`\r\n--${boundary}`)
  if (!body.subarray(0, delimiter.length - 2).equals(delimiter.subarray(2))) throw malformed()
  let at = delimiter.length - 2
  for (let parts = 0; body.toString('latin1', at, at + 2) !== '--'; parts++) {
    if (parts === MAX_PARTS || body.toString('latin1', at, at + 2) !== '\r\n') throw malformed()
    const headEnd = body.subarray(at, at + MAX_HEAD_BYTES).indexOf('\r\n\r\n')
    const start = at + headEnd + 4
    const end = headEnd === -1 ? -1 : body.indexOf(delimiter, start)
    if (end === -1) throw malformed()
    const { name, filename, type } = headOf(body.toString('utf8', at + 2, at + headEnd))
    const content = body.subarray(start, end)
    if (filename === undefined) fields.append(name, content.toString('utf8'))
    // A file field in which nothing was chosen is an empty file without a name.
    else if (filename !== '' || content.length > 0)
      files.push({ filename: safeName(filename), contentType: type, content })
    at = end + delimiter.length
  }
  return { fields, files }
}

function headOf(text: string): { name: string; filename: string | undefined; type: string } {
  let disposition: RegExpExecArray | undefined
  let type: string | undefined
  for (const line of text.split('\r\n')) {
    disposition ??= DISPOSITION.exec(line) ?? undefined
    type ??= MEDIA_TYPE.exec(line)?.[1]
  }
  const [, name, filename] = disposition ?? []
  if (name === undefined) throw malformed()
  return {
    name: unescaped(name),
    filename: filename === undefined ? undefined : unescaped(filename),
    type: (type ?? 'application/octet-stream').toLowerCase(),
  }
}

/** Browsers escape these three in names, and nothing else (HTML §4.10.22.8). */
const unescaped = (text: string): string => text.replaceAll('%22', '"').replaceAll('%0D', '\r').replaceAll('%0A', '\n')

function safeName(text: string): string {
  const name = text
    .slice(Math.max(text.lastIndexOf('/'), text.lastIndexOf('\\')) + 1)
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, '')
    .trim()
  if (name.length <= MAX_NAME_CHARS) return name === '' || name === '.' || name === '..' ? 'file' : name
  const ending = /\.\w{1,10}$/.exec(name)?.[0] ?? ''
  return [...name.slice(0, MAX_NAME_CHARS - ending.length)].slice(0, -1).join('') + ending
}

function malformed(): ServiceError {
  return new ServiceError(
    'invalid_request',
    'This form could not be read.',
    'Go back, reload the page, and send it again with fewer files.',
  )
}
