/** `restante store copy`: moves what is stored between the embedded database and a shared one. */
import { createHash } from 'node:crypto'
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../../../config/schema.js'
import { timestamp, systemClock } from '../../../lib/clock.js'
import { isShared, openEngine } from '../../../ops/database/engine.js'
import { takeOutOfVault } from '../../../ops/database/secret-places.js'
import { allRows, copyStore, type Copied } from '../../../store/copy.js'
import type { Engine } from '../../../store/engine.js'
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
  summary: 'copy the database to PostgreSQL, or back',
  about:
    'Stop the daemon first. --to names an empty PostgreSQL database, as store.url would, or is "embedded" for the database in the data folder. The source is the one that\nthe settings name. Everything but files is copied, then read again from both and compared. When an embedded database was copied, it is renamed, so that no daemon\nstarts on it by mistake; a PostgreSQL database stays as it is. Passwords and certificates are those of the settings (store.password_file, store.ca_file). Secrets go with it: the next start\nputs them into a PostgreSQL database, sealed; --to embedded writes them to the data folder.',
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
    const done = await withFolder(config.server.data_dir, () => copyTo(config, url))
    if (done === 'busy')
      throw new CommandError(EXIT.failed, `A daemon runs on ${config.server.data_dir}. Stop it first.`)
    const { copied, next } = done
    print(
      options.json
        ? json(copied)
        : `Copied and compared: ${count(copied.partitions, 'partition')}, ${count(copied.rows, 'row')}, ${size(copied.bytes)}.\n${next}`,
    )
    return EXIT.ok
  },
})

async function copyTo(config: Config, url: string): Promise<{ copied: Copied; next: string }> {
  const from = await openEngine(config, { readOnly: true })
  const progress = createProgress()
  try {
    if (isShared(config) && (await isWorkedOn(createStore(from))))
      throw new CommandError(
        EXIT.failed,
        'A daemon works on the database, here or on another machine. Stop all of them first.',
      )
    const to = await openEngine({ ...config, store: { ...config.store, url } })
    try {
      if ((await to.read((reader) => reader.partitions('', 1))).length > 0)
        throw new CommandError(EXIT.failed, 'The database to copy to has rows already. Name an empty one.')
      const copied = await copyStore(from, to, (so) =>
        progress.show(`${count(so.rows, 'row')}, ${size(so.bytes)} copied`),
      )
      progress.show('comparing')
      const [is, was] = [await hashOf(to), await hashOf(from)]
      if (is !== was)
        throw new CommandError(
          EXIT.failed,
          'The copy differs from what was copied. Do not use it: empty that database, and try again.',
        )
      if (url === '') await takeOutOfVault(config, createStore(to), { info: () => undefined, warn: () => undefined })
      return { copied, next: await nextSteps(config, url) }
    } finally {
      await to.close()
    }
  } finally {
    progress.end()
    await from.close()
  }
}

/** SHA-256 of all rows in order, with the names of their partitions. */
async function hashOf(engine: Engine): Promise<string> {
  const hash = createHash('sha256')
  await engine.read(async (reader) => {
    for await (const { partition, key, value } of allRows(reader))
      hash.update(`${partition} ${key.length} ${value.length}\n`).update(key).update(value)
  })
  return hash.digest('hex')
}

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
