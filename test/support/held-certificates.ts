/** Certificates that a test changes as it likes, where the daemon reads files and asks authorities. */
import { X509Certificate } from 'node:crypto'
import type { Certificates, HeldCertificate } from '../../src/certificates/types.js'
import type { Certificate } from './peers/certificates.js'

export interface TestCertificates {
  certificates: Pick<Certificates, 'of' | 'shownBy' | 'all' | 'onChange'>
  /** Takes these in place of all that were there, and tells the listeners. The first is the web's own. */
  hold(...pairs: Certificate[]): void
  listeners(): number
}

export function heldCertificates(...first: Certificate[]): TestCertificates {
  const listeners = new Set<() => void>()
  let held = first.map(asHeld)
  const of = (name: string): HeldCertificate | undefined =>
    held.find(({ names }) => names.includes(name)) ??
    held.find(({ names }) => names.includes(name.replace(/^[^.]+/, '*')))
  return {
    certificates: {
      of,
      shownBy: (_setting, name) => held[0] ?? of(name),
      all: () => held,
      onChange(listener) {
        listeners.add(listener)
        return () => void listeners.delete(listener)
      },
    },
    hold(...pairs) {
      held = pairs.map(asHeld)
      for (const listener of listeners) listener()
    },
    listeners: () => listeners.size,
  }
}

function asHeld({ key, cert, keyFile, certFile }: Certificate, index: number): HeldCertificate {
  const leaf = new X509Certificate(cert)
  return {
    names: (leaf.subjectAltName ?? '').split(', ').map((entry) => entry.replace('DNS:', '')),
    key,
    cert,
    keyFile,
    certFile,
    notBefore: Date.parse(leaf.validFrom),
    notAfter: Date.parse(leaf.validTo),
    issuer: 'Test CA',
    source: index === 0 ? 'server.tls_cert' : 'smtp.tls_cert',
  }
}
