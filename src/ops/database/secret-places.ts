/**
 * Where the secrets, the DKIM keys and the obtained certificates are: in folders of this machine, or sealed in the shared database that `store.url`
 * names. Each start moves what is still in the other place.
 */
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { checkKeyFile, keyNameIn } from '../../authentication/keys.js'
import { hasVault, openVault, WrongKeyError, type Vault } from '../../cluster/vault.js'
import { SettingError } from '../../config/errors.js'
import { readSecretKey } from '../../config/files.js'
import type { Config } from '../../config/schema.js'
import { secretIn, secretsFolder, SHARED_SECRETS } from '../../config/secrets.js'
import { SECOND } from '../../lib/clock.js'
import { secretFolder, type SecretFiles } from '../../lib/secret-files.js'
import { messageOf } from '../../lib/thrown.js'
import type { Log } from '../../observe/log.js'
import { UnfitFolderError } from '../../store/schema-version.js'
import { createStore } from '../../store/store.js'
import type { Store } from '../../store/types.js'
import { isShared, openEngine, type EngineSettings } from './engine.js'

const AREAS = ['secrets', 'dkim', 'certificates'] as const
type Area = (typeof AREAS)[number]

export type SecretPlaces = Record<Area, SecretFiles>

export type PlacesSettings = EngineSettings & {
  server: Pick<Config['server'], 'data_dir' | 'secret_key_file'>
  domains: Pick<Config['domains'], 'dkim_dir'>
}

export interface OpenPlacesDeps {
  config: PlacesSettings
  store: Store
  /** Entries of the database before this start; 0 for a new one. */
  entries: number
  log: Pick<Log, 'info' | 'warn'>
  /** Max wait for another daemon, started at the same time, that has not made the secrets yet. */
  othersMs?: number
}

const OTHERS_MS = 10 * SECOND
const LOOK_MS = 0.25 * SECOND

/**
 * For the daemon.
 *
 * @returns `stop` stops looking for changes of others
 * @throws SettingError for the wrong key, or a missing one
 * @throws UnfitFolderError if the secrets of the database are nowhere
 * @throws Error naming a file that can't be used
 */
export async function openSecretPlaces({
  config,
  store,
  entries,
  log,
  othersMs = OTHERS_MS,
}: OpenPlacesDeps): Promise<SecretPlaces & { stop(): Promise<void> }> {
  const folders = secretFolders(config)
  if (!isShared(config)) {
    await takeOutOfVault(config, store, log)
    return { ...folders, stop: async () => undefined }
  }
  const vault = await vaultOf(config, store, log)
  try {
    const texts = await textsIn(folders)
    const hasSecrets = SHARED_SECRETS.some((name) => texts.has(`secrets/${name}`))
    if (entries > 0 && !hasSecrets && !(await getsSecrets(vault, othersMs)))
      throw new UnfitFolderError(
        `the database of store.url is in use and has no secrets yet, and the data folder ${config.server.data_dir} has none either. Start the daemon first whose data folder has them: they are put into the database then. Nothing was changed`,
      )
    const others = await vault.takeIn(texts)
    if (others.length > 0)
      log.warn({ names: others }, 'this machine has other secrets than the database; those of the database are used')
    return { ...placesIn(vault), stop: () => vault.stop() }
  } catch (error) {
    await vault.stop()
    throw error
  }
}

/** For a command beside a daemon, or without one. */
export async function withSecretPlaces<T>(
  config: PlacesSettings,
  use: (places: SecretPlaces, where: 'folder' | 'database') => Promise<T>,
): Promise<T> {
  const folders = secretFolders(config)
  if (!isShared(config)) return use(folders, 'folder')
  const store = createStore(await openEngine(config))
  try {
    // The first start on a database puts the files in.
    if (!(await hasVault(store))) return await use(folders, 'folder')
    const vault = await vaultOf(config, store, { warn: () => undefined })
    try {
      return await use(placesIn(vault), 'database')
    } finally {
      await vault.stop()
    }
  } finally {
    await store.close()
  }
}

/**
 * Writes what is sealed in an embedded database, which was copied from a shared one, to the folders, and removes it there. A crash in between is
 * mended by the next call.
 *
 * @throws SettingError if there is something, and no key or the wrong one
 */
export async function takeOutOfVault(
  config: PlacesSettings,
  store: Store,
  log: Pick<Log, 'info' | 'warn'>,
): Promise<void> {
  if (!(await hasVault(store))) return
  if (config.server.secret_key_file === '')
    throw new SettingError(
      'server.secret_key_file',
      'has to be set for this start: the secrets in the database are sealed, as it was copied from a shared one. Name the file with the key that was used there',
    )
  const folders = secretFolders(config)
  const vault = await vaultOf(config, store, log)
  try {
    const texts = await vault.all()
    for (const [name, text] of texts) {
      const [area, rest] = split(name)
      await folders[area].replace(rest, text)
    }
    await removeOldKeys(folders.dkim, texts)
    await vault.clear()
    log.info({ count: texts.size }, 'the secrets of the database were written to the data folder')
  } finally {
    await vault.stop()
  }
}

/** Keys of the same domains that were retired, activated or removed since they were put into the vault. */
async function removeOldKeys(folder: SecretFiles, texts: ReadonlyMap<string, string>): Promise<void> {
  const domainOf = (name: string): string | undefined => keyNameIn(name)?.domain
  const domains = new Set(
    [...texts.keys()].map(split).flatMap(([area, name]) => (area === 'dkim' ? domainOf(name) : [])),
  )
  for (const name of await folder.names()) {
    const domain = domainOf(name)
    if (domain !== undefined && domains.has(domain) && !texts.has(`dkim/${name}`)) await folder.remove(name)
  }
}

function split(name: string): [area: Area, rest: string] {
  const area = AREAS.find((each) => name.startsWith(`${each}/`))
  if (area === undefined) throw new Error(`the database has a secret ${name}, which this version does not know`)
  return [area, name.slice(area.length + 1)]
}

export function secretFolders({ server, domains }: Omit<PlacesSettings, 'store'>): SecretPlaces {
  return {
    secrets: secretsFolder(server.data_dir),
    dkim: secretFolder(domains.dkim_dir),
    certificates: secretFolder(join(server.data_dir, 'certificates')),
  }
}

function placesIn(vault: Vault): SecretPlaces {
  return { secrets: vault.files('secrets'), dkim: vault.files('dkim'), certificates: vault.files('certificates') }
}

async function vaultOf(config: PlacesSettings, store: Store, log: Pick<Log, 'warn'>): Promise<Vault> {
  try {
    return await openVault({ store, secretKey: readSecretKey(config), log })
  } catch (error) {
    if (!(error instanceof WrongKeyError)) throw error
    throw new SettingError(
      'server.secret_key_file',
      `${messageOf(error)}. Name the file with the key that the other machines on it use; nothing was changed`,
    )
  }
}

/** Waits for what another daemon puts in. @returns false if nobody does */
async function getsSecrets(vault: Vault, waitMs: number): Promise<boolean> {
  const secrets = vault.files('secrets')
  for (const until = performance.now() + waitMs; ;) {
    if ((await secrets.names()).length > 0) return true
    if (performance.now() > until) return false
    await pause(LOOK_MS)
  }
}

/** What this machine has, by name in the vault. @throws Error naming a file that can't be used: in the database it would stop every daemon */
async function textsIn(folders: SecretPlaces): Promise<Map<string, string>> {
  const wanted: Record<Area, (name: string) => boolean> = {
    secrets: (name) => SHARED_SECRETS.some((each) => each === name),
    dkim: (name) => keyNameIn(name) !== undefined,
    certificates: (name) => name.includes('/'),
  }
  const texts = new Map<string, string>()
  for (const area of AREAS)
    for (const [name, text] of await folders[area].readAll(wanted[area])) {
      if (area === 'secrets') secretIn(text, folders[area].placeOf(name))
      if (area === 'dkim') checkKeyFile(text, folders[area].placeOf(name))
      texts.set(`${area}/${name}`, text)
    }
  return texts
}
