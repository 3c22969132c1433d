/** Settings that daemons on one database should have in common are compared at each start. */
import t from 'tap'
import { loadConfig } from '../../../src/config/load.js'
import { ManualClock } from '../../../src/lib/clock.js'
import { compareSettings } from '../../../src/ops/database/agreed-settings.js'
import { createStore } from '../../../src/store/store.js'
import type { Store } from '../../../src/store/types.js'
import { writeSecretKey } from '../../support/daemon.js'
import { captureLog } from '../../support/log.js'
import { memoryEngine } from '../../support/store/memory-engine.js'

t.test(
  'a start warns of the settings that differ from those of the last one, until all have the new ones',
  async (t) => {
    const store = createStore(memoryEngine())
    const key = await writeSecretKey(t.testdir({}))
    const start = async (host: string, ...set: string[]): Promise<Record<string, unknown>[]> => {
      const { log, lines } = captureLog()
      const shared = ['store.url=postgres://restante@db.test/restante', `server.secret_key_file=${key}`]
      await compareSettings({
        config: loadConfig({ set: [...shared, ...set] }),
        store,
        host,
        clock: new ManualClock(),
        log,
      })
      return lines
    }
    t.same(await start('mx1'), [])
    t.same(
      await start(
        'mx2',
        'server.data_dir=/elsewhere',
        'domains.hostname=mx2.test',
        'server.base_url=http://127.0.0.1:8080',
      ),
      [],
    )
    const fresh = ['domains.names=agents.test', 'limits.storage_bytes=2000000000', 'retention.trash_days=3']
    t.match(await start('mx1', ...fresh), [
      {
        level: 'warn',
        settings: ['domains.names', 'limits.storage_bytes', 'retention.trash_days'],
        host: 'mx2',
        since: '2026-01-01T00:00:00.000Z',
      },
    ])
    t.same(await start('mx2', ...fresh), [])
  },
)

t.test('an embedded database has one daemon, and nothing is written', async (t) => {
  const store: Store = createStore(memoryEngine())
  const { log, lines } = captureLog()
  await compareSettings({ config: loadConfig(), store, host: 'mx1', clock: new ManualClock(), log })
  t.same(lines, [])
  t.equal(await store.version('cluster/settings'), 0n)
})
