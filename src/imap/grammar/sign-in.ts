/** Commands about the client and who it acts for: AUTHENTICATE, LOGIN, ID, ENABLE, COMPRESS (RFC 9051 §6.1 to §6.3.1). */
import { decodeBase64 } from '../wire/base64.js'
import type { Scanner } from '../wire/scanner.js'
import { MAX_ID_FIELDS, MAX_OPTIONS } from './limits.js'

export type SignInCommand =
  | {
      name: 'AUTHENTICATE'
      /** Upper case. */
      mechanism: string
      /** RFC 4959; empty for `=`. */
      initialResponse: Buffer | undefined
    }
  | { name: 'LOGIN'; user: string; password: string }
  | {
      name: 'ID'
      /** RFC 2971. Undefined: NIL. */
      fields: { field: string; value: string | undefined }[] | undefined
    }
  | {
      name: 'ENABLE'
      /** RFC 5161. Upper case. */
      capabilities: string[]
    }
  /** RFC 4978. */
  | { name: 'COMPRESS'; algorithm: 'DEFLATE' }

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/
/** RFC 2971 §3.3. */
const MAX_ID_FIELD_BYTES = 30
const MAX_ID_VALUE_BYTES = 1024

export function readAuthenticate(scanner: Scanner): SignInCommand {
  scanner.space()
  const mechanism = scanner.atom('a mechanism').toUpperCase()
  const initialResponse = scanner.skip(' ') ? readInitialResponse(scanner) : undefined
  return { name: 'AUTHENTICATE', mechanism, initialResponse }
}

function readInitialResponse(scanner: Scanner): Buffer {
  // `=` is an ATOM-CHAR, so base64 is an atom.
  const text = scanner.atom('an initial response in base64')
  if (text === '=') return Buffer.alloc(0)
  const octets = BASE64.test(text) ? decodeBase64(text) : undefined
  return octets ?? scanner.reject('the initial response is not base64')
}

export function readLogin(scanner: Scanner): SignInCommand {
  scanner.space()
  const user = scanner.astring('a user name')
  scanner.space()
  const password = scanner.astring('a password')
  return { name: 'LOGIN', user, password }
}

export function readId(scanner: Scanner): SignInCommand {
  scanner.space()
  if (scanner.skip('NIL')) return { name: 'ID', fields: undefined }
  const fields = scanner.list('fields of ID', { min: 0, max: MAX_ID_FIELDS }, () => {
    const field = scanner.string('a field name')
    scanner.space()
    const value = scanner.nstring('a value')
    if (Buffer.byteLength(field) > MAX_ID_FIELD_BYTES)
      scanner.reject(`a field name has more than ${MAX_ID_FIELD_BYTES} octets`)
    if (Buffer.byteLength(value ?? '') > MAX_ID_VALUE_BYTES)
      scanner.reject(`a value has more than ${MAX_ID_VALUE_BYTES} octets`)
    return { field, value }
  })
  return { name: 'ID', fields }
}

export function readEnable(scanner: Scanner): SignInCommand {
  const capabilities: string[] = []
  do {
    scanner.space()
    if (capabilities.length === MAX_OPTIONS) scanner.fail(`more than ${MAX_OPTIONS} items: capabilities`)
    capabilities.push(scanner.atom('a capability').toUpperCase())
  } while (!scanner.isAtEnd)
  return { name: 'ENABLE', capabilities }
}

export function readCompress(scanner: Scanner): SignInCommand {
  scanner.space()
  return { name: 'COMPRESS', algorithm: scanner.oneOf(['DEFLATE'], 'compression algorithm') }
}
