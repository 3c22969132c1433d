/** `store.url` of a PostgreSQL cluster: `postgres://user@host:port,host:port/database?option=value`, as in libpq. */
import { isLoopback } from '../../../lib/ip.js'

export interface PostgresTarget {
  /** Servers of one cluster, in order of preference; a path starting with `/` is the folder of a Unix socket. */
  hosts: { host: string; port: number }[]
  user: string
  database: string
  /** `disable`: plain. `require`: TLS, any certificate. `verify-full`: TLS, the certificate must be valid for the host. */
  tls: 'disable' | 'require' | 'verify-full'
}

const DEFAULT_PORT = 5432
const FORM = /^postgres(?:ql)?:\/\/([^:@/?]+)(:[^@/?]*)?@([^/?]*)\/([^/?]+)(?:\?(.*))?$/
const TLS_MODES = ['disable', 'require', 'verify-full'] as const

/**
 * TLS is verified by default, and off by default for a server on this machine.
 *
 * @throws Error that says what is wrong, and names no password
 */
export function parsePostgresUrl(url: string): PostgresTarget {
  const [, user, password, hostList = '', database, query = ''] = FORM.exec(url) ?? []
  if (user === undefined || database === undefined)
    throw new Error('it needs the form postgres://user@host:port/database')
  if (password !== undefined) throw new Error('it must not have a password: write it into store.password_file')
  const options = new URLSearchParams(query)
  for (const name of options.keys())
    if (!['sslmode', 'host'].includes(name))
      throw new Error(`it has the option ${name}: there are sslmode and host (the folder of a Unix socket)`)
  const named = options.get('host') ?? hostList
  const hosts = named === '' ? [] : named.split(',').map(readHost)
  if (hosts.length === 0) throw new Error('it names no host')
  const isHere = hosts.every(({ host }) => host.startsWith('/') || host === 'localhost' || isLoopback(host))
  const mode = options.get('sslmode') ?? (isHere ? 'disable' : 'verify-full')
  const tls = TLS_MODES.find((each) => each === mode)
  if (tls === undefined) throw new Error(`sslmode is one of ${TLS_MODES.join(', ')}, not ${mode}`)
  return { hosts, user: decodeURIComponent(user), database: decodeURIComponent(database), tls }
}

function readHost(text: string): { host: string; port: number } {
  if (text.startsWith('/')) return { host: text, port: DEFAULT_PORT }
  const [, host = '', port = String(DEFAULT_PORT)] = /^(\[[0-9a-fA-F:.]+\]|[^:[\]]+)(?::(\d{1,5}))?$/.exec(text) ?? []
  if (host === '' || Number(port) < 1 || Number(port) > 65_535) throw new Error(`${text || 'an empty text'} is no host`)
  return { host: host.replace(/^\[|\]$/g, ''), port: Number(port) }
}
