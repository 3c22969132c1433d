/** `restante verify` and `restante repair`. */
import { createAudit } from '../../../audit/audit.js'
import type { Config } from '../../../config/schema.js'
import { DAY, systemClock } from '../../../lib/clock.js'
import { openConfiguredBlobs } from '../../../ops/blobs/open-blobs.js'
import { OLDEST_FORM, SCHEMA_VERSION } from '../../../store/schema-version.js'
import { createStore } from '../../../store/store.js'
import type { Store } from '../../../store/types.js'
import { createWorkQueue } from '../../../queue/queue.js'
import { openEngine, shardsIn } from '../../../ops/database/engine.js'
import { repair as repairAll } from '../../../ops/verify/repair.js'
import { FINDINGS, STORE_FINDINGS, type Finding } from '../../../ops/verify/families/types.js'
import { CommandError, defineCommand, EXIT } from '../../terminal/command.js'
import { withFolder } from '../../terminal/offline.js'
import { isAgreed } from '../../terminal/confirm.js'
import { json, table } from '../../terminal/output.js'
import { operatingUser } from '../../terminal/admin.js'
import { createProgress, share } from '../../terminal/progress.js'
import { verifyFolder, type VerifiedStore } from '../../verify/verify-child.js'
import { count, size } from '../../terminal/words.js'

const SHOWN = 200

const verify = defineCommand({
  usage: 'verify',
  options: ['quick', 'json'],
  summary: 'check every stored row and file',
  about:
    'Reads the data folder, with or without a running daemon, and changes nothing. Without a daemon it first reads every page of the database. It checks every row\nagainst the rows it belongs to: messages, conversations, lists, counts, events, drafts, the search index word by word, webhooks, addresses, accounts, keys,\nclaims, connections, domains, reviews, receipts, the queue. It compares every file with the hash from when it was written; with --quick it checks only that\nfiles exist and have the right length, and skips the words of messages. Each finding names the remedy: repair ("restante repair"), restore (from a backup) or\nnone (harmless, or it ends by itself). Exit code 0 when nothing was found, 1 otherwise.',
  examples: ['restante verify', `restante verify --json | jq -r '.findings[] | select(.repair == "restore") | .what'`],
  async run({ options, config: load, print, note }) {
    const config = load()
    const quick = options.quick === true
    const offline = await withFolder(config.server.data_dir, () => check(config, { live: false, quick }))
    const found = offline === 'busy' ? await check(config, { live: true, quick }) : offline
    print(options.json ? json(shown(found)) : describe(found))
    if (found.form !== undefined) note(`${olderForm(found.form)} It was verified in the form that it has.`)
    return found.findings.length === 0 ? EXIT.ok : EXIT.failed
  },
})

const repair = defineCommand({
  usage: 'repair',
  options: ['yes', 'json'],
  summary: 'rebuild indexes and counters from the stored mail',
  about:
    'Stop the daemon first. Shows the findings and asks before it repairs; in a script, give --yes. It rebuilds everything that follows from other rows:\nconversations, lists, lookups by Message-ID and subject, counts, the search index, addresses, the review list, expiry entries, and tasks of queued mail. It\nremoves rows that belong to nothing and unreadable rows that are kept only for a time; files without an owner go to the trash. It never changes or removes\nmessages, events or files. What cannot be rebuilt stays as it is and is listed: restore it from a backup. An interrupted repair is finished by the next run.',
  examples: ['restante repair', 'restante repair --yes'],
  async run(invocation) {
    const { options, config: load, print } = invocation
    const config = load()
    const done = await withFolder(config.server.data_dir, async () => {
      const before = await check(config, { live: false, quick: false })
      if (before.findings.some(({ kind }) => STORE_FINDINGS.includes(kind))) {
        if (!options.json) print(describe(before))
        throw new CommandError(
          EXIT.config,
          'The database itself is damaged, or does not belong to these files. Nothing was repaired. Restore a backup: restante restore FILE --to DIR.',
        )
      }
      if (before.form !== undefined)
        throw new CommandError(EXIT.config, `${olderForm(before.form)} Nothing was repaired: upgrade it first.`)
      const repairable = before.findings.filter((finding) => finding.repair === 'repair')
      if (!options.json && !options.yes) print(describe(before))
      const agreed =
        repairable.length > 0 &&
        (await isAgreed(invocation, () => `${repairable.length} of them can be repaired. Make a backup first.`))
      return { before, after: agreed ? await repairInRounds(config, before) : before, agreed }
    })
    if (done === 'busy')
      throw new CommandError(
        EXIT.failed,
        `A daemon runs on ${config.server.data_dir}. Stop it first; "restante verify" works beside it.`,
      )
    const { before, after, agreed } = done
    if (options.json)
      print(json({ done: agreed || options.yes, found: shown(before).findings, left: shown(after).findings }))
    else if (agreed || options.yes)
      print(
        `Repaired ${before.findings.length - after.findings.length} of ${before.findings.length}.\n${describe(after)}`,
      )
    return after.findings.length === 0 ? EXIT.ok : EXIT.failed
  },
})

const olderForm = (form: number): string =>
  `What is stored has form ${form}, which this version upgrades to form ${SCHEMA_VERSION}: "restante store migrate", or by itself once all nodes know it ("restante cluster status").`

/** Repairs may reveal further damage: an unreadable conversation is deleted first, then rebuilt. */
const MAX_ROUNDS = 4

async function repairInRounds(config: Config, before: VerifiedStore): Promise<VerifiedStore> {
  let found = before
  for (let i = 0; i < MAX_ROUNDS; i++) {
    const repairable = found.findings.filter((finding) => finding.repair === 'repair')
    if (repairable.length === 0) break
    await repairOnce(config, repairable)
    found = await check(config, { live: false, quick: false })
  }
  return found
}

/** Without written values, which may contain mail. */
function shown(found: VerifiedStore): VerifiedStore {
  return { ...found, findings: found.findings.map(({ rowRepair: _, task: __, ...finding }) => finding) }
}

async function check(config: Config, { live, quick }: { live: boolean; quick: boolean }): Promise<VerifiedStore> {
  const { server, domains, blobs } = config
  const progress = createProgress()
  try {
    return await verifyFolder(
      { dataDir: server.data_dir, store: config.store, blobs, live, quick, oldestForm: OLDEST_FORM },
      domains.dkim_dir,
      (message) => {
        const { done, total } = message
        progress.show(
          message.about === 'pages'
            ? `${share(done, total)}  ${done} of ${count(total, 'page')} of the database`
            : `${share(done, total)}  ${done} of ${count(total, 'part')}, ${size(message.bytesRead)} read, ${count(message.findings, 'finding')}`,
        )
      },
    )
  } finally {
    progress.end()
  }
}

async function repairOnce(config: Config, findings: Finding[]): Promise<void> {
  const { retention } = config
  const { blobs, close } = await openConfiguredBlobs(config, { clock: systemClock })
  const progress = createProgress()
  const onProgress = (done: number, total: number): void =>
    progress.show(`${share(done, total)}  ${done} of ${total} repaired`)
  const store = createStore(await openEngine(config))
  try {
    const queue = createWorkQueue({ store, clock: systemClock, shards: shardsIn(config) })
    await repairAll({ store, queue, clock: systemClock, blobs, onProgress }, findings)
    await noteRepair(store, retention.audit_days, findings)
  } finally {
    close()
    await store.close()
    progress.end()
  }
}

/** In the audit log, as there is no daemon's log. */
async function noteRepair(store: Store, days: number, findings: Finding[]): Promise<void> {
  const log = { info: () => undefined, error: () => undefined }
  const kinds = [...new Set(findings.map(({ kind }) => kind))].join(', ')
  await createAudit({ store, clock: systemClock, retentionMs: days * DAY, log }).record({
    action: 'store.repaired',
    actor: { type: 'operator', id: null, name: operatingUser() },
    subject: {},
    reason: `${findings.length} findings: ${kinds}`,
  })
}

function describe(found: VerifiedStore): string {
  const { mailboxes, messages, threads, events, files, hashed, tasks, rows: all, findings, more } = found
  const counts = [
    count(mailboxes, 'mailbox', 'mailboxes'),
    count(messages, 'message'),
    count(threads, 'conversation'),
    count(events, 'event'),
    `${count(files, 'file')}${hashed > 0 ? ` (${hashed} compared)` : ''}`,
    count(tasks, 'task'),
    count(all, 'row'),
  ].join(', ')
  if (findings.length === 0) return `${counts}: nothing was found wrong.`
  const rows = findings.slice(0, SHOWN).map(({ kind, where, what, repair }) => [kind, where, what, repair])
  const kinds = [...new Set(findings.map(({ kind }) => kind))].map((kind) => `${kind}: ${FINDINGS[kind].about}`)
  const left = findings.length - SHOWN + more
  return [
    table(['KIND', 'WHERE', 'WHAT', 'REPAIR'], rows),
    ...(left > 0 ? [`and ${left} more`] : []),
    '',
    ...kinds,
    `${counts}: ${count(findings.length + more, 'finding')}.`,
  ].join('\n')
}

export const commands = [verify, repair]
