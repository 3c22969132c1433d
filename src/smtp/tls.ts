/** Certificates for STARTTLS, and its handshake (RFC 3207). */
import type { Socket } from 'node:net'
import { createSecureContext, TLSSocket, type SecureContext } from 'node:tls'

/** PEM. */
export interface KeyPair {
  key: string | Buffer
  cert: string | Buffer
}

export interface Certificate extends KeyPair {
  /** Certificates by SNI name (RFC 6066 §3), in lower case. */
  byName?: ReadonlyMap<string, KeyPair>
}

export interface TlsContexts {
  main: SecureContext
  byName: ReadonlyMap<string, SecureContext>
}

/** @throws if a key or certificate is unusable */
export function tlsContexts({ key, cert, byName = new Map() }: Certificate): TlsContexts {
  return {
    main: contextOf({ key, cert }),
    byName: new Map([...byName].map(([name, pair]) => [name, contextOf(pair)])),
  }
}

/** RFC 8996: no TLS 1.0 and 1.1. */
function contextOf({ key, cert }: KeyPair): SecureContext {
  return createSecureContext({ key, cert, minVersion: 'TLSv1.2' })
}

/** Starts the handshake. The returned socket emits `secure` when done. */
export function startTls(socket: Socket, { main, byName }: TlsContexts): TLSSocket {
  return new TLSSocket(socket, {
    isServer: true,
    secureContext: main,
    SNICallback: (name, done) => done(null, byName.get(name.toLowerCase()) ?? main),
  })
}
