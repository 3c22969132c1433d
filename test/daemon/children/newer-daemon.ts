/**
 * The daemon of a version to come: this one, with one migration more. `start --set …` as `bin/restante` takes it. With MIGRATION=rolling nodes of the
 * version before may work beside it, with MIGRATION=stopping they may not.
 */
import { loadConfig } from '../../../src/config/load.js'
import { startDaemon } from '../../../src/daemon/daemon.js'
import type { Migration } from '../../../src/daemon/upgrade/migration.js'
import { MIGRATIONS } from '../../../src/daemon/upgrade/migrations.js'
import { mailboxListRange, META_PARTITION } from '../../../src/mailbox/keys.js'
import { createLogger } from '../../../src/observe/log.js'
import { key, keyAfter, keyParts } from '../../../src/store/keys.js'
import { SCHEMA_VERSION } from '../../../src/store/schema-version.js'

/** Writes the id of each mailbox to the partition `newer`, one at each step. */
const further: Migration = {
  to: SCHEMA_VERSION + 1,
  about: 'mailboxes are listed once more',
  ...(process.env.MIGRATION === 'rolling' ? { isRolling: true } : {}),
  async step(store, cursor) {
    const from = cursor === '' ? mailboxListRange.gte : keyAfter(Buffer.from(cursor, 'base64url'))
    const [row] = await store.read(META_PARTITION, (view) => view.range({ ...mailboxListRange, gte: from, limit: 1 }))
    if (!row) return undefined
    await store.write('newer', (tx) => tx.put(key('mailbox', String(keyParts(row[0])[1])), Buffer.of(1)))
    return Buffer.from(row[0]).toString('base64url')
  },
}

const set = process.argv.filter((_, i, words) => words[i - 1] === '--set')
const reloadConfig = () => loadConfig({ set })
const log = createLogger({ level: 'info' })
const end = (code: number): void => log.flush(() => process.exit(code))
try {
  const daemon = await startDaemon({
    config: reloadConfig(),
    reloadConfig,
    log,
    signal: new AbortController().signal,
    onLost: () => end(1),
    migrations: [...MIGRATIONS, further],
  })
  process.on('SIGTERM', () => void daemon.stop().then(() => end(0)))
} catch (err) {
  log.fatal({ err }, 'could not start')
  end(78)
}
