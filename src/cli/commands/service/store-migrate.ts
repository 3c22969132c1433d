/** `restante store migrate`: the upgrade of what is stored, without the start of a daemon. */
import type { Config } from '../../../config/schema.js'
import type { Migrated } from '../../../daemon/migrate-store.js'
import { messageOf } from '../../../lib/thrown.js'
import { createLogger } from '../../../observe/log.js'
import { readDatabaseStatus } from '../../../ops/database/database-status.js'
import { isUnreachable } from '../../../store/errors.js'
import { examineDataFolder } from '../../../store/folder/data-folder.js'
import { SCHEMA_VERSION } from '../../../store/schema-version.js'
import { CommandError, defineCommand, EXIT, type Invocation } from '../../terminal/command.js'
import { withFolder } from '../../terminal/offline.js'
import { json, printable } from '../../terminal/output.js'
import { createProgress } from '../../terminal/progress.js'
import { stopOnSignal } from '../../terminal/stop-on-signal.js'

export const migrate = defineCommand({
  usage: 'store migrate',
  options: ['json'],
  summary: 'upgrade what is stored, without starting a daemon',
  about:
    'The first start of a new version does the same; this command does it beforehand, and says which form the store had and has. Make a backup first: older versions refuse\nthe store afterwards. No daemon may run on the data folder. Daemons on other machines may go on if they know the new form and its migration allows it; otherwise the\ncommand changes nothing and says which daemons to stop or to replace. It can be interrupted at any time (Ctrl-C stops it after the running step): the next run, or the next start of a daemon, goes on.\nIts log is on standard error.',
  examples: ['restante store migrate', 'restante store migrate --config /etc/restante --json | jq .to'],
  async run({ options, config: load, print, note }) {
    const config = load()
    const found = await formOfStore(config)
    const isDue = found !== undefined && (found.form !== SCHEMA_VERSION || found.isUnderway)
    const done = isDue ? await upgradeStore(config, note) : undefined
    if (done?.kind === 'waits') throw new CommandError(EXIT.failed, whyItWaits(done))
    const [from, to] = [found?.form, done?.to ?? found?.form]
    if (options.json) print(json({ from: from ?? null, to: to ?? null, upgraded: isDue }))
    else if (from === undefined) print('Nothing to do: no daemon was ever started on this database.')
    else if (!isDue) print(`Nothing to do: what is stored has form ${from}, the newest that this version knows.`)
    else print(`What is stored had form ${from}, and has form ${to} now.`)
    return EXIT.ok
  },
})

interface Found {
  form: number
  /** True if an upgrade was begun and is not complete. */
  isUnderway: boolean
}

/** Reads beside daemons, and creates nothing. @returns undefined for a store on which no daemon was started */
async function formOfStore(config: Config): Promise<Found | undefined> {
  const { server, domains } = config
  const status = await readDatabaseStatus(config)
  if (status.kind === 'embedded') {
    const folder = await examineDataFolder({ dataDir: server.data_dir, dkimDir: domains.dkim_dir }, { pages: false })
    if (folder === 'new') return undefined
  } else if (status.tables === undefined || (status.contents && status.contents.form === undefined)) return undefined
  // What can't be read here, such as tables of another version, is refused with its reason when the store is opened.
  return { form: status.contents?.form ?? 0, isUnderway: status.contents?.schema?.from !== undefined }
}

async function upgradeStore(config: Config, note: Invocation['note']): Promise<Migrated> {
  const log = createLogger({
    level: config.server.log_level,
    format: 'text',
    destination: { write: (line) => note(line.trimEnd()) },
  })
  const progress = createProgress()
  const stopping = stopOnSignal(note, 'the running step')
  try {
    const { migrateStore } = await import('../../../daemon/daemon.js')
    const done = await withFolder(config.server.data_dir, () =>
      migrateStore({
        config,
        log,
        starting: (status) => progress.show(status),
        signal: stopping.signal,
        onLost: () => log.warn({}, 'this node showed no sign of life, and others have taken it out'),
      }),
    )
    if (done === 'busy')
      throw new CommandError(
        EXIT.failed,
        `A daemon runs on ${config.server.data_dir}, and upgrades what is stored by itself once its version is the new one: restart it. Or stop it and run this again.`,
      )
    return done
  } catch (error) {
    if (stopping.signal.aborted) throw new CommandError(EXIT.failed, STOPPED)
    if (!isUnreachable(error)) throw error
    throw new CommandError(EXIT.failed, `${messageOf(error)}.\nWhat was done stays done: run this again to go on.`)
  } finally {
    stopping.end()
    progress.end()
  }
}

const STOPPED = 'Stopped. What was done stays done: run this again, or start a daemon of this version, to go on.'

function whyItWaits({ to, nodes }: Migrated & { kind: 'waits' }): string {
  const late = nodes.map(({ name, knows }) => `${printable(name)}, which knows form ${knows}`).join('; ')
  return `Nothing was changed: the upgrade to form ${to} waits for ${late}.\nInstall this version there too: the nodes then upgrade what is stored while they work. Or stop them, and run this again.`
}
