/** Checks certificates: that of STARTTLS, in its files and as served, and that of server.base_url. */
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { rootCertificates } from 'node:tls'
import type { WantedName } from '../../certificates/stored.js'
import type { Config } from '../../config/schema.js'
import { messageOf } from '../../lib/thrown.js'
import { DAY } from '../../lib/clock.js'
import { advice, command, failed, ok, setting, shown, skipped, warning } from './finding.js'
import type { Finding, Remedy } from './types.js'

/** Automatic renewal happens earlier than that, with certificates of 90 days. */
const SOON_MS = 14 * DAY
const PEM = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

export interface SmtpCertificate {
  hostname: string
  /** As the files have them, PEM; undefined when there are none. */
  files: { cert: Buffer; key: Buffer } | undefined
  /** Result of the last order from the authority (tls.acme); undefined for a certificate of the operator. */
  acme?: { error: string | null } | undefined
  now: number
  /** An MTA-STS policy makes senders require a valid certificate. */
  isEnforced: boolean
  /** Root certificates, PEM. */
  roots?: readonly string[]
}

export function checkSmtpCertificate({
  hostname,
  files,
  acme,
  now,
  isEnforced,
  roots = rootCertificates,
}: SmtpCertificate): Finding {
  const order = command(`restante certificate renew ${hostname}`)
  if (!files && acme)
    return (acme.error === null ? warning : failed)(
      `${acme.error === null ? 'none was obtained from the authority yet' : `none could be obtained: ${shown(acme.error)}`}; until then STARTTLS is not offered`,
      order,
    )
  if (!files)
    return warning(
      'there is no certificate: STARTTLS is not offered, and mail arrives unencrypted',
      setting('tls.acme', '"https://acme-v02.api.letsencrypt.org/directory"'),
      setting('tls.acme_terms_agreed', 'true'),
      advice('Or set one of your own in smtp.tls_cert and smtp.tls_key: docs/tls.md describes both.'),
    )
  const renew = acme
    ? order
    : advice('Replace the files of smtp.tls_cert and smtp.tls_key, and run "systemctl reload restante".')
  const [certificateName, keyName] = acme ? ['the certificate', 'its key'] : ['smtp.tls_cert', 'smtp.tls_key']
  let chain: X509Certificate[]
  try {
    chain = (files.cert.toString('latin1').match(PEM) ?? []).map((pem) => new X509Certificate(pem))
  } catch (error) {
    return failed(`${certificateName} can't be read as certificates: ${shown(messageOf(error))}`, renew)
  }
  const [leaf] = chain
  if (!leaf) return failed(`${certificateName} contains no certificate in PEM`, renew)
  const keyProblem = problemOfKey(leaf, files.key, [certificateName, keyName])
  if (keyProblem !== undefined) return failed(keyProblem, renew)
  if (leaf.checkHost(hostname) === undefined)
    return failed(`it is for ${shown(leaf.subjectAltName ?? leaf.subject)}, and not for ${hostname}`, renew)
  const [from, to] = [Date.parse(leaf.validFrom), Date.parse(leaf.validTo)]
  if (now < from) return failed(`it is valid only from ${leaf.validFrom} on`, command('timedatectl'), renew)
  if (now > to) return failed(`it has expired (${leaf.validTo})`, renew)
  const chainWords = problemOfChain(chain, roots)
  if (chainWords !== undefined) return (isEnforced ? failed : warning)(chainWords, renew)
  return to - now < SOON_MS
    ? warning(
        `it expires in ${Math.floor((to - now) / DAY)} days (${leaf.validTo})`,
        ...(acme ? [command('restante certificate list')] : []),
        renew,
      )
    : ok(`it is for ${hostname}, until ${leaf.validTo}`)
}

function problemOfKey(leaf: X509Certificate, pem: Buffer, [certificate, key]: [string, string]): string | undefined {
  try {
    return leaf.checkPrivateKey(createPrivateKey(pem)) ? undefined : `${key} is not the key of ${certificate}`
  } catch (error) {
    return `${key} can't be read as a private key: ${shown(messageOf(error))}`
  }
}

function problemOfChain(chain: X509Certificate[], roots: readonly string[]): string | undefined {
  const [leaf] = chain
  if (leaf && leaf.checkIssued(leaf)) return 'it is self-signed: nobody can tell it from a forged one'
  for (const [i, certificate] of chain.entries()) {
    const next = chain[i + 1]
    if (next === undefined) {
      const known = roots.some((pem) => vouches(new X509Certificate(pem), certificate))
      return known || roots.includes(certificate.toString().trim())
        ? undefined
        : `no public authority vouches for it: the certificate of ${shown(certificate.issuer)} is missing from its chain, or not widely trusted`
    }
    if (!vouches(next, certificate)) return 'the certificates of its chain are not issued by each other'
  }
  return undefined
}

function vouches(issuer: X509Certificate, certificate: X509Certificate): boolean {
  return certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey)
}

export type Shown =
  | { problem: string }
  | {
      /** Problem for the requested name; undefined if valid. */ wrong: string | undefined
      validTo: number
      fingerprint: string
    }

/** @param served by the daemon at port 25; undefined while none runs */
export function checkServedCertificate(cert: Buffer | undefined, served: Shown | undefined): Finding {
  if (!cert) return skipped('there is no certificate (smtp.tls_cert, tls.acme)')
  if (!served) return skipped('no daemon is running')
  const [pem] = cert.toString('latin1').match(PEM) ?? []
  if (pem === undefined) return skipped('its file contains no certificate')
  if ('problem' in served)
    return failed(`STARTTLS does not work: ${shown(served.problem)}`, command('systemctl reload restante'))
  return new X509Certificate(pem).fingerprint256 === served.fingerprint
    ? ok('the daemon serves the certificate on the disk')
    : warning('the daemon serves another certificate than the one on the disk', command('systemctl reload restante'))
}

function renewWeb({ https, tls_cert: file }: Config['server'], host: string): Remedy {
  if (https.length === 0)
    return advice(`Check the proxy that answers for ${host}: its certificate has to be valid for that name.`)
  return file === ''
    ? command('restante certificate list')
    : advice(`Put a certificate for ${host} into ${file} (server.tls_cert), and run "systemctl reload restante".`)
}

export async function checkWebCertificate(
  { server }: Pick<Config, 'server'>,
  { now, ask }: { now: number; ask: (host: string, port: number) => Promise<Shown> },
): Promise<Finding> {
  const url = new URL(server.base_url)
  if (url.protocol !== 'https:') return skipped(`server.base_url is ${server.base_url}, without TLS`)
  const seen = await ask(url.hostname, Number(url.port || 443))
  const host = url.hostname
  const renew = renewWeb(server, host)
  if ('problem' in seen) return failed(`${url.origin} does not answer with TLS: ${shown(seen.problem)}`, renew)
  if (seen.wrong !== undefined) return failed(`browsers and agents refuse it: ${shown(seen.wrong)}`, renew)
  const days = Math.floor((seen.validTo - now) / DAY)
  return seen.validTo - now < SOON_MS
    ? warning(`it expires in ${days} days`, renew)
    : ok(`it is for ${host}, valid for ${days} more days`)
}

/** @param names that need a certificate from the authority of tls.acme */
export function checkOrders(names: readonly WantedName[]): Finding {
  if (names.length === 0) return skipped('no authority is asked for certificates (tls.acme)')
  const list = (those: readonly WantedName[]): string =>
    those.map(({ name, error }) => `${name}${error === null ? '' : ` (${shown(error)})`}`).join('; ')
  const remedy = [command('restante certificate list'), command('restante certificate renew')]
  const missing = names.filter(({ hasOne }) => !hasOne)
  if (missing.some(({ error }) => error !== null))
    return failed(`no certificate could be obtained for ${list(missing)}`, ...remedy)
  if (missing.length > 0) return warning(`no certificate was obtained yet for ${list(missing)}`, ...remedy)
  const late = names.filter(({ error }) => error !== null)
  return late.length > 0
    ? warning(`certificates could not be renewed, and the old ones are still served: ${list(late)}`, ...remedy)
    : ok(`the certificates of ${names.map(({ name }) => name).join(', ')} were issued by the authority`)
}
