/** Base64 of the SASL exchange, strictly: no spaces, canonical padding (RFC 4648 §3.5, §4). */

/** @returns undefined if the text is not base64 */
export function decodeBase64(text: string): Buffer | undefined {
  const octets = Buffer.from(text, 'base64')
  return octets.toString('base64') === text ? octets : undefined
}
