/** Checks services other than DNS: the bucket of blobs, clamd, rspamd, identity providers, and the daemon itself at its public URL. */
import type { Config } from '../../config/schema.js'
import { DAY } from '../../lib/clock.js'
import { about, advice, command, failed, ok, shown, skipped, warning } from './finding.js'
import type { Finding } from './types.js'

/** freshclam checks several times a day. */
const OLD_SIGNATURES_MS = 3 * DAY

/** `date` is the answer's own Date, in milliseconds since 1970; undefined when it has none that can be read. */
export type Asked = { text: string; date?: number | undefined } | { problem: string }

/** @param problem what the bucket's server answered, or why it did not; undefined if it lists the bucket */
export function checkBlobs({ url }: Config['blobs'], problem: string | undefined): Finding {
  if (url === '') return skipped('blobs.url is not set: large mail is kept in files')
  if (problem === undefined) return ok(`${url} can be listed`)
  return failed(
    `large mail cannot be stored or read: ${shown(problem)}`,
    advice('Correct blobs.toml or the bucket as the finding says; docs/blobs.md lists the rights that are needed.'),
  )
}

/** @param version reply of clamd to VERSION: `ClamAV 1.4.3/27800/Sat Nov 21 08:26:12 2026` */
export function checkClamav(
  { clamav, on_error: onError }: Config['scan'],
  version: Asked | undefined,
  now: number,
): Finding {
  if (clamav === '' || version === undefined) return skipped('scan.clamav is not set: mail is not scanned for viruses')
  if ('problem' in version)
    return failed(
      `clamd does not answer at ${clamav} (${shown(version.problem)}): ${onError === 'defer' ? 'mail is deferred' : 'mail is delivered without a scan'}`,
      command('systemctl enable --now clamav-daemon clamav-freshclam'),
    )
  const [name = '', signatures, date = ''] = version.text.split('/')
  const at = Date.parse(`${date.trim()} UTC`)
  const refresh = command('systemctl enable --now clamav-freshclam && systemctl restart clamav-freshclam')
  if (signatures === undefined || Number.isNaN(at))
    return warning(`${shown(name)} answers, but does not report the age of its signatures: it may have none`, refresh)
  const days = Math.floor((now - at) / DAY)
  return now - at > OLD_SIGNATURES_MS
    ? warning(`${shown(name)} answers, but its signatures are ${days} days old`, refresh)
    : ok(`${shown(name)} answers, with signatures of ${shown(date)}`)
}

/** @param pong response of rspamd to GET /ping */
export function checkRspamd({ rspamd }: Config['scan'], pong: Asked | undefined): Finding {
  if (rspamd === '' || pong === undefined) return skipped('scan.rspamd is not set')
  const why = 'problem' in pong ? pong.problem : pong.text.trim() === 'pong' ? undefined : `it answers ${pong.text}`
  return why === undefined
    ? ok(`it answers at ${rspamd}`)
    : failed(
        `rspamd does not answer at ${rspamd} (${shown(why)}): mail is scored without it`,
        command('systemctl enable --now rspamd'),
      )
}

export async function checkProviders(
  { identity }: Pick<Config, 'identity'>,
  ask: (url: string) => Promise<Asked>,
): Promise<Finding[]> {
  if (identity.providers.length === 0)
    return [ok('nobody can sign in (identity.providers); the operator approves with: restante claim approve ADDRESS')]
  return Promise.all(
    identity.providers.map(async (provider) => {
      if (provider.kind === 'github') {
        const answer = await ask(`${provider.api_url}/meta`)
        return about(
          provider.id,
          'problem' in answer ? away(provider.api_url, answer.problem) : ok(`${provider.api_url} answers`),
        )
      }
      const issuer = provider.issuer.replace(/\/+$/, '')
      const answer = await ask(configurationOf(issuer))
      if ('problem' in answer) return about(provider.id, away(issuer, answer.problem))
      const named = issuerOf(answer.text)
      return about(
        provider.id,
        named === provider.issuer
          ? ok(`${issuer} answers, and is this issuer`)
          : failed(
              `${issuer} calls itself ${shown(named ?? 'nothing')}: nobody can sign in`,
              advice('Set the issuer in identity.providers to exactly that name.'),
            ),
      )
    }),
  )
}

/** URL of an issuer's metadata (OpenID Connect Discovery 1.0 §4). */
export function configurationOf(issuer: string): string {
  return `${issuer.replace(/\/+$/, '')}/.well-known/openid-configuration`
}

function away(where: string, problem: string): Finding {
  return failed(`${where} does not answer (${shown(problem)}): nobody can sign in`, command(`curl -v ${where}`))
}

function issuerOf(text: string): string | undefined {
  try {
    const document: unknown = JSON.parse(text)
    const named =
      typeof document === 'object' && document !== null && 'issuer' in document ? document.issuer : undefined
    return typeof named === 'string' ? named : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** @param health response to GET /healthz at server.base_url; undefined while no daemon runs */
export function checkBaseUrl({ server }: Pick<Config, 'server'>, health: Asked | undefined): Finding {
  if (health === undefined) return skipped('no daemon is running')
  if (server.base_url === `http://${server.http}`)
    return skipped('server.base_url is not set: claim links lead to this machine only')
  const proxy = advice(
    server.https.length > 0
      ? `${server.base_url} has to lead to ${server.https.join(', ')} on this machine: check its DNS records and the firewall.`
      : `The proxy that answers for ${server.base_url} has to pass requests on to http://${server.http}.`,
  )
  if ('problem' in health)
    return failed(`${server.base_url} does not answer (${shown(health.problem)}): claim links lead nowhere`, proxy)
  return /"status":"ready"/.test(health.text)
    ? ok(`${server.base_url} leads to the daemon`)
    : failed(`${server.base_url} is answered by another server: ${shown(health.text).slice(0, 80)}`, proxy)
}
