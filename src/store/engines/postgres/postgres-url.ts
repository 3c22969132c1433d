/** `store.url` of a PostgreSQL cluster: `postgres://user:password@host:port,host:port/database?option=value`, as in libpq. */
import { readFileSync } from 'node:fs'
import { isLoopback } from '../../../lib/ip.js'

export interface PostgresTarget {
  /** Servers of one cluster, in order of preference; a path starting with `/` is the folder of a Unix socket. */
  hosts: { host: string; port: number }[]
  user: string
  /** Undefined: PGPASSWORD, or the password file of libpq (PGPASSFILE, ~/.pgpass). */
  password: string | undefined
  database: string
  /** `disable`: plain. `require`: TLS, any certificate. `verify-full`: TLS, the certificate must be valid for the host. */
  tls: 'disable' | 'require' | 'verify-full'
  /** PEM certificates to trust instead of the system's. */
  ca: string | undefined
}

const DEFAULT_PORT = 5432
const FORM = /^postgres(?:ql)?:\/\/(?:([^:@/?]+)(?::([^@/?]*))?@)?([^/?]*)\/([^/?]+)(?:\?(.*))?$/
const TLS_MODES = ['disable', 'require', 'verify-full'] as const

export function isPostgresUrl(url: string): boolean {
  return /^postgres(?:ql)?:\/\//.test(url)
}

/**
 * TLS is verified by default, and off by default for a server on this machine.
 *
 * @throws Error that names what is wrong, without the password
 */
export function parsePostgresUrl(url: string): PostgresTarget {
  const [, user, password, hostList = '', database, query = ''] = FORM.exec(url) ?? []
  if (user === undefined || database === undefined)
    throw new Error('it needs the form postgres://user:password@host:port/database')
  const options = new URLSearchParams(query)
  for (const name of options.keys())
    if (!['sslmode', 'sslrootcert', 'host'].includes(name))
      throw new Error(`unknown option ${name}: there are sslmode, sslrootcert and host (the folder of a Unix socket)`)
  const named = options.get('host') ?? hostList
  const hosts = named === '' ? [] : named.split(',').map(readHost)
  if (hosts.length === 0) throw new Error('it names no host')
  const isHere = hosts.every(({ host }) => host.startsWith('/') || host === 'localhost' || isLoopback(host))
  const mode = options.get('sslmode') ?? (isHere ? 'disable' : 'verify-full')
  const tls = TLS_MODES.find((each) => each === mode)
  if (tls === undefined) throw new Error(`sslmode is one of ${TLS_MODES.join(', ')}, not ${mode}`)
  const caFile = options.get('sslrootcert')
  return {
    hosts,
    user: decodeURIComponent(user),
    password: password === undefined ? undefined : decodeURIComponent(password),
    database: decodeURIComponent(database),
    tls,
    ca: caFile === null ? undefined : readFileSync(caFile, 'utf8'),
  }
}

function readHost(text: string): { host: string; port: number } {
  if (text.startsWith('/')) return { host: text, port: DEFAULT_PORT }
  const [, host = '', port = String(DEFAULT_PORT)] = /^(\[[0-9a-fA-F:.]+\]|[^:[\]]+)(?::(\d{1,5}))?$/.exec(text) ?? []
  if (host === '' || Number(port) < 1 || Number(port) > 65_535) throw new Error(`${text || 'an empty text'} is no host`)
  return { host: host.replace(/^\[|\]$/g, ''), port: Number(port) }
}
