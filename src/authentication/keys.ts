/**
 * DKIM keys on disk: `<dir>/<domain>/<selector>.pem`, PKCS #8, readable by the owner only.
 *
 * Each domain has keys of two algorithms, RSA (RFC 6376) and Ed25519 (RFC 8463); the newest selector of each one signs. Older
 * keys may stay: their records are needed as long as mail signed with them is on its way.
 */
import { createPrivateKey, createPublicKey, generateKeyPair, randomBytes, type KeyObject } from 'node:crypto'
import { link, mkdir, readdir, readFile, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { hasCode } from '../lib/caught.js'
import { utcDay, type Clock } from '../lib/clock.js'
import { syncFolder, writeSynced } from '../lib/files.js'
import type { DkimKey } from './types.js'

export interface DkimKeysOptions {
  /** Made with mode 0700 when the first key is generated. */
  dir: string
  clock: Clock
}

/** A key as the operator sees it. */
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
  /** Whether it is the newest of its algorithm. */
  signs: boolean
}

export interface DkimKeys {
  /** The keys that sign for a domain now, at most one of each algorithm; none when the domain has no key. */
  signingKeys(domain: string): DkimKey[]
  /** Makes an RSA-2048 and an Ed25519 key. They sign at once in this process, elsewhere after `reload`. */
  generate(domain: string): Promise<DkimKeyInfo[]>
  list(): DkimKeyInfo[]
  /** Reads the folder again. When a file can't be read it throws and the keys stay as they were. */
  reload(): Promise<void>
}

type Loaded = DkimKey & { path: string }

const DOMAIN = /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/
const SELECTOR_FILE = /^([a-z0-9](?:[a-z0-9.-]{0,61}[a-z0-9])?)\.pem$/i
const OWN_SELECTOR = /^[re](\d{8})(?:-(\d+))?$/
/** RFC 8301 §3.2: verifiers reject less. */
const MIN_RSA_BITS = 1024
const RSA_BITS = 2048
const TXT_STRING_OCTETS = 255

const newKeyPair = promisify(generateKeyPair)

/**
 * @returns the keys found in the folder; none when there is no folder yet
 * @throws Error naming the file that is no usable key
 */
export async function openDkimKeys({ dir, clock }: DkimKeysOptions): Promise<DkimKeys> {
  let domains = await load(dir)

  return {
    signingKeys: (domain) => signing(domains.get(domain.toLowerCase()) ?? []),

    async generate(domain) {
      const name = domain.toLowerCase()
      if (!DOMAIN.test(name)) throw new Error(`Not a domain: "${domain}".`)
      const [rsa, ed25519] = await Promise.all([
        newKeyPair('rsa', { modulusLength: RSA_BITS }),
        newKeyPair('ed25519', {}),
      ])
      const folder = join(dir, name)
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const date = utcDay(clock.now()).replaceAll('-', '')
      const made = [
        await writeKey(folder, `r${date}`, rsa.privateKey),
        await writeKey(folder, `e${date}`, ed25519.privateKey),
      ]
      domains = await load(dir)
      const all = domains.get(name) ?? []
      return all.filter(({ selector }) => made.includes(selector)).map((key) => info(key, all))
    },

    list: () => [...domains.values()].flatMap((keys) => keys.map((key) => info(key, keys))),

    async reload() {
      domains = await load(dir)
    },
  }
}

/** Makes keys for those of the domains that have none. */
export async function generateMissing(keys: DkimKeys, domains: string[]): Promise<DkimKeyInfo[]> {
  const made: DkimKeyInfo[] = []
  for (const domain of domains) if (keys.signingKeys(domain).length === 0) made.push(...(await keys.generate(domain)))
  return made
}

async function load(dir: string): Promise<Map<string, Loaded[]>> {
  const domains = new Map<string, Loaded[]>()
  for (const entry of await entries(dir)) {
    if (!entry.isDirectory() || !DOMAIN.test(entry.name)) continue
    const keys: Loaded[] = []
    for (const file of await entries(join(dir, entry.name))) {
      const selector = SELECTOR_FILE.exec(file.name)?.[1]
      if (selector === undefined) continue
      const path = join(dir, entry.name, file.name)
      keys.push({ domain: entry.name, selector, path, ...readKey(path, await readFile(path)) })
    }
    if (keys.length > 0) domains.set(entry.name, keys.sort(newestFirst))
  }
  return domains
}

async function entries(dir: string) {
  try {
    return (await readdir(dir, { withFileTypes: true })).sort((a, b) => (a.name < b.name ? -1 : 1))
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return []
    throw error
  }
}

function readKey(path: string, pem: Buffer): Pick<DkimKey, 'algorithm' | 'privateKey'> {
  let privateKey: KeyObject
  try {
    privateKey = createPrivateKey(pem)
  } catch (error) {
    throw new Error(`${path} is not a private key in PEM form without a passphrase.`, { cause: error })
  }
  if (privateKey.asymmetricKeyType === 'ed25519') return { algorithm: 'ed25519-sha256', privateKey }
  const bits = privateKey.asymmetricKeyDetails?.modulusLength ?? 0
  if (privateKey.asymmetricKeyType === 'rsa' && bits >= MIN_RSA_BITS) return { algorithm: 'rsa-sha256', privateKey }
  throw new Error(`${path} can't sign: DKIM takes Ed25519 keys and RSA keys of at least ${MIN_RSA_BITS} bits.`)
}

/** Selectors made here say when; one that somebody else named counts as older than all of them. */
function newestFirst(a: Loaded, b: Loaded): number {
  const [dateA, numberA] = age(a.selector)
  const [dateB, numberB] = age(b.selector)
  return dateB - dateA || numberB - numberA || (a.selector < b.selector ? 1 : -1)
}

function age(selector: string): [date: number, number: number] {
  const [, date = '0', number = '1'] = OWN_SELECTOR.exec(selector) ?? []
  return [Number(date), Number(number)]
}

function signing(newest: Loaded[]): DkimKey[] {
  return (['rsa-sha256', 'ed25519-sha256'] as const).flatMap((algorithm) => {
    const key = newest.find((candidate) => candidate.algorithm === algorithm)
    return key ? [key] : []
  })
}

/**
 * Writes a key under the first free name, `r20261121`, `r20261121-2` and so on. The file is complete and on disk before it has
 * its name, and a name that is taken is never overwritten.
 *
 * @returns the selector
 */
async function writeKey(folder: string, wanted: string, key: KeyObject): Promise<string> {
  const temporary = join(folder, `.${wanted}.${randomBytes(6).toString('hex')}`)
  await writeSynced(temporary, key.export({ type: 'pkcs8', format: 'pem' }))
  try {
    for (let number = 1; ; number++) {
      const selector = number === 1 ? wanted : `${wanted}-${number}`
      if (await linked(temporary, join(folder, `${selector}.pem`))) return selector
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

function info(key: Loaded, all: Loaded[]): DkimKeyInfo {
  const { domain, selector, algorithm, path } = key
  const recordName = `${selector}._domainkey.${domain}`
  const recordValue = `v=DKIM1; k=${algorithm === 'rsa-sha256' ? 'rsa' : 'ed25519'}; p=${publicKeyText(key.privateKey)}`
  const strings = recordValue.match(new RegExp(`.{1,${TXT_STRING_OCTETS}}`, 'g')) ?? []
  const zoneLine = `${recordName}. IN TXT ( ${strings.map((text) => `"${text}"`).join(' ')} )`
  return { domain, selector, algorithm, recordName, recordValue, zoneLine, path, signs: signing(all).includes(key) }
}

/** RFC 6376 §3.6.1: a SubjectPublicKeyInfo for RSA. RFC 8463 §4: the bare 32 octets for Ed25519, the last of its structure. */
function publicKeyText(privateKey: KeyObject): string {
  const spki = createPublicKey(privateKey).export({ type: 'spki', format: 'der' })
  return (privateKey.asymmetricKeyType === 'rsa' ? spki : spki.subarray(-32)).toString('base64')
}
