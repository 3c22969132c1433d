/**
 * DKIM keys: one file per key, PKCS #8, in the folder of its domain; or as many sealed rows of a shared database. Its name shows its state, and a change
 * of state is one rename:
 * | file in `<domain>/`                 | state                                                                          |
 * | ----------------------------------- | ------------------------------------------------------------------------------ |
 * | `<selector>.pem.waiting`            | waits until its record is visible in DNS                                         |
 * | `<selector>.pem`                    | signs; with a newer one of its algorithm beside it, about to be retired          |
 * | `<selector>.pem.retired-<day time>` | no longer signs; its record is needed while mail signed with it is in transit    |
 * Each domain has keys of two algorithms, RSA (RFC 6376) and Ed25519 (RFC 8463); the newest of each signs. The transitions are in `rotation.ts`.
 */
import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from 'node:crypto'
import { promisify } from 'node:util'
import { DAY, SECOND, utcDay, type Clock } from '../lib/clock.js'
import type { SecretFiles } from '../lib/secret-files.js'
import { txtLine } from '../lib/zone.js'
import type { DkimKey } from './types.js'

export interface DkimKeysOptions {
  files: SecretFiles
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
  /** Among the files, `<domain>/<selector>.pem…`. */
  name: string
  /** Path of the file, or where else it is. */
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
  name: string
  place: string
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
export async function openDkimKeys({ files, clock }: DkimKeysOptions) {
  let domains = await load(files)

  /** Reads the files again. When one can't be read it throws and the keys stay unchanged. */
  const reload = async (): Promise<void> => {
    domains = await load(files)
  }
  const list = (): DkimKeyInfo[] => [...domains.values()].flatMap((keys) => keys.map((key) => info(key, keys, clock)))

  async function make(domain: string, algorithms: readonly DkimKey['algorithm'][], end: string): Promise<string[]> {
    const name = domain.toLowerCase()
    if (!DOMAIN.test(name)) throw new Error(`Not a domain: "${domain}".`)
    const date = utcDay(clock.now()).replaceAll('-', '')
    const taken = new Set(
      (await files.names()).flatMap((each) => {
        const said = keyNameIn(each)
        return said?.domain === name ? [said.selector.toLowerCase()] : []
      }),
    )
    const made: string[] = []
    for (const algorithm of algorithms) {
      const { privateKey } = await (algorithm === 'rsa-sha256'
        ? newKeyPair('rsa', { modulusLength: RSA_BITS })
        : newKeyPair('ed25519', {}))
      const selector = freeSelector(`${algorithm === 'rsa-sha256' ? 'r' : 'e'}${date}`, taken)
      const file = `${name}/${selector}.pem${end}`
      // Of two processes that make it at the same time, the first one wins.
      await files.create(file, privateKey.export({ type: 'pkcs8', format: 'pem' }).toString())
      made.push(file)
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
      return list().filter(({ name }) => made.includes(name))
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
    async activate({ name, path, recordName }: DkimKeyInfo): Promise<void> {
      if (!name.endsWith('.waiting')) return
      // A rename would overwrite the other file.
      const other = list().find((key) => key.recordName === recordName && key.name !== name)
      if (other)
        throw new Error(`${path} can't begin to sign: ${other.path} has the same selector. Remove one of them.`)
      await files.rename(name, name.slice(0, -'.waiting'.length))
      await reload()
    },

    /** Retires keys that a newer one has replaced. */
    async retireSuperseded(): Promise<DkimKeyInfo[]> {
      await reload()
      const gone = list().filter(({ state }) => state === 'superseded')
      const at = new Date(clock.now()).toISOString().replace(/[-:]|\.\d+/g, '')
      for (const { name } of gone) await files.rename(name, `${name}.retired-${at}`)
      if (gone.length > 0) await reload()
      return gone
    },

    /** Removes a retired key whose record is no longer needed. */
    async remove({ name, recordMayGo }: DkimKeyInfo): Promise<void> {
      if (!recordMayGo) return
      await files.remove(name)
      await reload()
    },

    /** Removes every key of a domain that was removed here. Idempotent. */
    async forget(domain: string): Promise<void> {
      const name = domain.toLowerCase()
      if (!DOMAIN.test(name)) throw new Error(`Not a domain: "${domain}".`)
      await files.removeFolder(name)
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

async function load(files: SecretFiles): Promise<Map<string, Loaded[]>> {
  const domains = new Map<string, Loaded[]>()
  for (const [name, pem] of await files.readAll((each) => keyNameIn(each) !== undefined)) {
    const key = loaded(name, pem, files.placeOf(name))
    if (key) domains.set(key.domain, [...(domains.get(key.domain) ?? []), key])
  }
  for (const keys of domains.values()) keys.sort(newestFirst)
  return domains
}

interface KeyName {
  domain: string
  selector: string
  file: Loaded['file']
}

/** Parses the name of a key file, such as `agents.example.com/r20261121.pem.waiting`; undefined for any other name. */
export function keyNameIn(name: string): KeyName | undefined {
  const slash = name.indexOf('/')
  const domain = name.slice(0, Math.max(slash, 0))
  const match = KEY_FILE.exec(name.slice(slash + 1))
  const selector = match?.[1]
  return match && selector !== undefined && DOMAIN.test(domain) ? { domain, selector, file: stateOf(match) } : undefined
}

/** @throws Error for a text that can't sign */
export function checkKeyFile(pem: string, place: string): void {
  readKey(place, pem)
}

function loaded(name: string, pem: string, place: string): Loaded | undefined {
  const said = keyNameIn(name)
  return said && { ...said, name, place, ...readKey(place, pem) }
}

function stateOf([, , end, year, month, day, hour, minute, second]: RegExpExecArray): Loaded['file'] {
  if (end === undefined) return { kind: 'active' }
  if (year === undefined) return { kind: 'waiting' }
  const at = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  // The time in the name is invalid: the key and its record are kept.
  return { kind: 'retired', at: Number.isNaN(at) ? Infinity : at }
}

function readKey(place: string, pem: string): Pick<Loaded, 'algorithm' | 'privateKey' | 'publicKey'> {
  let privateKey: KeyObject
  try {
    privateKey = createPrivateKey(pem)
  } catch (error) {
    throw new Error(`${place} is not a private key in PEM form without a passphrase.`, { cause: error })
  }
  const keys = { privateKey, publicKey: createPublicKey(privateKey) }
  if (privateKey.asymmetricKeyType === 'ed25519') return { algorithm: 'ed25519-sha256', ...keys }
  const bits = privateKey.asymmetricKeyDetails?.modulusLength ?? 0
  if (privateKey.asymmetricKeyType === 'rsa' && bits >= MIN_RSA_BITS) return { algorithm: 'rsa-sha256', ...keys }
  throw new Error(`${place} can't sign: DKIM needs Ed25519 keys or RSA keys of at least ${MIN_RSA_BITS} bits.`)
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

/** The first free one of `r20261121`, `r20261121-2` and so on. */
function freeSelector(wanted: string, taken: ReadonlySet<string>): string {
  for (let number = 1; ; number++) {
    const selector = number === 1 ? wanted : `${wanted}-${number}`
    if (!taken.has(selector)) return selector
  }
}

function info(key: Loaded, all: Loaded[], clock: Clock): DkimKeyInfo {
  const { domain, selector, algorithm, name, place, file, publicKey } = key
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
    name,
    path: place,
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
