/** The request for a certificate (PKCS #10, RFC 2986) for one host name and an EC key on P-256, in DER (X.690). */
import { createPublicKey, sign } from 'node:crypto'

const SEQUENCE = 0x30
const SET = 0x31
const OBJECT_ID = 0x06
const OCTETS = 0x04
const BITS = 0x03
/** [0], of attributes (RFC 2986 §4.1). */
const ATTRIBUTES = 0xa0
/** [2], of a dNSName (RFC 5280 §4.2.1.6). */
const DNS_NAME = 0x82

const VERSION_0 = Buffer.from([0x02, 0x01, 0x00])
/** 1.2.840.113549.1.9.14 */
const EXTENSION_REQUEST = element(OBJECT_ID, Buffer.from('2a864886f70d01090e', 'hex'))
/** 2.5.29.17 */
const SUBJECT_ALT_NAME = element(OBJECT_ID, Buffer.from('551d11', 'hex'))
/** 1.2.840.10045.4.3.2 */
const ECDSA_WITH_SHA256 = element(SEQUENCE, element(OBJECT_ID, Buffer.from('2a8648ce3d040302', 'hex')))

/** @param key PEM @returns DER */
export function certificateRequest(name: string, key: string): Buffer {
  const names = element(SEQUENCE, element(DNS_NAME, Buffer.from(name, 'latin1')))
  const extensions = element(SEQUENCE, element(SEQUENCE, SUBJECT_ALT_NAME, element(OCTETS, names)))
  const info = element(
    SEQUENCE,
    VERSION_0,
    // No subject: names stand in subjectAltName alone.
    element(SEQUENCE),
    createPublicKey(key).export({ type: 'spki', format: 'der' }),
    element(ATTRIBUTES, element(SEQUENCE, EXTENSION_REQUEST, element(SET, extensions))),
  )
  const signature = element(BITS, Buffer.from([0]), sign('sha256', info, key))
  return element(SEQUENCE, info, ECDSA_WITH_SHA256, signature)
}

function element(tag: number, ...content: Buffer[]): Buffer {
  const body = Buffer.concat(content)
  const length =
    body.length < 0x80
      ? [body.length]
      : body.length < 0x100
        ? [0x81, body.length]
        : [0x82, body.length >> 8, body.length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...length]), body])
}
