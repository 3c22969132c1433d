/** `restante store copy`: moves what is stored between the embedded database and a shared one. */
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../../../config/schema.js'
import { timestamp, systemClock } from '../../../lib/clock.js'
import { isShared, openEngine } from '../../../ops/database/engine.js'
import { openCopyTarget, sourceName } from '../../../ops/database/copy-target.js'
import { catchUp, ForeignTargetError, type CaughtUp } from '../../../store/catch-up.js'
import { isWorkedOn } from '../../../cluster/members.js'
import { createStore } from '../../../store/store.js'
import { CommandError, defineCommand, EXIT } from '../../terminal/command.js'
import { withFolder } from '../../terminal/offline.js'
import { json } from '../../terminal/output.js'
import { createProgress } from '../../terminal/progress.js'
import { count, size } from '../../terminal/words.js'

const EMBEDDED = 'embedded'

const copy = defineCommand({
  usage: 'store copy',
  options: ['to', 'json'],
  abouts: { to: 'PostgreSQL to copy to, as store.url; or "embedded"' },
  summary: 'copy the database to PostgreSQL, or back',
  about:
    'Run it twice: while the daemon runs, and again when it is stopped. The first time takes as long as the database is large; the second one copies only what has changed\nsince, ends the copy and says how to switch. Interrupted, run it again. --to names an empty PostgreSQL database, as store.url would, or is "embedded" for the database\nin the data folder. The source is the one that the settings name. Everything but files is copied, then read again from the copy and compared. No daemon starts on an\nincomplete copy. When an embedded database was copied, it is renamed, so that no daemon starts on it by mistake; a PostgreSQL database stays as it is. Passwords and\ncertificates are those of the settings (store.password_file, store.ca_file). Secrets go with it: the next start puts them into a PostgreSQL database, sealed;\n--to embedded writes them to the data folder.',
  examples: [
    'restante store copy --to postgres://restante@db.example.com/restante',
    'restante store copy --to embedded',
  ],
  async run({ options, config: load, print, usage }) {
    const config = load()
    const { to } = options
    if (to === undefined) throw usage('"store copy" needs --to URL, or --to embedded')
    const url = to === EMBEDDED ? '' : to
    if (url === config.store.url) throw usage('the settings name this database already: it is the source')
    const progress = createProgress()
    try {
      const show = progressOf(progress)
      const whole = await withFolder(config.server.data_dir, async () =>
        (await hasNodes(config)) ? 'busy' : copyTo(config, url, show, { mayEnd: true }),
      )
      const { copied, next } = whole === 'busy' ? await copyTo(config, url, show, { mayEnd: false }) : whole
      progress.end()
      print(
        options.json
          ? json({ ...copied, complete: next !== undefined })
          : `${described(copied)}\n${next ?? 'The copy is incomplete, since a daemon works on the database. Stop all daemons and run the same command again: it copies only what has changed since.'}`,
      )
      return EXIT.ok
    } catch (error) {
      if (error instanceof ForeignTargetError)
        throw new CommandError(
          EXIT.failed,
          `The database to copy to is of no use: ${error.message}. Name an empty one.`,
        )
      throw error
    } finally {
      progress.end()
    }
  },
})

interface Outcome {
  copied: CaughtUp
  /** What to do; undefined if daemons work on the source, and the copy is incomplete. */
  next: string | undefined
}

type Show = (done: CaughtUp) => void

/** @param mayEnd false while daemons work on the source: a snapshot of it is copied */
async function copyTo(config: Config, url: string, show: Show, { mayEnd }: { mayEnd: boolean }): Promise<Outcome> {
  const from = await openEngine(config, { readOnly: true })
  try {
    const target = await openCopyTarget(config, url)
    try {
      const copied = await catchUp(from, target.engine, { source: await sourceName(config, from), onProgress: show })
      // A daemon on another machine may have been started meanwhile.
      if (!mayEnd || (await hasNodes(config))) return { copied, next: undefined }
      await target.complete()
      return { copied, next: await nextSteps(config, url) }
    } finally {
      await target.close()
    }
  } finally {
    await from.close()
  }
}

/** True if daemons work on a shared source, here or on other machines. */
async function hasNodes(config: Config): Promise<boolean> {
  if (!isShared(config)) return false
  const store = createStore(await openEngine(config, { readOnly: true }))
  try {
    return await isWorkedOn(store)
  } finally {
    await store.close()
  }
}

function progressOf(progress: ReturnType<typeof createProgress>): Show {
  return ({ partitions, copied, rows, bytes }) =>
    progress.show(
      `${count(partitions, 'partition')}, ${copied} of them copied now; ${count(rows, 'row')}, ${size(bytes)} in the copy`,
    )
}

function described({ partitions, rows, bytes, copied, removed }: CaughtUp): string {
  const gone = removed === 0 ? '' : `, and removed ${count(removed, 'partition')}`
  return `Copied and compared ${count(copied, 'partition')}${gone}. In the copy: ${count(partitions, 'partition')}, ${count(rows, 'row')}, ${size(bytes)}.`
}

/** Renames a copied embedded database. @returns what to do */
async function nextSteps(config: Config, url: string): Promise<string> {
  if (url === '') return 'Next: remove store.url from the settings, and start the daemon.'
  const next = `Next: set store.url = "${url}"${config.server.secret_key_file === '' ? ' and server.secret_key_file' : ''}, and start the daemon.`
  if (isShared(config)) return `${next} The old database is as it was.`
  const { server } = config
  const aside = join(server.data_dir, `store.copied-${timestamp(systemClock.now()).replaceAll(/[-:.]/g, '')}`)
  await rename(join(server.data_dir, 'store'), aside)
  return `${next} The old database is ${aside}: remove it when all is well.`
}

export const commands = [copy]
