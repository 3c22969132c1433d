/** Names that must not be queried outside this machine (RFC 6761 §6.3 and §6.4, RFC 7686 §2). */
import type { Answer } from 'dns-packet'

/** @returns records for the loopback address, none for nonexistent names, `undefined` for ordinary names */
export function specialAnswer(name: string, type: string): Answer[] | undefined {
  const top = name.slice(name.lastIndexOf('.') + 1)
  if (top === 'invalid' || top === 'onion') return []
  if (top !== 'localhost') return undefined
  if (type === 'A') return [{ type, name, data: '127.0.0.1' }]
  if (type === 'AAAA') return [{ type, name, data: '::1' }]
  return []
}
