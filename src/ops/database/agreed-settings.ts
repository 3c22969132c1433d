/**
 * Settings that the daemons on one database should have in common: what one accepts, signs in or keeps, the others would refuse, not know or delete.
 * Each start compares its own with those of the last one. A difference is no error: a new setting comes to one machine after the other.
 */
import { sectionNames, type Config, type SectionName } from '../../config/schema.js'
import { timestamp, type Clock } from '../../lib/clock.js'
import type { Log } from '../../observe/log.js'
import { encode, key } from '../../store/keys.js'
import type { Store } from '../../store/types.js'
import { readValue } from '../../store/values.js'
import { isShared } from './engine.js'

const PARTITION = 'cluster/settings'
const ROW = key('settings')

/** By section, the settings or all of them. */
const AGREED: { readonly [S in SectionName]?: readonly (keyof Config[S])[] | 'all' } = {
  domains: ['names', 'catch_all'],
  server: ['base_url'],
  smtp: ['max_message_bytes'],
  relay: ['outbound', 'return_path'],
  identity: ['operator', 'staff', 'providers'],
  tls: ['acme', 'names'],
  limits: 'all',
  oauth: 'all',
  retention: 'all',
}

interface AgreedSettings {
  /** Name of the machine that started last. */
  host: string
  at: string
  /** Values in JSON, by name of the setting. */
  values: Record<string, string>
}

export interface CompareDeps {
  config: Config
  store: Store
  host: string
  clock: Clock
  log: Pick<Log, 'warn'>
}

/** Does nothing for an embedded database, which has one daemon. */
export async function compareSettings({ config, store, host, clock, log }: CompareDeps): Promise<void> {
  if (!isShared(config)) return
  const own: AgreedSettings = { host, at: timestamp(clock.now()), values: valuesOf(config) }
  const last = await store.write(PARTITION, async (tx) => {
    const before = await readValue<AgreedSettings>(tx, ROW)
    tx.put(ROW, encode(own))
    return before
  })
  const settings = last ? differing(last, own) : []
  if (settings.length > 0)
    log.warn(
      { settings, host: last?.host, since: last?.at },
      'these settings differ from those of the daemon that started before on this database; they should be the same on all',
    )
}

/** A setting that only one version has is not compared. */
function differing({ values: a }: AgreedSettings, { values: b }: AgreedSettings): string[] {
  return Object.keys(b).filter((name) => name in a && a[name] !== b[name])
}

function valuesOf(config: Config): Record<string, string> {
  const values: Record<string, string> = {}
  for (const section of sectionNames) {
    const agreed: readonly string[] | 'all' = AGREED[section] ?? []
    for (const [name, value] of Object.entries<unknown>(config[section]))
      if (agreed === 'all' || agreed.includes(name)) values[`${section}.${name}`] = JSON.stringify(value, withoutPaths)
  }
  return values
}

/** Each machine may have its files elsewhere. */
function withoutPaths(name: string, value: unknown): unknown {
  return name.endsWith('_file') ? undefined : value
}
