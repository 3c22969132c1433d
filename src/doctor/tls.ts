/** Certificates: that for STARTTLS as its files have it and as it is shown, and that of server.base_url. */
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { rootCertificates } from 'node:tls'
import type { Config } from '../config/schema.js'
import { messageOf } from '../lib/caught.js'
import { DAY } from '../lib/clock.js'
import { advice, command, failed, ok, setting, shown, skipped, warning } from './finding.js'
import type { Finding } from './types.js'

/** Whoever renews by itself has done so by then, with certificates of 90 days. */
const SOON_MS = 14 * DAY
const PEM = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

export interface SmtpCertificate {
  hostname: string
  /** As the files have them, PEM; undefined when none are set. */
  files: { cert: Buffer; key: Buffer } | undefined
  now: number
  /** An MTA-STS policy has senders insist on a valid certificate. */
  isEnforced: boolean
  /** Certificates in PEM that vouch for others. */
  roots?: readonly string[]
}

export function checkSmtpCertificate({
  hostname,
  files,
  now,
  isEnforced,
  roots = rootCertificates,
}: SmtpCertificate): Finding {
  if (!files)
    return warning(
      'there is no certificate: STARTTLS is not offered, and mail comes over the network for all to read',
      command(`certbot certonly --standalone --reuse-key -d ${hostname}`),
      setting('smtp.tls_cert', `"/etc/letsencrypt/live/${hostname}/fullchain.pem"`),
      setting('smtp.tls_key', `"/etc/letsencrypt/live/${hostname}/privkey.pem"`),
    )
  const renew = command(`certbot certonly --force-renewal --reuse-key -d ${hostname} && systemctl reload restante`)
  let chain: X509Certificate[]
  try {
    chain = (files.cert.toString('latin1').match(PEM) ?? []).map((pem) => new X509Certificate(pem))
  } catch (error) {
    return failed(`smtp.tls_cert can't be read as certificates: ${shown(messageOf(error))}`, renew)
  }
  const [leaf] = chain
  if (!leaf) return failed('smtp.tls_cert holds no certificate in PEM', renew)
  const keyProblem = problemOfKey(leaf, files.key)
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
        `it ends in ${Math.floor((to - now) / DAY)} days (${leaf.validTo})`,
        renew,
        command('systemctl status certbot.timer'),
      )
    : ok(`it is for ${hostname}, until ${leaf.validTo}`)
}

function problemOfKey(leaf: X509Certificate, pem: Buffer): string | undefined {
  try {
    return leaf.checkPrivateKey(createPrivateKey(pem))
      ? undefined
      : 'smtp.tls_key is not the key of the certificate in smtp.tls_cert'
  } catch (error) {
    return `smtp.tls_key can't be read as a private key: ${shown(messageOf(error))}`
  }
}

/** From the server's own up to one that everybody knows. */
function problemOfChain(chain: X509Certificate[], roots: readonly string[]): string | undefined {
  const [leaf] = chain
  if (leaf && leaf.checkIssued(leaf)) return 'it is signed by itself: nobody can tell it from a forged one'
  for (const [i, certificate] of chain.entries()) {
    const next = chain[i + 1]
    if (next === undefined) {
      const known = roots.some((pem) => vouches(new X509Certificate(pem), certificate))
      return known || roots.includes(certificate.toString().trim())
        ? undefined
        : `nobody whom others know vouches for it: the certificate of ${shown(certificate.issuer)} is missing from smtp.tls_cert, or is known to few`
    }
    if (!vouches(next, certificate)) return 'the certificates in smtp.tls_cert do not follow from each other'
  }
  return undefined
}

function vouches(issuer: X509Certificate, certificate: X509Certificate): boolean {
  return certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey)
}

/** What a TLS server showed. */
export type Shown =
  | { problem: string }
  | {
      /** What is wrong with it for the name that was asked for; undefined when nothing is. */ wrong: string | undefined
      validTo: number
      fingerprint: string
    }

/** @param served by the daemon at port 25; undefined when it does not answer or offers no TLS */
export function checkServedCertificate(cert: Buffer | undefined, served: Shown | undefined): Finding {
  if (!cert) return skipped('there is no certificate (smtp.tls_cert)')
  if (!served) return skipped('no daemon runs that would show it')
  const [pem] = cert.toString('latin1').match(PEM) ?? []
  if (pem === undefined) return skipped('smtp.tls_cert holds no certificate')
  if ('problem' in served)
    return failed(`STARTTLS does not work: ${shown(served.problem)}`, command('systemctl reload restante'))
  return new X509Certificate(pem).fingerprint256 === served.fingerprint
    ? ok('the daemon shows the certificate of smtp.tls_cert')
    : warning(
        'the daemon shows another certificate than smtp.tls_cert holds by now',
        command('systemctl reload restante'),
      )
}

/** @param ask what the server of the address shows */
export async function checkWebCertificate(
  { server }: Pick<Config, 'server'>,
  { now, ask }: { now: number; ask: (host: string, port: number) => Promise<Shown> },
): Promise<Finding> {
  const url = new URL(server.base_url)
  if (url.protocol !== 'https:') return skipped(`server.base_url is ${server.base_url}, without TLS`)
  const seen = await ask(url.hostname, Number(url.port || 443))
  const host = url.hostname
  const renew = advice(`Look at the proxy that answers for ${host}: its certificate has to be valid for that name.`)
  if ('problem' in seen) return failed(`${url.origin} does not answer with TLS: ${shown(seen.problem)}`, renew)
  if (seen.wrong !== undefined) return failed(`browsers and agents refuse it: ${shown(seen.wrong)}`, renew)
  const days = Math.floor((seen.validTo - now) / DAY)
  return seen.validTo - now < SOON_MS
    ? warning(`it ends in ${days} days`, renew)
    : ok(`it is for ${host}, for ${days} days more`)
}
