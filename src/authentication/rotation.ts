/**
 * Taking new keys into use without ever sending a signature that can't be verified: a key that waits begins to sign when its record can be
 * seen in DNS, and only then the older one of its algorithm stops. What stopped is needed for `RECORD_NEEDED_MS` more; after that, once the
 * operator has taken its record away, its file is removed.
 *
 * Each step is one rename or removal and follows from what is on the disk, so a crash between two of them changes nothing but the hour.
 */
import type { Resolver } from '../dns/types.js'
import type { Log } from '../observe/log.js'
import { checkKeyRecord } from './key-record.js'
import type { KeyRecordCheck } from './key-record.js'
import type { DkimKeyInfo, DkimKeys } from './keys.js'

export interface RotationDeps {
  keys: DkimKeys
  /** One that keeps nothing of what was asked before: a record that has just been published is to be seen. */
  freshResolver: () => Pick<Resolver, 'txt' | 'close'>
  /** Whether mail of a domain is sent at all: of one that an account has not proven yet nothing is said. */
  isInUse?: (domain: string) => boolean
  /** Told of each key whose state has changed. */
  onChange?: ((domain: string, change: string) => Promise<void>) | undefined
  log: Pick<Log, 'info' | 'warn'>
}

export interface Rotation {
  /** Looks up the records and does what follows from them. @throws Error when the folder can't be read or written */
  look(): Promise<{ started: number; retired: number; removed: number }>
}

export function createRotation({ keys, freshResolver, isInUse = () => true, onChange, log }: RotationDeps): Rotation {
  /** What was said of a key that signs, so that it is said once and not each hour. */
  const told = new Map<string, string>()
  let looking: Promise<{ started: number; retired: number; removed: number }> | undefined

  function complain({ selector, domain }: DkimKeyInfo, check: KeyRecordCheck): void {
    const name = `${selector} ${domain}`
    if (check.result === 'ok' || check.result === 'unknown') return void told.delete(name)
    const before = told.get(name)
    told.set(name, check.result)
    // Nothing under .localhost can have a record.
    if (before === check.result || /(?:^|\.)localhost$/.test(domain)) return
    const hint = `restante dkim check ${domain} prints the record to publish`
    log.warn(
      { domain, selector, result: check.result, problem: check.problem, hint },
      'mail is signed and can not be verified',
    )
  }

  async function look() {
    await keys.reload()
    const resolver = freshResolver()
    const done = { started: 0, retired: 0, removed: 0 }
    try {
      for (const key of keys.list()) {
        const { domain, selector } = key
        if (key.state === 'retired' && !key.recordMayGo) continue
        if (key.state === 'signs' && !isInUse(domain)) continue
        const check = await checkKeyRecord(resolver, key)
        if (key.state === 'waits' && check.result === 'ok') {
          await keys.activate(key)
          done.started++
          log.info({ domain, selector }, 'a new DKIM key signs: its record can be seen')
          await onChange?.(domain, `${selector} signs`)
        } else if (key.state === 'signs') {
          complain(key, check)
        } else if (key.state === 'retired' && check.result === 'missing') {
          await keys.remove(key)
          done.removed++
          log.info({ domain, selector }, 'removed a retired DKIM key whose record is gone')
          await onChange?.(domain, `${selector} was removed`)
        }
      }
    } finally {
      resolver.close()
    }
    for (const { domain, selector } of await keys.retireSuperseded()) {
      done.retired++
      log.info({ domain, selector }, 'a DKIM key signs no more; its record stays for a week')
      await onChange?.(domain, `${selector} signs no more`)
    }
    return done
  }

  return {
    look() {
      looking ??= look().finally(() => (looking = undefined))
      return looking
    },
  }
}
