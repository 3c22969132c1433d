/** `restante certificate …`: certificates, and why some are missing. */
import { certificateListSchema, type CertificateEntry } from '../../../certificates/listing.js'
import { renewalSchema } from '../../../admin/certificates.js'
import { systemClock } from '../../../lib/clock.js'
import { askDaemon } from '../../terminal/admin.js'
import { domainArgument } from '../../terminal/arguments.js'
import { defineCommand, EXIT } from '../../terminal/command.js'
import { json, printable, table } from '../../terminal/output.js'
import { ago, inTime } from '../../terminal/words.js'

const ASK_EVERY_MS = 2000

const list = defineCommand({
  usage: 'certificate list',
  options: ['json'],
  summary: 'list certificates, and why one is missing',
  about:
    'Asks the running daemon. Each row is one of your certificates (smtp.tls_cert, server.tls_cert) or a name with a certificate by ACME (tls.acme):\nits issuer, until when it is valid, when the next order is due, and why the last one failed.',
  examples: ['restante certificate list', `restante certificate list --json | jq -r '.[] | select(.error) | .name'`],
  async run({ options, config, print, note }) {
    const { data } = await askDaemon(config(), 'GET', '/certificates', certificateListSchema)
    if (options.json) print(json(data))
    else if (data.length === 0)
      note('There is none: name one in smtp.tls_cert, or let tls.acme order them; see docs/tls.md.')
    else print(describe(data))
  },
})

const renew = defineCommand({
  usage: 'certificate renew [NAME]',
  options: ['json'],
  summary: 'order certificates now',
  about:
    "Asks the running daemon, which orders a certificate of NAME from the authority of tls.acme, or of every name, whether it is due or not, and waits for\nthe result. Renewal is automatic: use this after you have fixed a problem. Authorities allow few orders (Let's Encrypt five of the same name in a week).",
  examples: ['restante certificate renew', 'restante certificate renew mx.example.com'],
  async run(invocation) {
    const { args, options, print, note } = invocation
    const [name] = args
    const config = invocation.config()
    const body = name === undefined ? {} : { name: domainArgument(invocation, name, 'mx.example.com') }
    const { ordering: names } = await askDaemon(config, 'POST', '/certificates/renew', renewalSchema, body)
    if (names.length === 0) note('There is nothing to order: your own certificates cover every name.')
    let entries: CertificateEntry[]
    do {
      const { data } = await askDaemon(config, 'GET', `/certificates?wait_ms=${ASK_EVERY_MS}`, certificateListSchema)
      entries = data.filter((entry) => entry.source === 'acme' && names.includes(entry.name))
    } while (entries.some(({ ordering }) => ordering))
    if (options.json) print(json(entries))
    else if (entries.length > 0) print(describe(entries))
    return entries.every(({ error }) => error === null) ? EXIT.ok : EXIT.failed
  },
})

export const commands = [list, renew]

function describe(entries: readonly CertificateEntry[]): string {
  const now = systemClock.now()
  const rows = entries.map((entry) => [
    entry.name,
    entry.source,
    entry.issuer,
    entry.not_after && `${entry.not_after.slice(0, 10)} (${when(entry.not_after, now)})`,
    entry.ordering ? 'now' : entry.next_try_at && when(entry.next_try_at, now),
  ])
  const problems = entries.flatMap(({ name, error, tried_at: at }) =>
    error === null ? [] : [`${printable(name)}, ${at === null ? '' : `${ago(at, now)} ago: `}${printable(error)}`],
  )
  return [table(['NAME', 'SOURCE', 'ISSUER', 'UNTIL', 'NEXT ORDER'], rows), ...problems].join('\n')
}

function when(at: string, now: number): string {
  return Date.parse(at) > now ? inTime(at, now) : 'due'
}
