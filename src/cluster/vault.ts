/**
 * Secrets of a shared database: keys of HMACs, DKIM keys, certificates. Each is a row of the partition `cluster/vault`, sealed by the key of
 * `server.secret_key_file`, which is never in the database, and bound to its name: a row that is moved under another name can't be opened.
 * A row `imported` is the fingerprint of a file that was put in. A secret that was removed since does not come back from that file at the next start.
 */
import { createHash } from 'node:crypto'
import { createSealer } from '../lib/sealing.js'
import { SECOND } from '../lib/clock.js'
import type { SecretFiles } from '../lib/secret-files.js'
import { encode, key, keyParts, prefixRange } from '../store/keys.js'
import { rowsOf } from '../store/pages.js'
import type { Store, Transaction } from '../store/types.js'

const PARTITION = 'cluster/vault'
/** Sealed under this name when the vault is made: it tells a wrong key from a damaged row. */
const SEAL = 'seal'
const SEAL_ROW = key('seal')
const LOOK_MS = 3 * SECOND

export interface VaultOptions {
  store: Store
  /** The key in `server.secret_key_file`. */
  secretKey: Uint8Array
  log: { warn(fields: object, message: string): void }
  /** Time between looks for what others changed: hints of their commits may be lost. */
  lookMs?: number
}

export type Vault = Awaited<ReturnType<typeof openVault>>

/** Another key sealed what is in the database. */
export class WrongKeyError extends Error {
  override name = 'WrongKeyError'
}

/** True if secrets were ever sealed in this database. */
export async function hasVault(store: Pick<Store, 'read'>): Promise<boolean> {
  return (await store.read(PARTITION, (view) => view.get(SEAL_ROW))) !== undefined
}

/** Opens the vault, and creates it if it is missing. @throws WrongKeyError */
export async function openVault({ store, secretKey, log, lookMs = LOOK_MS }: VaultOptions) {
  const sealer = createSealer(secretKey, 'vault')
  const rowOf = (name: string): Uint8Array => key('secret', name)
  const listeners = new Set<() => Promise<void>>()

  const seal = await store.write(PARTITION, async (tx) => {
    const found = await tx.get(SEAL_ROW)
    const made = found ?? sealer.seal(SEAL, Buffer.from(SEAL))
    if (!found) tx.put(SEAL_ROW, made)
    return made
  })
  if (!sealer.open(SEAL, seal)) throw new WrongKeyError('another key sealed the secrets of this database')

  const put = (tx: Transaction, name: string, text: string): void =>
    tx.put(rowOf(name), sealer.seal(name, Buffer.from(text)))

  /** @throws Error for a row that was not sealed with this key under this name */
  function opened(name: string, sealed: Uint8Array): string {
    const value = sealer.open(name, sealed)
    if (!value)
      throw new Error(
        `the secret ${name} in the database is damaged, or was moved there from another name. Restore the database from a backup`,
      )
    return value.toString('utf8')
  }

  /** Sealed values by name, in order. */
  async function* sealedOf(prefix: string): AsyncGenerator<[name: string, sealed: Uint8Array]> {
    for await (const [row, sealed] of rowsOf(store, PARTITION, prefixRange('secret'))) {
      const name = String(keyParts(row)[1])
      if (name.startsWith(prefix)) yield [name, sealed]
    }
  }

  /** @param area such as `dkim`: the names begin with it */
  function files(area: string): SecretFiles {
    const full = (name: string): string => `${area}/${name}`
    const short = (name: string): string => name.slice(area.length + 1)
    async function names(): Promise<string[]> {
      const found: string[] = []
      for await (const [name] of sealedOf(full(''))) found.push(short(name))
      return found
    }
    return {
      names,
      async read(name) {
        const sealed = await store.read(PARTITION, (view) => view.get(rowOf(full(name))))
        return sealed && opened(full(name), sealed)
      },
      async readAll(isWanted) {
        const texts = new Map<string, string>()
        for await (const [name, sealed] of sealedOf(full('')))
          if (isWanted(short(name))) texts.set(short(name), opened(name, sealed))
        return texts
      },
      create: (name, text) =>
        store.write(PARTITION, async (tx) => {
          if (await tx.get(rowOf(full(name)))) return false
          put(tx, full(name), text)
          return true
        }),
      replace: (name, text) => store.write(PARTITION, (tx) => put(tx, full(name), text)),
      rename: (from, to) =>
        store.write(PARTITION, async (tx) => {
          const sealed = await tx.get(rowOf(full(from)))
          if (!sealed) return
          put(tx, full(to), opened(full(from), sealed))
          tx.delete(rowOf(full(from)))
        }),
      remove: (name) => store.write(PARTITION, (tx) => tx.delete(rowOf(full(name)))),
      async removeFolder(folder) {
        const gone = (await names()).filter((name) => name.startsWith(`${folder}/`))
        await store.write(PARTITION, (tx) => gone.forEach((name) => tx.delete(rowOf(full(name)))))
      },
      placeOf: (name) => `the row ${full(name)} of ${PARTITION}`,
      onChange(listener) {
        listeners.add(listener)
        return () => void listeners.delete(listener)
      },
    }
  }

  /**
   * Puts texts in whose content was never put in before, whatever their names were, in one commit.
   *
   * @returns names that are there with another content, which stays
   */
  async function takeIn(texts: ReadonlyMap<string, string>): Promise<string[]> {
    return store.write(PARTITION, async (tx) => {
      const others: string[] = []
      for (const [name, text] of texts) {
        const mark = key('imported', createHash('sha256').update(text).digest('hex'))
        if (await tx.get(mark)) continue
        const sealed = await tx.get(rowOf(name))
        if (!sealed) put(tx, name, text)
        else if (opened(name, sealed) !== text) others.push(name)
        tx.put(mark, encode(1))
      }
      return others
    })
  }

  let seen = await store.version(PARTITION)
  let looking: Promise<void> | undefined
  let isFailing = false

  async function look(): Promise<void> {
    try {
      const now = await store.version(PARTITION)
      if (now !== seen) for (const listener of listeners) await listener()
      seen = now
      isFailing = false
    } catch (err) {
      // Once for each time that the database is away.
      if (!isFailing) log.warn({ err }, 'changed secrets could not be read; this is tried again')
      isFailing = true
    }
  }
  const lookOnce = (): void => {
    looking ??= look().finally(() => (looking = undefined))
  }
  const timer = setInterval(lookOnce, lookMs).unref()
  const unsubscribe = store.onCommit((partition) => {
    if (partition === PARTITION) lookOnce()
  })

  return {
    files,
    takeIn,
    /** All secrets, by `area/name`. */
    async all(): Promise<Map<string, string>> {
      const texts = new Map<string, string>()
      for await (const [name, sealed] of sealedOf('')) texts.set(name, opened(name, sealed))
      return texts
    },
    /** Removes the vault with all that is in it. */
    async clear(): Promise<void> {
      const rows: Uint8Array[] = []
      for await (const [row] of rowsOf(store, PARTITION, prefixRange())) rows.push(row)
      await store.write(PARTITION, (tx) => rows.forEach((row) => tx.delete(row)))
    },
    /** Stops looking for changes. */
    async stop(): Promise<void> {
      clearInterval(timer)
      unsubscribe()
      await looking
    },
  }
}
