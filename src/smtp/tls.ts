/** The certificates that STARTTLS shows, and the handshake on a connection that has begun in the clear (RFC 3207). */
import type { Socket } from 'node:net'
import { createSecureContext, TLSSocket, type SecureContext } from 'node:tls'

/** PEM texts. */
export interface KeyPair {
  key: string | Buffer
  cert: string | Buffer
}

export interface Certificate extends KeyPair {
  /** Shown in its place to clients that ask for one of these names (RFC 6066 §3), in lower case. */
  byName?: ReadonlyMap<string, KeyPair>
}

export interface TlsContexts {
  main: SecureContext
  byName: ReadonlyMap<string, SecureContext>
}

/** @throws when a key or certificate is unusable */
export function tlsContexts({ key, cert, byName = new Map() }: Certificate): TlsContexts {
  return {
    main: contextOf({ key, cert }),
    byName: new Map([...byName].map(([name, pair]) => [name, contextOf(pair)])),
  }
}

/** RFC 8996: TLS 1.0 and 1.1 are gone. */
function contextOf({ key, cert }: KeyPair): SecureContext {
  return createSecureContext({ key, cert, minVersion: 'TLSv1.2' })
}

/** Begins the handshake. The socket returned emits `secure` when it is done. */
export function startTls(socket: Socket, { main, byName }: TlsContexts): TLSSocket {
  return new TLSSocket(socket, {
    isServer: true,
    secureContext: main,
    SNICallback: (name, done) => done(null, byName.get(name.toLowerCase()) ?? main),
  })
}
