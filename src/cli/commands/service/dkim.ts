/** `restante dkim …`: signing keys and their DNS records. Works without a daemon. */
import { chown, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { z } from 'zod'
import { checkKeyRecord, type KeyRecordCheck } from '../../../authentication/key-record.js'
import { openDkimKeys, RECORD_NEEDED_MS, type DkimKeyInfo, type DkimKeys } from '../../../authentication/keys.js'
import type { Config } from '../../../config/schema.js'
import { createResolver } from '../../../dns/resolver.js'
import { isShared } from '../../../ops/database/engine.js'
import { withSecretPlaces } from '../../../ops/database/secret-places.js'
import { hasCode } from '../../../lib/thrown.js'
import { DAY, systemClock, timestamp } from '../../../lib/clock.js'
import { askDaemon } from '../../terminal/admin.js'
import { domainArgument } from '../../terminal/arguments.js'
import { CommandError, defineCommand, EXIT, type Invocation } from '../../terminal/command.js'
import { isAgreed } from '../../terminal/confirm.js'
import { json, printable, printList, table } from '../../terminal/output.js'

const create = defineCommand({
  usage: 'dkim new DOMAIN',
  options: ['json'],
  summary: 'make the first DKIM keys of a domain and print their DNS records',
  about:
    'Makes an RSA-2048 and an Ed25519 key and prints both records as lines of a zone file. They sign at once, so publish the records right away. A\ndomain that has keys gets new ones with "dkim rotate", which breaks no signature.',
  examples: ['restante dkim new agents.example.com', 'restante dkim new agents.example.com --config /etc/restante'],
  async run(invocation) {
    const { config, note } = invocation
    const domain = domainArgument(invocation, invocation.args[0])
    const settings = config()
    const made = await withKeys(settings, async (keys) => {
      if (keys.signingKeys(domain).length > 0)
        throw new CommandError(
          EXIT.failed,
          `${domain} has keys already; see: restante dkim list\nNew ones, which sign once their records can be seen: restante dkim rotate ${domain}`,
        )
      return keys.generate(domain)
    })
    printRecords(invocation, made)
    await tellDaemon(settings, note)
  },
})

const rotate = defineCommand({
  usage: 'dkim rotate DOMAIN',
  options: ['now', 'yes', 'json'],
  summary: 'make new DKIM keys that sign once their records can be seen',
  about: `Makes a new RSA-2048 and a new Ed25519 key and prints their records, and the old keys go on signing. Publish the records; the daemon looks for
them each hour, and when "dkim check" is run. A new key signs once its record is there, and the old one of its algorithm stops. Records of old
keys have to stay for ${RECORD_NEEDED_MS / DAY} days more: "dkim list" says when they can go. Run again, it prints the records of the keys that wait. --now has the new
keys sign at once; mail can't be verified until their records are there, and the old keys never sign again, so it asks first; from a script it takes --yes.`,
  examples: ['restante dkim rotate agents.example.com', 'restante dkim rotate agents.example.com --now --yes'],
  async run(invocation) {
    const { config, options, note } = invocation
    const domain = domainArgument(invocation, invocation.args[0])
    const settings = config()
    const what = `New keys of ${domain} would sign at once and the old ones never again; mail can't be verified until their records are in DNS.`
    if (options.now && !(await isAgreed(invocation, () => what))) return EXIT.failed
    const made = await withKeys(settings, async (keys) => {
      const waiting = await keys.prepare(domain)
      if (options.now) {
        for (const key of waiting) await keys.activate(key)
        await keys.retireSuperseded()
      }
      return keys.list().filter((key) => waiting.some(({ recordName }) => recordName === key.recordName))
    })
    printRecords(invocation, made)
    if (options.now) await tellDaemon(settings, note)
    else note(`Publish these records. The keys sign once they can be seen; to check now: restante dkim check ${domain}`)
  },
})

const list = defineCommand({
  usage: 'dkim list',
  options: ['json'],
  summary: 'list the DKIM keys and what they do',
  about:
    'Lists the keys: those that sign, those that wait for their record to be seen, and those that were retired, with the day from which\ntheir record can go. Their files are removed once it has gone. With --json the DNS records are there too.',
  examples: ['restante dkim list', "restante dkim list --json | jq -r '.[].zone_line'"],
  async run(invocation) {
    const settings = invocation.config()
    const keys = await listed(settings)
    const head = ['RECORD', 'ALGORITHM', 'STATE', 'FILE']
    const none = `There is no key ${isShared(settings) ? 'in the database' : `in ${settings.domains.dkim_dir}`}. Make some with: restante dkim new DOMAIN`
    if (invocation.options.json) invocation.print(json(keys.map(view)))
    else printList(invocation, keys, head, (key) => [key.recordName, key.algorithm, stateOf(key), key.path], none)
  },
})

const check = defineCommand({
  usage: 'dkim check [DOMAIN]',
  options: ['json'],
  summary: 'compare the DKIM records in DNS with the keys',
  about:
    'Looks up the record of each key through the resolvers of the settings and compares it with the key: ok, missing, differs (another key), wrong\n(verifiers cannot use it). What is to be published is printed below. Ends with 1 when mail is signed with a key that cannot be verified. A\nrunning daemon checks too, so that keys with a published record begin to sign.',
  examples: ['restante dkim check', 'restante dkim check agents.example.com --config /etc/restante'],
  async run(invocation) {
    const { args, config, options, print, note } = invocation
    const settings = config()
    const wanted = args[0] === undefined ? undefined : domainArgument(invocation, args[0])
    const keys = (await listed(settings)).filter(({ domain }) => wanted === undefined || domain === wanted)
    const domains = wanted === undefined ? settings.domains.names : [wanted]
    const checked = await checkAll(settings, keys)
    if (options.json) print(json(checked.map(({ key, found }) => ({ ...view(key), ...checkView(found) }))))
    else if (checked.length > 0) print(report(checked))
    const unsigned = domains.filter((domain) => !keys.some((key) => key.domain === domain && key.state === 'signs'))
    for (const domain of unsigned) note(`${domain} has no key that signs. Make some with: restante dkim new ${domain}`)
    if (checked.some(({ key, found }) => key.state === 'waits' && found.result === 'ok'))
      await post(settings, '/dkim/look', z.object({ started: z.int() }), note, ({ started }) =>
        started > 0
          ? `The running daemon signs with ${started} more of them now.`
          : 'The running daemon does not see the new records yet; it looks again within the hour.',
      )
    const isBroken = checked.some(({ key, found }) => key.state === 'signs' && found.result !== 'ok')
    return isBroken || unsigned.length > 0 ? EXIT.failed : EXIT.ok
  },
})

interface Checked {
  key: DkimKeyInfo
  found: KeyRecordCheck
}

async function checkAll(settings: Config, keys: DkimKeyInfo[]): Promise<Checked[]> {
  const resolver = createResolver({ servers: settings.server.dns, clock: systemClock })
  try {
    return await Promise.all(keys.map(async (key) => ({ key, found: await checkKeyRecord(resolver, key) })))
  } finally {
    resolver.close()
  }
}

function report(checked: Checked[]): string {
  const rows = checked.map(({ key, found }) => {
    const about = [found.problem ?? '', ...found.warnings].filter((text) => text !== '')
    // An unneeded record should be gone.
    const result = !key.recordMayGo ? found.result : found.result === 'missing' ? 'gone' : 'can go'
    return [key.recordName, stateOf(key), result, about.join('; ')]
  })
  const toPublish = checked.filter(({ key, found }) => !key.recordMayGo && !['ok', 'unknown'].includes(found.result))
  return [
    table(['RECORD', 'STATE', 'DNS', ''], rows),
    ...(toPublish.length === 0 ? [] : ['', 'To publish:', ...toPublish.map(({ key }) => key.zoneLine)]),
  ].join('\n')
}

function stateOf({ state, retiredAt, recordMayGo, recordName }: DkimKeyInfo): string {
  switch (state) {
    case 'signs':
      return 'signs'
    case 'superseded':
      return 'signs no more'
    case 'waits':
      return 'waits for DNS'
    case 'retired':
      if (recordMayGo) return `retire: remove the record ${recordName}`
      if (retiredAt === null || !Number.isFinite(retiredAt)) return 'retired'
      return `retired; keep the record until ${timestamp(retiredAt + RECORD_NEEDED_MS + DAY).slice(0, 10)}`
  }
}

function view(key: DkimKeyInfo) {
  return {
    domain: key.domain,
    selector: key.selector,
    algorithm: key.algorithm,
    state: key.state,
    signs: key.state === 'signs',
    retired_at: key.retiredAt === null || !Number.isFinite(key.retiredAt) ? null : timestamp(key.retiredAt),
    record_may_go: key.recordMayGo,
    record_name: key.recordName,
    record_value: key.recordValue,
    zone_line: key.zoneLine,
    path: key.path,
  }
}

function checkView({ result, problem, warnings }: KeyRecordCheck) {
  return { result, problem: problem === null ? null : printable(problem), warnings }
}

const listed = (config: Config): Promise<DkimKeyInfo[]> =>
  withSecretPlaces(config, async ({ dkim }) => (await openDkimKeys({ files: dkim, clock: systemClock })).list())

/** Changes keys. @param change returns those that it made */
function withKeys(config: Config, change: (keys: DkimKeys) => Promise<DkimKeyInfo[]>): Promise<DkimKeyInfo[]> {
  return withSecretPlaces(config, async ({ dkim }, where) => {
    const made = await change(await openDkimKeys({ files: dkim, clock: systemClock }))
    if (where === 'folder') await giveToOwner(config, made)
    return made
  })
}

function printRecords({ config, options, print, note }: Invocation, made: DkimKeyInfo[]): void {
  if (options.json) print(json(made.map(view)))
  else print(made.map(({ zoneLine }) => zoneLine).join('\n'))
  const { names } = config().domains
  const [domain] = made.map((key) => key.domain)
  if (domain !== undefined && !names.includes(domain))
    note(`Note: ${domain} is not in domains.names (${names.join(', ')}), so nothing is signed with these keys yet.`)
}

/** Keys that root makes for a daemon with its own user would be unreadable to that daemon. */
async function giveToOwner({ server, domains }: Config, made: DkimKeyInfo[]): Promise<void> {
  if (process.getuid?.() !== 0) return
  let owner: { uid: number; gid: number }
  try {
    owner = await stat(server.data_dir)
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return
    throw error
  }
  const paths = [domains.dkim_dir, ...made.flatMap(({ path }) => [dirname(path), path])]
  for (const path of new Set(paths)) await chown(path, owner.uid, owner.gid)
}

async function tellDaemon(config: Config, note: Invocation['note']): Promise<void> {
  await post(config, '/reload', z.unknown(), note, () => 'The running daemon signs with them now.')
}

/** Posts to the running daemon, if there is one, and notes the result. */
async function post<T>(
  config: Config,
  path: string,
  schema: z.ZodType<T>,
  note: Invocation['note'],
  done: (answer: T) => string,
): Promise<void> {
  try {
    note(done(await askDaemon(config, 'POST', path, schema)))
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    if (error.exitCode === EXIT.unreachable)
      note('No daemon runs here: one that starts later uses them; one that runs elsewhere needs a SIGHUP.')
    else note(`The running daemon did not take them over: ${error.message}`)
  }
}

export const commands = [create, list, rotate, check]
