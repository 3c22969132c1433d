/** `restante verify` and `restante repair`. */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../../config/schema.js'
import { hasCode } from '../../lib/caught.js'
import { DAY, systemClock } from '../../lib/clock.js'
import { openBlobs } from '../../store/blobs.js'
import { openLmdb } from '../../store/lmdb.js'
import { createStore } from '../../store/store.js'
import type { Store } from '../../store/types.js'
import { createWorkQueue } from '../../store/work.js'
import { repair as repairAll } from '../../verify/repair.js'
import { FINDINGS } from '../../verify/types.js'
import type { Finding, Verified } from '../../verify/types.js'
import { verify as verifyAll } from '../../verify/verify.js'
import { CommandError, EXIT } from '../command.js'
import type { Command } from '../command.js'
import { withFolder } from '../offline.js'
import { isAgreed } from '../confirm.js'
import { json, table } from '../output.js'
import { createProgress } from '../progress.js'
import { count } from '../words.js'

const SHOWN = 200

export const verify: Command = {
  name: 'verify',
  args: [],
  options: ['json'],
  summary: 'check every reference of what is stored',
  about:
    'Reads the data folder itself, beside a running daemon or without one, and changes nothing. Held against each other are messages, conversations, lists,\ncounts, events, the search index, files, addresses, accounts, keys, claims and tasks. Each finding says what can be done about it: repair (by "restante\nrepair"), restore (from a backup only), none (it does no harm, or ends by itself). Exit code 0 when nothing was found, 1 otherwise.',
  examples: ['restante verify', `restante verify --json | jq -r '.findings[] | select(.repair == "restore") | .what'`],
  async run({ flags, config: load, print }) {
    const config = load()
    const offline = await withFolder(config.server.data_dir, () => look(config, false))
    const found = offline === 'busy' ? await look(config, true) : offline
    print(flags.json ? json(found) : describe(found))
    return found.findings.length === 0 ? EXIT.ok : EXIT.failed
  },
}

export const repair: Command = {
  name: 'repair',
  args: [],
  options: ['yes', 'json'],
  summary: 'make anew what follows from the mail that is there',
  about:
    'The daemon has to be stopped. It says what was found and asks; from a script it takes --yes. Rows of conversations and lists, counts, the search index, addresses and\ntasks of mail that is on its way are made anew; files that nothing names go to the trash. Messages, events and files are never changed or removed. What\ncan not be made again stays as it is and is told: that takes a backup. One that is cut off is finished by the next one.',
  examples: ['restante repair', 'restante repair --yes'],
  async run(invocation) {
    const { flags, config: load, print } = invocation
    const config = load()
    const done = await withFolder(config.server.data_dir, async () => {
      const before = await look(config, false)
      const mendable = before.findings.filter((finding) => finding.repair === 'repair')
      if (!flags.json && !flags.yes) print(describe(before))
      const agreed =
        mendable.length > 0 &&
        (await isAgreed(invocation, () => `${mendable.length} of them can be repaired. Make a backup first.`))
      if (agreed) await mend(config, mendable)
      return { before, after: agreed ? await look(config, false) : before, agreed }
    })
    if (done === 'busy')
      throw new CommandError(
        EXIT.failed,
        `A daemon runs on ${config.server.data_dir}. Stop it first; "restante verify" looks without that.`,
      )
    const { before, after, agreed } = done
    if (flags.json) print(json({ done: agreed || flags.yes, found: before.findings, left: after.findings }))
    else if (agreed || flags.yes)
      print(
        `Repaired ${before.findings.length - after.findings.length} of ${before.findings.length}.\n${describe(after)}`,
      )
    return after.findings.length === 0 ? EXIT.ok : EXIT.failed
  },
}

async function look(config: Config, live: boolean): Promise<Verified> {
  const progress = createProgress()
  try {
    return await withStore(config, true, (store) =>
      verifyAll({
        store,
        queue: createWorkQueue({ store, clock: systemClock }),
        clock: systemClock,
        blobsDir: join(config.server.data_dir, 'blobs'),
        live,
        onProgress: (mailboxes, findings) =>
          progress.show(`${count(mailboxes, 'mailbox', 'mailboxes')}, ${count(findings, 'finding')}`),
      }),
    )
  } finally {
    progress.end()
  }
}

async function mend({ server, retention }: Config, findings: Finding[]): Promise<void> {
  const blobs = await openBlobs({
    dir: join(server.data_dir, 'blobs'),
    clock: systemClock,
    trashMs: retention.trash_days * DAY,
  })
  const progress = createProgress()
  const onProgress = (done: number, total: number): void => progress.show(`${done} of ${total} repaired`)
  try {
    await withStore({ server }, false, (store) => {
      const queue = createWorkQueue({ store, clock: systemClock })
      return repairAll({ store, queue, clock: systemClock, blobs, onProgress }, findings)
    })
  } finally {
    progress.end()
  }
}

async function withStore<T>(
  { server }: Pick<Config, 'server'>,
  readOnly: boolean,
  work: (store: Store) => Promise<T>,
): Promise<T> {
  const path = join(server.data_dir, 'store')
  try {
    await stat(join(path, 'data.mdb'))
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error
    throw new CommandError(EXIT.failed, `${server.data_dir} holds no data: no daemon was ever started on it.`)
  }
  const store = createStore(openLmdb({ path, readOnly }))
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

function describe(found: Verified): string {
  const { mailboxes, messages, threads, events, files, tasks, findings, more } = found
  const counts = [
    count(mailboxes, 'mailbox', 'mailboxes'),
    count(messages, 'message'),
    count(threads, 'conversation'),
    count(events, 'event'),
    count(files, 'file'),
    count(tasks, 'task'),
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
