/** What settings name by its file: certificates and passwords. */
import { readFile } from 'node:fs/promises'
import { requireHostPort } from '../lib/host-port.js'
import type { HostPort } from '../lib/host-port.js'
import type { Config } from './schema.js'

/** The certificate for STARTTLS and its key, as PEM; undefined when none is set. */
export async function readCertificate({ smtp }: Config): Promise<{ key: Buffer; cert: Buffer } | undefined> {
  if (smtp.tls_key === '') return undefined
  const [key, cert] = await Promise.all([readFile(smtp.tls_key), readFile(smtp.tls_cert)])
  return { key, cert }
}

/** The smart host with what is needed to log in there; undefined when mail goes straight to each MX. */
export async function readSmarthost({
  relay,
}: Config): Promise<(HostPort & { auth?: { user: string; password: string } }) | undefined> {
  if (relay.smarthost === '') return undefined
  const address = requireHostPort(relay.smarthost)
  return { ...address, ...(await readLogin(relay.smarthost_user, relay.smarthost_password_file)) }
}

/** The routes of relay.toml with what their files hold. */
export function readRoutes({ relay }: Config) {
  return Promise.all(
    relay.routes.map(async ({ domains, host, tls, user, password_file, ca_file }) => {
      if (host === 'direct') return { domains, to: 'direct' as const }
      const login = await readLogin(user, password_file)
      const ca = ca_file === '' ? undefined : await readFile(ca_file, 'utf8')
      return { domains, to: { ...requireHostPort(host), ...login, ca, tls: tls === 'auto' ? undefined : tls } }
    }),
  )
}

async function readLogin(user: string, passwordFile: string): Promise<{ auth?: { user: string; password: string } }> {
  if (user === '') return {}
  const [password = ''] = (await readFile(passwordFile, 'utf8')).split(/\r?\n/, 1)
  return { auth: { user, password } }
}
