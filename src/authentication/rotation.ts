/**
 * Rotates keys without ever sending a signature that can't be verified: a waiting key begins to sign when its record is visible in DNS, and only then
 * the older one of its algorithm stops. A retired key's record is needed for `RECORD_NEEDED_MS` more; then, once the operator has removed the record,
 * the file is removed.
 * Each step is one rename or removal and depends only on the files, so a crash between two of them only delays the next.
 */
import type { Resolver } from '../dns/types.js'
import type { Log } from '../observe/log.js'
import { checkKeyRecord, type KeyRecordCheck } from './key-record.js'
import type { DkimKeyInfo, DkimKeys } from './keys.js'

export interface RotationDeps {
  keys: DkimKeys
  /** A resolver without a cache, so that a newly published record is seen. */
  freshResolver: () => Pick<Resolver, 'txt' | 'close'>
  /** True if mail of the domain is sent at all: unverified custom domains are not reported. */
  isInUse?: (domain: string) => boolean
  /** Called for each key that changed its state. */
  onChange?: ((domain: string, change: string) => Promise<void>) | undefined
  log: Pick<Log, 'info' | 'warn'>
}

export function createRotation({ keys, freshResolver, isInUse = () => true, onChange, log }: RotationDeps) {
  /** Problems of signing keys already logged, so that each is logged once and not every hour. */
  const logged = new Map<string, string>()
  let looking: Promise<{ started: number; retired: number; removed: number }> | undefined

  function logProblem({ selector, domain }: DkimKeyInfo, check: KeyRecordCheck): void {
    const name = `${selector} ${domain}`
    if (check.result === 'ok' || check.result === 'unknown') return void logged.delete(name)
    const before = logged.get(name)
    logged.set(name, check.result)
    // No name under .localhost can have a record.
    if (before === check.result || /(?:^|\.)localhost$/.test(domain)) return
    const hint = `restante dkim check ${domain} prints the record to publish`
    log.warn(
      { domain, selector, result: check.result, problem: check.problem, hint },
      'mail is signed but cannot be verified',
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
          log.info({ domain, selector }, 'a new DKIM key signs: its record is visible in DNS')
          await onChange?.(domain, `${selector} signs`)
        } else if (key.state === 'signs') {
          logProblem(key, check)
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
      log.info({ domain, selector }, 'a DKIM key was retired; its record is needed for another week')
      await onChange?.(domain, `${selector} no longer signs`)
    }
    return done
  }

  return {
    /** Looks up the records and takes the next steps. @throws Error when the files can't be read or written */
    look() {
      looking ??= look().finally(() => (looking = undefined))
      return looking
    },
  }
}
