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
  if (relay.smarthost_user === '') return address
  const [password = ''] = (await readFile(relay.smarthost_password_file, 'utf8')).split(/\r?\n/, 1)
  return { ...address, auth: { user: relay.smarthost_user, password } }
}
