/** Checks of settings in combination, and against this machine. */
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { accessSync, constants, readFileSync, statSync } from 'node:fs'
import { isIP } from 'node:net'
import { isAbsolute } from 'node:path'
import { messageOf } from '../lib/thrown.js'
import { formatHostPort, parseHostPort } from '../lib/host-port.js'
import { listeners, mayRelayOut, offersStartTls } from './derived.js'
import { namedFiles, readSecretKey } from './files.js'
import type { Config } from './schema.js'
import { isSafeOrigin } from './setting/setting.js'

/** @param report takes the full name of a setting and what is wrong with it */
export function crossCheck(config: Config, report: (name: string, problem: string) => void): void {
  checkDomains(config, report)
  checkListeners(config, report)
  checkFiles(config, report)
  checkSecretKey(config, report)
  checkCertificates(config, report)
  checkWeb(config, report)
  checkAcme(config, report)
  checkPrograms(config, report)
  checkRoutes(config, report)
  checkPairs(config, report)
  checkForwarding(config, report)
  checkProviders(config, report)
  checkSecondOpinions(config, report)
  checkBlobs(config, report)
}

type Report = (name: string, problem: string) => void

function checkDomains({ domains }: Config, report: Report): void {
  domains.names.forEach((name, index) => {
    if (domains.names.indexOf(name) !== index) report('domains.names', `${name} is listed twice. Remove one`)
  })
}

/** Two listeners on one port fail at the start, or take each other's connections. */
function checkListeners(config: Config, report: Report): void {
  const all = listeners(config)
  all.forEach(({ setting, address }, index) => {
    const other = all.slice(0, index).find((earlier) => collide(earlier.address, address))
    if (other === undefined) return
    const taken = `${address} is also taken by ${other.setting} (${other.address}).`
    report(
      setting,
      other.setting === setting && other.address !== address && coversAll(hostOf(other.address), hostOf(address))
        ? `${taken} Remove one: ${other.address} takes both`
        : `${taken} Give each its own port`,
    )
  })
}

function hostOf(address: string): string {
  return parseHostPort(address)?.host ?? ''
}

function collide(a: string, b: string): boolean {
  const [first, second] = [parseHostPort(a), parseHostPort(b)]
  if (first === undefined || second === undefined || first.port !== second.port) return false
  return (
    formatHostPort(first) === formatHostPort(second) ||
    coversAll(first.host, second.host) ||
    coversAll(second.host, first.host)
  )
}

/** True if a listener on `host` also covers `other`; "::" includes IPv4. */
function coversAll(host: string, other: string): boolean {
  return host === '::' || (host === '0.0.0.0' && !other.includes(':'))
}

function checkFiles(config: Config, report: Report): void {
  for (const { setting, file } of namedFiles(config)) {
    try {
      accessSync(file, constants.R_OK)
    } catch (error) {
      report(setting, `this file can't be read: ${messageOf(error)}`)
    }
  }
  const dir = config.server.data_dir
  try {
    const found = statSync(dir, { throwIfNoEntry: false })
    if (found !== undefined && !found.isDirectory())
      report('server.data_dir', `${dir} is a file; it has to be a folder`)
  } catch (error) {
    report('server.data_dir', `this user can't reach ${dir}: ${messageOf(error)}`)
  }
}

const GROUP_AND_OTHERS = 0o077

function checkSecretKey(config: Config, report: Report): void {
  const { server, store } = config
  const file = server.secret_key_file
  const refuse = (problem: string): void => report('server.secret_key_file', problem)
  if (file === '') {
    if (store.url !== '')
      refuse(
        'has to be set with store.url: its key seals the secrets in that database. Make it once, with "openssl rand -hex 32", and give every machine the same',
      )
    return
  }
  try {
    const { mode } = statSync(file)
    if ((mode & GROUP_AND_OTHERS) !== 0)
      return refuse(
        `others may read ${file}, which has the mode ${(mode & 0o777).toString(8).padStart(4, '0')}: chmod 600 ${file}`,
      )
    readSecretKey(config)
  } catch (error) {
    // An unreadable file was reported before.
    if (!isSystemError(error)) refuse(messageOf(error))
  }
}

function isSystemError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error
}

/** A certificate without its key would stop a listener, at the start or at a reload; one for another name is refused by clients. */
function checkCertificates({ server, smtp, domains }: Config, report: Report): void {
  const web = server.https.length > 0 ? { host: hostnameOf(server.base_url), setting: 'server.base_url' } : undefined
  checkPair('server', server, web, report)
  checkPair('smtp', smtp, { host: domains.hostname, setting: 'domains.hostname' }, report)
}

/** Other problems and the expiry are left to the doctor: mail keeps working with them. */
function checkPair(
  section: 'server' | 'smtp',
  { tls_key: keyFile, tls_cert: certFile }: { tls_key: string; tls_cert: string },
  shown: { host: string; setting: string } | undefined,
  report: Report,
): void {
  const [keyName, certName] = [`${section}.tls_key`, `${section}.tls_cert`]
  if (keyFile !== '' && certFile === '') report(keyName, `${certName} has to be set too`)
  if (certFile !== '' && keyFile === '') report(certName, `${keyName} has to be set too`)
  const key = readable(keyName, keyFile, createPrivateKey, 'a private key in PEM form without a passphrase', report)
  const leaf = readable(certName, certFile, (pem) => new X509Certificate(pem), 'a certificate in PEM form', report)
  if (key && leaf && !leaf.checkPrivateKey(key))
    report(
      keyName,
      `${keyFile} is not the key of the certificate in ${certName} (${certFile}). Set a key and a certificate that match`,
    )
  if (leaf && shown && !isFor(leaf, shown.host))
    report(
      certName,
      `${certFile} is for ${namesIn(leaf)}, and not for ${shown.host} (${shown.setting}). Set a certificate for that name`,
    )
}

function isFor(leaf: X509Certificate, host: string): boolean {
  return (isIP(host) === 0 ? leaf.checkHost(host) : leaf.checkIP(host)) !== undefined
}

function namesIn(leaf: X509Certificate): string {
  const names = (leaf.subjectAltName ?? leaf.subject).replaceAll(/\p{Cc}/gu, ' ')
  return names.length > 200 ? `${names.slice(0, 200)}…` : names
}

/** Without the brackets of an IPv6 address. */
function hostnameOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname.replace(/^\[|\]$/g, '') : ''
}

/** TLS listeners need a certificate, and a URL that leads to them. */
function checkWeb({ server, smtp, tls }: Config, report: Report): void {
  const host = hostnameOf(server.base_url)
  const isHttps = server.base_url.startsWith('https:')
  if (server.redirect.length > 0 && !isHttps)
    report(
      'server.redirect',
      `redirects to server.base_url, and ${server.base_url} has no TLS. Set the https address there`,
    )
  if (server.https.length === 0) return
  if (!isHttps)
    report('server.base_url', `${server.base_url} does not lead to server.https. Set the https address of this server`)
  if (server.tls_cert !== '') return
  if (tls.acme !== '') {
    if (isIP(host) !== 0 || !host.includes('.'))
      report('server.base_url', `${host} is not a full host name, and gets no certificate by tls.acme`)
  } else if (smtp.tls_cert === '') {
    report('server.https', 'has no certificate. Set tls.acme, or server.tls_cert and server.tls_key')
  } else {
    const leaf = readable(
      '',
      smtp.tls_cert,
      (pem) => new X509Certificate(pem),
      '',
      () => undefined,
    )
    if (leaf && !isFor(leaf, host))
      report(
        'server.https',
        `no certificate is for ${host} (server.base_url): that of smtp.tls_cert is for ${namesIn(leaf)}. Set server.tls_cert and server.tls_key, or tls.acme`,
      )
  }
}

/** Passwords are taken over TLS only. */
function checkPrograms(config: Config, report: Report): void {
  if (offersStartTls(config)) return
  for (const section of ['submission', 'imap'] as const)
    for (const name of ['listen', 'listen_tls'] as const)
      if (config[section][name].length > 0)
        report(`${section}.${name}`, 'needs a certificate. Set smtp.tls_cert and smtp.tls_key, or tls.acme')
}

/** Checks consent and completeness of the tls.acme settings. */
function checkAcme({ tls, domains }: Config, report: Report): void {
  const { acme, acme_challenge: challenge, acme_dns_program: program } = tls
  if (acme === '') {
    needs('tls.acme', report, {
      'tls.acme_terms_agreed': tls.acme_terms_agreed,
      'tls.acme_contact': tls.acme_contact,
      'tls.acme_dns_program': program,
      'tls.acme_ca_file': tls.acme_ca_file,
      'tls.acme_eab_key_id': tls.acme_eab_key_id,
      'tls.acme_eab_key_file': tls.acme_eab_key_file,
      'tls.names': tls.names.length > 0,
    })
    return
  }
  if (!tls.acme_terms_agreed)
    report('tls.acme_terms_agreed', `has to be true: ${new URL(acme).host} issues nothing without your consent`)
  if (challenge === 'dns-01' && program === '')
    report('tls.acme_dns_program', 'has to be set for tls.acme_challenge = "dns-01". Set it, or use "http-01"')
  if (challenge === 'http-01' && program !== '')
    report('tls.acme_dns_program', 'has no effect with tls.acme_challenge = "http-01". Set "dns-01", or remove this')
  if (program !== '') checkProgram(program, report)
  bothOrNone(report, { 'tls.acme_eab_key_id': tls.acme_eab_key_id, 'tls.acme_eab_key_file': tls.acme_eab_key_file })
  tls.names.forEach((name, index) => {
    if (tls.names.indexOf(name) !== index) report('tls.names', `${name} is listed twice. Remove one`)
    else if (!name.includes('.')) report('tls.names', `${name} is not a full host name such as "mail.example.com"`)
  })
  if (!domains.hostname.includes('.'))
    report('domains.hostname', `${domains.hostname} is not a full host name, and gets no certificate by tls.acme`)
}

function checkProgram(file: string, report: Report): void {
  try {
    if (!isAbsolute(file))
      report('tls.acme_dns_program', `${file} is not a full path such as "/usr/local/bin/acme-dns"`)
    else if (!statSync(file).isFile()) report('tls.acme_dns_program', `${file} is not a file`)
    else accessSync(file, constants.X_OK)
  } catch (error) {
    report('tls.acme_dns_program', `this program can't be run: ${messageOf(error)}`)
  }
}

function readable<T>(
  name: string,
  file: string,
  read: (pem: Buffer) => T,
  what: string,
  report: Report,
): T | undefined {
  let pem: Buffer
  try {
    // A pipe would keep whoever reads it waiting.
    if (file === '' || !statSync(file).isFile()) return undefined
    pem = readFileSync(file)
  } catch {
    // An unreadable file was reported before.
    return undefined
  }
  try {
    return read(pem)
  } catch (error) {
    report(name, `${file} is not ${what} (${messageOf(error)})`)
    return undefined
  }
}

function checkRoutes({ relay }: Config, report: Report): void {
  const taken = new Map<string, number>()
  for (const [index, { domains, host, tls, user, password_file, ca_file }] of relay.routes.entries()) {
    const problem = (words: string): void => report('relay.routes', `number ${index + 1} ${words}`)
    for (const domain of domains) {
      const other = taken.get(domain)
      if (other !== undefined) problem(`is for ${domain}, and so is number ${other + 1}. Remove one`)
      taken.set(domain, index)
    }
    if ((user === '') !== (password_file === ''))
      problem('has one of user and password_file, which belong together. Set both, or none')
    if (user !== '' && (tls === 'none' || tls === 'opportunistic'))
      problem(`would send its password without TLS. Set tls to "required" or "implicit" instead of "${tls}"`)
    if (host === 'direct' && (tls !== 'auto' || user !== '' || ca_file !== ''))
      problem('goes "direct", so that tls, user and ca_file have no effect. Remove them')
  }
  if (relay.routes.length > 0 && relay.outbound === 'off')
    report('relay.routes', 'has no effect while relay.outbound is "off". Remove one of them')
}

function checkPairs({ smtp, relay, scan, guard, limits, identity }: Config, report: Report): void {
  const login = {
    'relay.smarthost_user': relay.smarthost_user,
    'relay.smarthost_password_file': relay.smarthost_password_file,
  }
  if (relay.smarthost === '') {
    needs('relay.smarthost', report, login)
  } else {
    bothOrNone(report, login)
  }
  bothOrNone(report, {
    'identity.deletion_webhook': identity.deletion_webhook,
    'identity.deletion_webhook_secret_file': identity.deletion_webhook_secret_file,
  })
  if (relay.smarthost !== '' && relay.outbound === 'off')
    report('relay.smarthost', 'has no effect while relay.outbound is "off". Remove one of them')
  if (smtp.max_header_bytes >= smtp.max_message_bytes)
    report('smtp.max_header_bytes', `has to be less than smtp.max_message_bytes (${smtp.max_message_bytes})`)
  if (guard.block_score < guard.hold_score)
    report('guard.block_score', `can't be less than guard.hold_score (${guard.hold_score})`)
  if (scan.reject_score > 0 && scan.reject_score < scan.spam_score)
    report('scan.reject_score', `can't be less than scan.spam_score (${scan.spam_score}), unless it is 0`)
  if (limits.pending_storage_bytes > limits.storage_bytes)
    report('limits.pending_storage_bytes', `can't be more than limits.storage_bytes (${limits.storage_bytes})`)
}

/** Settings that have no effect without `name`, with their values; false and "" for unset ones. */
function needs(name: string, report: Report, dependent: Record<string, string | boolean>): void {
  for (const [setting, value] of Object.entries(dependent))
    if (value !== '' && value !== false) report(setting, `has no effect without ${name}. Set that, or remove this`)
}

/** Two settings, with their values, of which one has no effect without the other. */
function bothOrNone(report: Report, pair: Record<string, string>): void {
  const missing = Object.values(pair).filter((value) => value === '')
  const isSet = Object.keys(pair).find((name) => pair[name] !== '')
  if (isSet !== undefined && missing.length > 0)
    report(isSet, `${Object.keys(pair).join(' and ')} belong together. Set both, or none`)
}

function checkSecondOpinions({ guard }: Config, report: Report): void {
  const { model_url: url, model_name: name, model_key_file: keyFile, hold_score: hold } = guard
  bothOrNone(report, { 'guard.model_url': url, 'guard.model_name': name })
  if (url === '') needs('guard.model_url', report, { 'guard.model_key_file': keyFile })
  if (url !== '' && !guard.model_plain_http && !isSafeOrigin(new URL(url)))
    report(
      'guard.model_url',
      `${url} is neither https nor on this machine. Use https, or set guard.model_plain_http = true if nobody can listen in between`,
    )
  if ((url !== '' || guard.rspamd !== '') && guard.second_opinion_score > hold)
    report('guard.second_opinion_score', `can't be more than guard.hold_score (${hold}), from which all mail is held`)
}

function checkBlobs({ blobs }: Config, report: Report): void {
  const { url, endpoint, credentials_file, ca_file, path_style } = blobs
  if (url === '')
    return needs('blobs.url', report, { 'blobs.endpoint': endpoint, 'blobs.credentials_file': credentials_file })
  if (ca_file !== '') needs('blobs.endpoint', report, endpoint === '' ? { 'blobs.ca_file': ca_file } : {})
  const bucket = new URL(url).host
  if (!path_style && (bucket.includes('.') || /^https?:\/\/(\[|[\d.]+(:|\/|$)|localhost)/.test(endpoint)))
    report(
      'blobs.path_style',
      `has to be true: no certificate or name is for ${bucket}.${endpoint === '' ? 's3' : new URL(endpoint).host}`,
    )
  if (endpoint !== '' && new URL(endpoint).pathname !== '/')
    report('blobs.endpoint', `${endpoint} has a path. Name the server alone, and the bucket in blobs.url`)
}

function checkForwarding(config: Config, report: Report): void {
  const { forward_operator_mail: address } = config.identity
  if (address === '') return
  const domain = address.slice(address.lastIndexOf('@') + 1).toLowerCase()
  if (config.domains.names.includes(domain))
    report('identity.forward_operator_mail', `${address} is on this server. Name an address elsewhere, or remove it`)
  else if (!mayRelayOut(config))
    report(
      'identity.forward_operator_mail',
      'has no effect while no mail leaves this server. Set relay.outbound = "on"',
    )
}

/** Stored in identities and sessions of other ways to sign in. */
const RESERVED_PROVIDERS = ['operator', 'email', 'passkey']

function checkProviders({ identity, server }: Config, report: Report): void {
  const { providers } = identity
  for (const [index, { id, kind, issuer, client_secret_file }] of providers.entries()) {
    const problem = (words: string): void => report('identity.providers', `number ${index + 1} ${words}`)
    const other = providers.findIndex((each) => each.id === id)
    if (RESERVED_PROVIDERS.includes(id))
      problem(`has the id "${id}", which stands for a way to sign in of this server. Choose another one`)
    if (other !== index) problem(`has the id "${id}", and so has number ${other + 1}. Give each its own`)
    if (kind === 'oidc' && issuer === '') problem('has no issuer. Set it to the issuer URL of the provider')
    if (kind === 'github' && issuer !== '') problem('is "github", where issuer has no effect. Remove it, or set url')
    if (kind === 'github' && client_secret_file === '') problem('has no client_secret_file, which GitHub requires')
  }
  if (providers.length === 0 || !URL.canParse(server.base_url) || isSafeOrigin(new URL(server.base_url))) return
  report(
    'server.base_url',
    `${server.base_url} has no TLS, and browsers keep no session there. Set server.https, or put a proxy with TLS in front, and name the https address here; or remove identity.providers`,
  )
}
