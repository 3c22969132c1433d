/** `restante store …`: the database itself: its state, its tables, and the way from the embedded one to a shared one. */
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../../../config/schema.js'
import { timestamp, systemClock } from '../../../lib/clock.js'
import { readDatabaseStatus, type DatabaseStatus } from '../../../ops/database/database-status.js'
import { isShared, openAny, openEngine } from '../../../ops/database/engine.js'
import { openCopyTarget, sourceName } from '../../../ops/database/copy-target.js'
import { catchUp, ForeignTargetError, type CaughtUp } from '../../../store/copy/catch-up.js'
import { isWorkedOn } from '../../../cluster/members.js'
import { TABLES } from '../../../store/engines/postgres/postgres-tables.js'
import { SCHEMA_VERSION } from '../../../store/schema-version.js'
import { createStore } from '../../../store/store.js'
import { CommandError, defineCommand, EXIT } from '../../terminal/command.js'
import { withFolder } from '../../terminal/offline.js'
import { facts, json, type Cell } from '../../terminal/output.js'
import { createProgress } from '../../terminal/progress.js'
import { count, size } from '../../terminal/words.js'
import { migrate } from './store-migrate.js'

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
  /** Instructions for the operator; undefined while daemons work on the source, since the copy is incomplete then. */
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

const status = defineCommand({
  usage: 'store status',
  options: ['json'],
  summary: 'show which database is used, its versions and its size',
  about:
    'Reads the database of the settings, beside the daemons, and creates nothing. Numbers of rows and partitions in PostgreSQL are the estimates of its statistics.\nStandbys are shown as far as the user of store.url may see them (pg_monitor). Ends with 1 if no daemon of this version would start on it.',
  examples: ['restante store status', 'restante store status --json | jq .schema.version'],
  async run({ options, config: load, print, note }) {
    const found = await readDatabaseStatus(load())
    print(options.json ? json(statusAsJson(found)) : facts(factsOf(found), STATUS_WIDTH))
    const problems = problemsOf(found)
    for (const problem of problems) note(problem)
    return problems.length > 0 ? EXIT.failed : EXIT.ok
  },
})

const init = defineCommand({
  usage: 'store init',
  options: ['json'],
  summary: 'create the tables in PostgreSQL',
  about:
    "For a daemon whose user may create no tables: run it once with the name of a user who may, who then owns them, and grant what it prints to the daemon's user. Otherwise\nit is not needed, since the first start creates the tables. Does nothing if they are there.",
  examples: ['restante store init', 'restante store init --set store.url=postgres://owner@db.example.com/restante'],
  async run({ options, config: load, print }) {
    const config = load()
    if (!isShared(config))
      throw new CommandError(
        EXIT.failed,
        'The database is embedded (store.url is not set): the first start creates it.',
      )
    const before = await readDatabaseStatus(config)
    await (await openAny(config)).close()
    const had = before.kind === 'postgres' && before.tables !== undefined
    if (options.json) print(json({ created: !had, tables: TABLES }))
    else
      print(had ? 'The tables were there already.' : `Created the tables. For a user who does not own them:\n${GRANTS}`)
    return EXIT.ok
  },
})

export const commands = [status, init, migrate, copy]

const GRANTS =
  'grant select, insert, update, delete on restante_version, restante_row, restante_mark to USER;\ngrant select on restante_layout to USER;'
const STATUS_WIDTH = 13

function factsOf(found: DatabaseStatus): [string, Cell][] {
  return [...(found.kind === 'embedded' ? embeddedFacts(found) : postgresFacts(found)), ...contentsFacts(found)]
}

function embeddedFacts({ file, entries, bytes }: DatabaseStatus & { kind: 'embedded' }): [string, Cell][] {
  return [
    ['database', `embedded, ${file}`],
    ['size', `${count(entries, 'entry', 'entries')}, ${size(bytes)}`],
  ]
}

function postgresFacts(found: DatabaseStatus & { kind: 'postgres' }): [string, Cell][] {
  const { partitions, rows, bytes, standbys, synchronousNames } = found
  const counts = [
    ...(rows === undefined ? [] : [`about ${count(rows, 'row')}`]),
    ...(partitions === undefined ? [] : [`about ${count(partitions, 'partition')}`]),
    ...(bytes === undefined ? [] : [size(bytes)]),
  ]
  return [
    ['database', found.url],
    ['server', `PostgreSQL ${found.serverVersion}${found.isCitus ? ' with Citus' : ''}${at(found.primary)}`],
    ['tables', found.tables === undefined ? 'none' : `version ${found.tables}`],
    ['size', counts.join(', ')],
    ['synchronous', synchronousNames === '' ? 'no standby (synchronous_standby_names is empty)' : synchronousNames],
    ['standbys', standbys.map(({ name, state, sync }) => [name, state, sync].join(' ').trim()).join(', ')],
  ]
}

const at = (primary: string | undefined): string => (primary === undefined ? '' : `, primary ${primary}`)

function contentsFacts({ contents }: DatabaseStatus): [string, Cell][] {
  if (!contents) return []
  const { schema, isIncompleteCopy } = contents
  const form = schema
    ? `version ${schema.version}, written by Restante ${schema.by}`
    : 'none: no daemon was started on it'
  const underway = schema?.from === undefined ? '' : ` (the upgrade from ${schema.from} is not complete)`
  return [
    ['contents', `${form}${underway}`],
    ['copy', isIncompleteCopy ? 'incomplete' : ''],
  ]
}

/** Why no daemon of this version would start. */
function problemsOf(found: DatabaseStatus): string[] {
  const { contents } = found
  const schema = contents?.schema?.version ?? 0
  return [
    ...(found.kind === 'postgres' && found.refusedSettings.length > 0
      ? [`The server would lose what it has acknowledged: ${found.refusedSettings.join(', ')} must not be off.`]
      : []),
    ...(found.kind === 'postgres' && found.tables !== undefined && found.tables !== TABLES
      ? [`The tables are of version ${found.tables}, and this program knows version ${TABLES}.`]
      : []),
    ...(schema > SCHEMA_VERSION
      ? [`What is stored has the form of version ${schema}, and this program knows up to ${SCHEMA_VERSION}.`]
      : []),
    ...(contents?.isIncompleteCopy ? ['It is an incomplete copy: end it by "restante store copy".'] : []),
  ]
}

function statusAsJson(found: DatabaseStatus): Record<string, unknown> {
  const contents = { schema: found.contents?.schema, incomplete_copy: found.contents?.isIncompleteCopy }
  if (found.kind === 'embedded') {
    const { file, entries, bytes } = found
    return { database: 'embedded', file, entries, bytes, ...contents }
  }
  const { url, serverVersion, primary, isCitus, tables, partitions, rows, bytes, synchronousNames, standbys } = found
  return {
    database: 'postgres',
    url,
    server_version: serverVersion,
    primary,
    citus: isCitus,
    tables,
    partitions,
    rows,
    bytes,
    synchronous_standby_names: synchronousNames,
    standbys,
    ...contents,
  }
}
