/** `restante dns`: records to publish, and whether they are published. Works without a daemon. */
import { openDkimKeys } from '../../../authentication/keys.js'
import { domainArgument } from '../../terminal/arguments.js'
import { smtpCertificate } from '../../../certificates/stored.js'
import type { Config } from '../../../config/schema.js'
import { withSecretPlaces } from '../../../ops/database/secret-places.js'
import { thisMachine } from '../../../ops/doctor/machine.js'
import { createResolver } from '../../../dns/resolver.js'
import { systemClock } from '../../../lib/clock.js'
import { checkRecords, needsWork, type RecordCheck } from '../../../publish/check.js'
import { domainRecords, hostRecords } from '../../../publish/records.js'
import type { PublishedRecord } from '../../../publish/types.js'
import { zoneFile } from '../../../publish/zone.js'
import { withAddresses } from '../../../ops/setup/records.js'
import { defineCommand, EXIT } from '../../terminal/command.js'
import { json, printable, table } from '../../terminal/output.js'
import { listing, view } from '../../terminal/records.js'

const dns = defineCommand({
  usage: 'dns [DOMAIN]',
  options: ['check', 'zone', 'json'],
  summary: 'print the DNS records to publish, or check them',
  about:
    'Prints every record that the domains of the settings need, or those of one domain: MX, SPF, DKIM, DMARC, MTA-STS, TLS reports, those of\nthe host, and with a port for mail programs those by which they find it. --zone prints them as lines of a zone file. --check asks the resolvers of the settings for each, says what to do, and ends with 1 when\nsomething is missing or wrong that mail needs.',
  examples: ['restante dns', 'restante dns agents.example.com --zone', 'restante dns --check --config /etc/restante'],
  async run(invocation) {
    const { args, config, options, print, note } = invocation
    const settings = config()
    const domains = args[0] === undefined ? settings.domains.names : [domainArgument(invocation, args[0])]
    const records = await recordsOf(settings, domains)
    for (const domain of domains) {
      if (!settings.domains.names.includes(domain))
        note(`Note: ${domain} is not in domains.names (${settings.domains.names.join(', ')}): mail for it is refused.`)
      if (!records.some(({ kind, owner }) => kind === 'dkim' && owner === domain))
        note(
          `Note: ${domain} has no DKIM keys yet. The first start generates them, and so does: restante dkim new ${domain}`,
        )
    }
    if (!options.check) {
      const shown = withAddresses(records, thisMachine.addresses())
      print(options.json ? json(shown.map(view)) : options.zone ? zoneFile(shown) : listing(shown))
      return EXIT.ok
    }
    const checks = await ask(settings, records)
    if (options.json) print(json(checks.map((check) => ({ ...view(check.record), ...resultView(check) }))))
    else print(report(checks))
    return checks.some(needsWork) ? EXIT.failed : EXIT.ok
  },
})

export const commands = [dns]

async function recordsOf(settings: Config, domains: string[]): Promise<PublishedRecord[]> {
  return withSecretPlaces(settings, async ({ dkim, certificates }) => {
    const keys = (await openDkimKeys({ files: dkim, clock: systemClock })).list()
    const certificate = await smtpCertificate(settings, certificates)
    return [
      ...domains.flatMap((domain) => domainRecords(settings, domain, keys)),
      ...hostRecords(settings, certificate?.cert),
    ]
  })
}

async function ask(config: Config, records: PublishedRecord[]): Promise<RecordCheck[]> {
  const resolver = createResolver({ servers: config.server.dns, clock: systemClock })
  try {
    return await checkRecords({ config, resolver }, records)
  } finally {
    resolver.close()
  }
}

function report(checks: RecordCheck[]): string {
  const rows = checks.map((check) => [check.record.type, check.record.name, check.result, check.note ?? ''])
  const toDo = checks.filter(isToDo)
  return [
    table(['TYPE', 'NAME', 'DNS', ''], rows),
    ...(toDo.length === 0 ? [] : ['', 'To publish:', '', zoneFile(toDo.map(({ record }) => record))]),
  ].join('\n')
}

/** True for recommended records too, except TLSA: it stops mail when neglected. */
function isToDo(check: RecordCheck): boolean {
  const { record, result } = check
  return needsWork(check) || (result === 'missing' && !record.required && record.kind !== 'tlsa')
}

function resultView({ result, note }: RecordCheck) {
  return { result, note: note === null ? null : printable(note) }
}
