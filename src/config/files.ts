/** Files named in settings: certificates, passwords and secrets. */
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { requireHostPort, type HostPort } from '../lib/host-port.js'
import type { S3Credentials } from '../store/blobs/s3/signature.js'
import type { Config } from './schema.js'

export interface NamedFile {
  setting: string
  file: string
  /** For the daemon's user alone. */
  secret: boolean
}

export function namedFiles({ server, store, blobs, smtp, tls, relay, identity, guard, backup }: Config): NamedFile[] {
  const secret = (setting: string, file: string): NamedFile => ({ setting, file, secret: true })
  const open = (setting: string, file: string): NamedFile => ({ setting, file, secret: false })
  return [
    secret('server.secret_key_file', server.secret_key_file),
    secret('server.tls_key', server.tls_key),
    open('server.tls_cert', server.tls_cert),
    secret('store.password_file', store.password_file),
    open('store.ca_file', store.ca_file),
    secret('blobs.credentials_file', blobs.credentials_file),
    open('blobs.ca_file', blobs.ca_file),
    secret('smtp.tls_key', smtp.tls_key),
    open('smtp.tls_cert', smtp.tls_cert),
    open('tls.acme_ca_file', tls.acme_ca_file),
    secret('tls.acme_eab_key_file', tls.acme_eab_key_file),
    secret('relay.smarthost_password_file', relay.smarthost_password_file),
    secret('identity.deletion_webhook_secret_file', identity.deletion_webhook_secret_file),
    secret('guard.model_key_file', guard.model_key_file),
    secret('backup.key_file', backup.key_file),
    ...relay.routes.flatMap(({ password_file, ca_file }) => [
      secret('relay.routes', password_file),
      open('relay.routes', ca_file),
    ]),
    ...identity.providers.map(({ client_secret_file }) => secret('identity.providers', client_secret_file)),
  ].filter(({ file }) => file !== '')
}

export interface SecretKeySettings {
  server: Pick<Config['server'], 'secret_key_file'>
}

/** Key pairs provided by the operator, by the setting that names the certificate. */
export function ownPairs({
  server,
  smtp,
}: Config): { setting: 'server.tls_cert' | 'smtp.tls_cert'; key: string; cert: string }[] {
  const pairs = [
    { setting: 'server.tls_cert' as const, key: server.tls_key, cert: server.tls_cert },
    { setting: 'smtp.tls_cert' as const, key: smtp.tls_key, cert: smtp.tls_cert },
  ]
  return pairs.filter(({ key }) => key !== '')
}

/** The certificate for STARTTLS and its key, as PEM; undefined when none is set. */
export async function readCertificate({ smtp }: Config): Promise<{ key: Buffer; cert: Buffer } | undefined> {
  if (smtp.tls_key === '') return undefined
  const [key, cert] = await Promise.all([readFile(smtp.tls_key), readFile(smtp.tls_cert)])
  return { key, cert }
}

/** CA certificates to trust for the authority of tls.acme, PEM; undefined for the public CAs. */
export async function readAcmeCa({ tls: { acme_ca_file: file } }: Config): Promise<string | undefined> {
  return file === '' ? undefined : readFile(file, 'utf8')
}

/** Key of the external account binding (RFC 8555 §7.3.4). @throws Error if the file has none */
export async function readEabKey({
  tls: { acme_eab_key_id: kid, acme_eab_key_file: file },
}: Config): Promise<{ kid: string; hmacKey: string } | undefined> {
  if (kid === '') return undefined
  const hmacKey = await firstLine(file)
  if (!/^[\w+/-]{16,1024}={0,2}$/.test(hmacKey)) throw new Error(`${file} has no base64url key on its first line`)
  return { kid, hmacKey }
}

const SECRET_KEY = /^[0-9a-f]{64}$/i

/** Key that seals the secrets of a shared database: 32 bytes. @throws Error for a file that has none */
export function readSecretKey({ server: { secret_key_file: file } }: SecretKeySettings): Buffer {
  const [line = ''] = readFileSync(file, 'utf8').split(/\r?\n/, 1)
  if (!SECRET_KEY.test(line))
    throw new Error(`${file} has no key of 64 hexadecimal digits on its first line. Make one: openssl rand -hex 32`)
  return Buffer.from(line, 'hex')
}

/** Login and trust of store.url; undefined for what has no file. */
export async function readStoreFiles({
  store,
}: Pick<Config, 'store'>): Promise<{ password: string | undefined; ca: string | undefined }> {
  return {
    password: store.password_file === '' ? undefined : await firstLine(store.password_file),
    ca: store.ca_file === '' ? undefined : await readFile(store.ca_file, 'utf8'),
  }
}

/** The smart host with its login; undefined if mail goes straight to each MX. */
export async function readSmarthost({
  relay,
}: Config): Promise<(HostPort & { auth?: { user: string; password: string } }) | undefined> {
  if (relay.smarthost === '') return undefined
  const address = requireHostPort(relay.smarthost)
  return { ...address, ...(await readLogin(relay.smarthost_user, relay.smarthost_password_file)) }
}

/** The routes of relay.toml with the contents of their files. */
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

/** The identity providers with their secrets; '' for a client without one. @throws Error if a file is empty */
export function readProviders({ identity }: Config) {
  return Promise.all(
    identity.providers.map(async ({ client_secret_file: file, ...provider }) => {
      const clientSecret = file === '' ? '' : await firstLine(file)
      if (file !== '' && clientSecret === '') throw new Error(`${file} has no secret on its first line`)
      return { ...provider, clientSecret }
    }),
  )
}

/** The deletion webhook; undefined if none is set. @throws Error if the secret is missing or too short */
export async function readDeletionWebhook({
  identity: { deletion_webhook: url, deletion_webhook_secret_file: file },
}: Config): Promise<{ url: string; secret: string } | undefined> {
  if (url === '') return undefined
  const secret = await firstLine(file)
  if (secret.length < 16) throw new Error(`${file} has no secret of at least 16 characters on its first line`)
  return { url, secret }
}

/** API key of the language model; '' if none is needed. @throws Error if the file has none that fits into a header */
export async function readModelKey({ guard: { model_key_file: file } }: Config): Promise<string> {
  if (file === '') return ''
  const key = await firstLine(file)
  if (!/^[!-~]{1,4096}$/.test(key)) throw new Error(`${file} has no key on its first line`)
  return key
}

/** Credentials for blobs.url, from its file or from the environment. @throws Error that says what is missing */
export async function readBlobCredentials(
  { credentials_file: file }: Pick<Config['blobs'], 'credentials_file'>,
  env: NodeJS.ProcessEnv = process.env,
): Promise<S3Credentials> {
  const given = file === '' ? new Map(Object.entries(env)) : linesOf(await readFile(file, 'utf8'))
  const [idName, secretName, tokenName] = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN']
  const of = (name: string): string => given.get(file === '' ? name : name.toLowerCase()) ?? ''
  const [accessKeyId, secretAccessKey, sessionToken] = [of(idName), of(secretName), of(tokenName)]
  const isHeader = (text: string): boolean => /^[!-~]{1,4096}$/.test(text)
  if (!isHeader(accessKeyId) || !isHeader(secretAccessKey) || (sessionToken !== '' && !isHeader(sessionToken)))
    throw new Error(
      file === ''
        ? `the environment has no ${idName} and ${secretName}. Set them, or blobs.credentials_file`
        : `${file} needs the lines aws_access_key_id = … and aws_secret_access_key = …`,
    )
  return { accessKeyId, secretAccessKey, ...(sessionToken !== '' && { sessionToken }) }
}

/** `name = value` by name; sections and other lines are left out. */
function linesOf(text: string): Map<string, string> {
  const pairs = text.split(/\r?\n/).flatMap((line) => {
    const [, name, value] = /^\s*(\w+)\s*=\s*(\S+)\s*$/.exec(line) ?? []
    return name !== undefined && value !== undefined ? [[name, value] as const] : []
  })
  return new Map(pairs)
}

async function firstLine(file: string): Promise<string> {
  return (await readFile(file, 'utf8')).split(/\r?\n/, 1)[0] ?? ''
}

async function readLogin(user: string, passwordFile: string): Promise<{ auth?: { user: string; password: string } }> {
  if (user === '') return {}
  const password = await firstLine(passwordFile)
  return { auth: { user, password } }
}
