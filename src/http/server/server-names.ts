/** Certificates by SNI name (RFC 6066 §3), besides the default. */
import type { Certificates, HeldCertificate } from '../../certificates/types.js'

/**
 * A single certificate needs no entries. With several, each name of the others has one.
 *
 * @param fallback for its own names and unknown ones
 */
export function serverNames(
  { all, of }: Pick<Certificates, 'all' | 'of'>,
  fallback: HeldCertificate,
): ReadonlyMap<string, HeldCertificate> {
  const shown = new Map<string, HeldCertificate>()
  for (const name of all().flatMap(({ names }) => names))
    shown.set(name, fallback.names.includes(name) ? fallback : (of(name) ?? fallback))
  const isTaken = (wildcard: string): boolean => (shown.get(wildcard) ?? fallback) !== fallback
  // Names of the fallback need an entry only if another's wildcard matches.
  return new Map([...shown].filter(([name, held]) => held !== fallback || isTaken(name.replace(/^[^.]+/, '*'))))
}
