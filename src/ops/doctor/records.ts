/** Checks the DNS records required by settings and keys (src/publish). Host and reverse names have separate checks. */
import type { Resolver } from '../../dns/types.js'
import type { Config } from '../../config/schema.js'
import { checkRecords, needsWork, type RecordCheck } from '../../publish/check.js'
import type { PublishedRecord, RecordKind } from '../../publish/types.js'
import { about, advice, command, failed, ok, record, shown, skipped, unknown, warning } from './finding.js'
import { NO_PROGRAMS } from './programs.js'
import type { Finding } from './types.js'

export async function checkPublished(
  deps: { config: Config; resolver: Resolver; commandOptions: string },
  records: readonly PublishedRecord[],
  kind: RecordKind,
): Promise<Finding[]> {
  const wanted = records.filter((each) => each.kind === kind)
  if (wanted.length === 0) return [skipped(WITHOUT[kind] ?? 'the settings need no such record')]
  const checks = await checkRecords(deps, wanted)
  return checks.map((check) => about(check.record.name, findingOf(check, deps.commandOptions)))
}

const WITHOUT: Partial<Record<RecordKind, string>> = {
  dkim: 'there are no keys yet; the first start creates them',
  'mta-sts': 'there is no policy (smtp.mta_sts, smtp.tls_cert, tls.acme)',
  'mta-sts-host': 'there is no policy (smtp.mta_sts, smtp.tls_cert, tls.acme)',
  srv: NO_PROGRAMS,
  'settings-host': NO_PROGRAMS,
  tlsa: 'there is no certificate (smtp.tls_cert, tls.acme)',
}

function findingOf(check: RecordCheck, commandOptions: string): Finding {
  const { record: published, result, note } = check
  const words = note === null ? '' : `: ${shown(note)}`
  const remedy = remedyOf(published, commandOptions)
  switch (result) {
    case 'ok':
      return ok(`it is correct${words}`)
    case 'unknown':
      return unknown(note === null ? 'DNS gives no answer now' : shown(note))
    case 'missing':
      // RFC 7672: without one senders accept any certificate; an outdated one stops mail.
      if (published.kind === 'tlsa') return ok('there is none, and none is needed')
      return (needsWork(check) ? failed : warning)(`it is missing${words}`, ...remedy)
    case 'differs':
      return (needsWork(check) ? failed : warning)(`it is wrong${words}`, ...remedy)
  }
}

function remedyOf({ kind, name, zoneLine, about: words }: PublishedRecord, commandOptions: string) {
  if (zoneLine !== null) return [record(zoneLine)]
  if (kind === 'mta-sts-host' || kind === 'settings-host')
    return [record(`${name}. IN A <the address of your proxy>`), advice(words)]
  return [command(`restante dns${commandOptions}`), advice(words)]
}
