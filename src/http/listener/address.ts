/** Readable reasons for failing to listen on an address. */
import { formatHostPort, type HostPort } from '../../lib/host-port.js'

const REASONS: Record<string, string> = {
  EADDRINUSE: 'the port is in use. Stop the process that has it (`ss -ltnp` names it) or choose another port.',
  EACCES: 'ports below 1024 need a privilege (CAP_NET_BIND_SERVICE).',
  EADDRNOTAVAIL: 'this machine does not have that address.',
  ENOTFOUND: 'there is no such host.',
}

/** @param error of Node's own server */
export function cannotListen(protocol: string, at: HostPort, error: NodeJS.ErrnoException): Error {
  const reason = REASONS[error.code ?? ''] ?? error.message
  return new Error(`Cannot listen for ${protocol} on ${formatHostPort(at)}: ${reason}`, { cause: error })
}
