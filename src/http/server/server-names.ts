/** Certificates by TLS server name (RFC 6066 §3), besides the default certificate. */
import type { Certificates, HeldCertificate } from '../../certificates/types.js'

/**
 * One certificate alone needs no entries. With several, each name of the others has one.
 *
 * @param fallback what is shown for its own names, and without an entry
 */
export function serverNames(
  { all, of }: Pick<Certificates, 'all' | 'of'>,
  fallback: HeldCertificate,
): ReadonlyMap<string, HeldCertificate> {
  const shown = new Map<string, HeldCertificate>()
  for (const name of all().flatMap(({ names }) => names))
    shown.set(name, fallback.names.includes(name) ? fallback : (of(name) ?? fallback))
  const isTaken = (wildcard: string): boolean => (shown.get(wildcard) ?? fallback) !== fallback
  // What falls to the fallback needs an entry only where another's wildcard would take it.
  return new Map([...shown].filter(([name, held]) => held !== fallback || isTaken(name.replace(/^[^.]+/, '*'))))
}
