/**
 * DKIM keys on disk: one file per key, PKCS #8, readable by the owner only. Its name shows its state, and a change of state is one rename:
 * | file in `<dir>/<domain>/`           | state                                                                          |
 * | ----------------------------------- | ------------------------------------------------------------------------------ |
 * | `<selector>.pem.waiting`            | waits until its record is visible in DNS                                         |
 * | `<selector>.pem`                    | signs; with a newer one of its algorithm beside it, about to be retired          |
 * | `<selector>.pem.retired-<day time>` | no longer signs; its record is needed while mail signed with it is in transit    |
 * Each domain has keys of two algorithms, RSA (RFC 6376) and Ed25519 (RFC 8463); the newest of each signs. The transitions are in `rotation.ts`.
 */
import { createPrivateKey, createPublicKey, generateKeyPair, randomBytes, type KeyObject } from 'node:crypto'
import { link, mkdir, readdir, readFile, rename, rm, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { hasCode } from '../lib/thrown.js'
import { DAY, SECOND, utcDay, type Clock } from '../lib/clock.js'
import { syncFolder, writeSynced } from '../lib/files.js'
import { txtLine } from '../lib/zone.js'
import type { DkimKey } from './types.js'

export interface DkimKeysOptions {
  /** Created with mode 0700 when the first key is generated. */
  dir: string
  clock: Clock
}

export type DkimKeyState = 'signs' | 'superseded' | 'waits' | 'retired'

export interface DkimKeyInfo {
  domain: string
  selector: string
  algorithm: DkimKey['algorithm']
  /** Name of the TXT record, without a final dot. */
  recordName: string
  /** Text of the TXT record in one piece. */
  recordValue: string
  /** The record as a line of a zone file, the text cut into strings of at most 255 octets (RFC 1035 §3.3). */
  zoneLine: string
  path: string
  state: DkimKeyState
  /** Time when it stopped signing, in milliseconds since the epoch. */
  retiredAt: number | null
  /** True if it was retired long enough ago for its record to be removed. */
  recordMayGo: boolean
  publicKey: KeyObject
}

export type DkimKeys = Awaited<ReturnType<typeof openDkimKeys>>

interface Loaded extends DkimKey {
  path: string
  publicKey: KeyObject
  file: { kind: 'active' } | { kind: 'waiting' } | { kind: 'retired'; at: number }
}

/** Max time that signed mail may be in transit: longer than any queue's lifetime, ours included. */
export const RECORD_NEEDED_MS = 7 * DAY

const DOMAIN = /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/
const KEY_FILE =
  /^([a-z0-9](?:[a-z0-9.-]{0,61}[a-z0-9])?)\.pem(\.waiting|\.retired-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z)?$/i
const OWN_SELECTOR = /^[re](\d{8})(?:-(\d+))?$/
/** RFC 8301 §3.2: verifiers reject less. */
const MIN_RSA_BITS = 1024
const RSA_BITS = 2048
const ALGORITHMS = ['rsa-sha256', 'ed25519-sha256'] as const

const newKeyPair = promisify(generateKeyPair)

/** @throws Error naming a file that is no usable key */
export async function openDkimKeys({ dir, clock }: DkimKeysOptions) {
  let domains = await load(dir)

  /** Reads the folder again. When a file can't be read it throws and the keys stay unchanged. */
  const reload = async (): Promise<void> => {
    domains = await load(dir)
  }
  const list = (): DkimKeyInfo[] => [...domains.values()].flatMap((keys) => keys.map((key) => info(key, keys, clock)))

  async function make(domain: string, algorithms: readonly DkimKey['algorithm'][], end: string): Promise<string[]> {
    const name = domain.toLowerCase()
    if (!DOMAIN.test(name)) throw new Error(`Not a domain: "${domain}".`)
    const folder = join(dir, name)
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const date = utcDay(clock.now()).replaceAll('-', '')
    const made: string[] = []
    for (const algorithm of algorithms) {
      const { privateKey } = await (algorithm === 'rsa-sha256'
        ? newKeyPair('rsa', { modulusLength: RSA_BITS })
        : newKeyPair('ed25519', {}))
      made.push(await writeKey(folder, `${algorithm === 'rsa-sha256' ? 'r' : 'e'}${date}`, end, privateKey))
    }
    await reload()
    return made
  }

  return {
    /** The keys that currently sign for a domain, at most one of each algorithm; empty when the domain has no key. */
    signingKeys: (domain: string): DkimKey[] => signing(domains.get(domain.toLowerCase()) ?? []),

    /** Generates an RSA-2048 and an Ed25519 key. They sign at once in this process, elsewhere after `reload`. */
    async generate(domain: string): Promise<DkimKeyInfo[]> {
      const made = await make(domain, ALGORITHMS, '')
      return list().filter(({ path }) => made.includes(path))
    },

    /** Generates keys that wait for their records; an algorithm with a waiting key keeps it. */
    async prepare(domain: string): Promise<DkimKeyInfo[]> {
      await reload()
      const waiting = () => list().filter((key) => key.state === 'waits' && key.domain === domain.toLowerCase())
      const there = waiting().map(({ algorithm }) => algorithm)
      const missing = ALGORITHMS.filter((algorithm) => !there.includes(algorithm))
      await make(domain, missing, '.waiting')
      return waiting()
    },

    list,

    /** Lets a waiting key sign. Does nothing when it is not waiting any more. */
    async activate({ path, recordName }: DkimKeyInfo): Promise<void> {
      if (!path.endsWith('.waiting')) return
      // A rename would overwrite the other file.
      const other = list().find((key) => key.recordName === recordName && key.path !== path)
      if (other)
        throw new Error(`${path} can't begin to sign: ${other.path} has the same selector. Remove one of them.`)
      await renameDurably(path, path.slice(0, -'.waiting'.length))
      await reload()
    },

    /** Retires keys that a newer one has replaced. */
    async retireSuperseded(): Promise<DkimKeyInfo[]> {
      await reload()
      const gone = list().filter(({ state }) => state === 'superseded')
      const at = new Date(clock.now()).toISOString().replace(/[-:]|\.\d+/g, '')
      for (const { path } of gone) await renameDurably(path, `${path}.retired-${at}`)
      if (gone.length > 0) await reload()
      return gone
    },

    /** Removes a retired key whose record is no longer needed. */
    async remove({ path, recordMayGo }: DkimKeyInfo): Promise<void> {
      if (!recordMayGo) return
      await unlinkIfThere(path)
      await syncFolder(dirname(path))
      await reload()
    },

    /** Removes every key of a domain that was removed here. Idempotent. */
    async forget(domain: string): Promise<void> {
      const name = domain.toLowerCase()
      if (!DOMAIN.test(name)) throw new Error(`Not a domain: "${domain}".`)
      await rm(join(dir, name), { recursive: true, force: true })
      if (domains.has(name)) await syncFolder(dir)
      await reload()
    },

    reload,
  }
}

export async function generateMissing(
  keys: Pick<DkimKeys, 'signingKeys' | 'generate'>,
  domains: string[],
): Promise<DkimKeyInfo[]> {
  const made: DkimKeyInfo[] = []
  for (const domain of domains) if (keys.signingKeys(domain).length === 0) made.push(...(await keys.generate(domain)))
  return made
}

async function load(dir: string): Promise<Map<string, Loaded[]>> {
  const domains = new Map<string, Loaded[]>()
  for (const entry of await entries(dir)) {
    if (!entry.isDirectory() || !DOMAIN.test(entry.name)) continue
    const keys: Loaded[] = []
    for (const { name } of await entries(join(dir, entry.name))) {
      const match = KEY_FILE.exec(name)
      const selector = match?.[1]
      if (!match || selector === undefined) continue
      const path = join(dir, entry.name, name)
      const pem = await readIfThere(path)
      // Another process renamed it meanwhile, and notifies this one when it is done.
      if (pem === undefined) continue
      keys.push({ domain: entry.name, selector, path, file: stateOf(match), ...readKey(path, pem) })
    }
    if (keys.length > 0) domains.set(entry.name, keys.sort(newestFirst))
  }
  return domains
}

function stateOf([, , end, year, month, day, hour, minute, second]: RegExpExecArray): Loaded['file'] {
  if (end === undefined) return { kind: 'active' }
  if (year === undefined) return { kind: 'waiting' }
  const at = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  // The time in the name is invalid: the key and its record are kept.
  return { kind: 'retired', at: Number.isNaN(at) ? Infinity : at }
}

async function entries(dir: string) {
  try {
    return (await readdir(dir, { withFileTypes: true })).sort((a, b) => (a.name < b.name ? -1 : 1))
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return []
    throw error
  }
}

async function readIfThere(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path)
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}

function readKey(path: string, pem: Buffer): Pick<Loaded, 'algorithm' | 'privateKey' | 'publicKey'> {
  let privateKey: KeyObject
  try {
    privateKey = createPrivateKey(pem)
  } catch (error) {
    throw new Error(`${path} is not a private key in PEM form without a passphrase.`, { cause: error })
  }
  const keys = { privateKey, publicKey: createPublicKey(privateKey) }
  if (privateKey.asymmetricKeyType === 'ed25519') return { algorithm: 'ed25519-sha256', ...keys }
  const bits = privateKey.asymmetricKeyDetails?.modulusLength ?? 0
  if (privateKey.asymmetricKeyType === 'rsa' && bits >= MIN_RSA_BITS) return { algorithm: 'rsa-sha256', ...keys }
  throw new Error(`${path} can't sign: DKIM needs Ed25519 keys or RSA keys of at least ${MIN_RSA_BITS} bits.`)
}

/** Selectors created here contain their date; others count as older than all of them. */
function newestFirst(a: Loaded, b: Loaded): number {
  const [dateA, numberA] = age(a.selector)
  const [dateB, numberB] = age(b.selector)
  return dateB - dateA || numberB - numberA || (a.selector < b.selector ? 1 : -1)
}

function age(selector: string): [date: number, number: number] {
  const [, date = '0', number = '1'] = OWN_SELECTOR.exec(selector) ?? []
  return [Number(date), Number(number)]
}

function signing(newest: Loaded[]): Loaded[] {
  return ALGORITHMS.flatMap((algorithm) => {
    const key = newest.find((candidate) => candidate.file.kind === 'active' && candidate.algorithm === algorithm)
    return key ? [key] : []
  })
}

/**
 * Writes a key under the first free selector, `r20261121`, `r20261121-2` and so on. The file is complete and on disk before it gets its name, and an
 * existing file is never overwritten.
 *
 * @param end of the name, for its state
 * @returns its path
 */
async function writeKey(folder: string, wanted: string, end: string, key: KeyObject): Promise<string> {
  const temporary = join(folder, `.${wanted}.${randomBytes(6).toString('hex')}`)
  await writeSynced(temporary, key.export({ type: 'pkcs8', format: 'pem' }))
  const taken = new Set((await entries(folder)).map(({ name }) => KEY_FILE.exec(name)?.[1]?.toLowerCase()))
  try {
    for (let number = 1; ; number++) {
      const selector = number === 1 ? wanted : `${wanted}-${number}`
      const path = join(folder, `${selector}.pem${end}`)
      if (!taken.has(selector) && (await linked(temporary, path))) return path
    }
  } finally {
    await unlink(temporary)
    await syncFolder(folder)
  }
}

async function linked(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to)
    return true
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false
    throw error
  }
}

/** The daemon and the command line may do the same at once: the second one finds it done. */
async function renameDurably(from: string, to: string): Promise<void> {
  try {
    await rename(from, to)
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error
  }
  await syncFolder(dirname(from))
}

async function unlinkIfThere(path: string): Promise<void> {
  try {
    await unlink(path)
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error
  }
}

function info(key: Loaded, all: Loaded[], clock: Clock): DkimKeyInfo {
  const { domain, selector, algorithm, path, file, publicKey } = key
  const recordName = `${selector}._domainkey.${domain}`
  const recordValue = `v=DKIM1; k=${algorithm === 'rsa-sha256' ? 'rsa' : 'ed25519'}; p=${publicKeyText(publicKey)}`
  const retiredAt = file.kind === 'retired' ? file.at : null
  return {
    domain,
    selector,
    algorithm,
    recordName,
    recordValue,
    zoneLine: txtLine(recordName, recordValue),
    path,
    state: file.kind === 'active' ? (signing(all).includes(key) ? 'signs' : 'superseded') : KIND_STATES[file.kind],
    retiredAt,
    // One second later than the file's name says.
    recordMayGo: retiredAt !== null && clock.now() >= retiredAt + RECORD_NEEDED_MS + SECOND,
    publicKey,
  }
}

const KIND_STATES = { waiting: 'waits', retired: 'retired' } as const

/** RFC 6376 §3.6.1: a SubjectPublicKeyInfo for RSA. RFC 8463 §4: the bare 32 octets for Ed25519, the last of its structure. */
function publicKeyText(publicKey: KeyObject): string {
  const spki = publicKey.export({ type: 'spki', format: 'der' })
  return (publicKey.asymmetricKeyType === 'rsa' ? spki : spki.subarray(-32)).toString('base64')
}
