/**
 * Secrets that the daemon generates at its first start, and never changes afterwards. The token of the admin listener is a file of its data folder,
 * `secrets/admin_token`; the others are there too, or shared by the daemons on one database.
 */
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { randomBase62 } from '../lib/ids.js'
import { secretFolder, type SecretFiles } from '../lib/secret-files.js'

const ADMIN_TOKEN = 'admin_token'

/** Names of the secrets that all daemons on one database have in common. */
export const SHARED_SECRETS = ['challenge_key', 'return_path_key', 'web_key', 'webhook_key'] as const

/** Reads the secrets, and generates missing ones. A crash leaves each complete or missing; of several starters the first one wins. */
export async function openSecrets(dataDir: string, shared: SecretFiles = secretsFolder(dataDir)) {
  const key = async (name: (typeof SHARED_SECRETS)[number]): Promise<Buffer> =>
    Buffer.from(await readOrMake(shared, name, () => randomBytes(32).toString('hex')), 'hex')
  return {
    /** Key of the HMAC in claim challenges. */
    challengeKey: await key('challenge_key'),
    /** Key of the HMAC in the return paths of outgoing mail. */
    returnPathKey: await key('return_path_key'),
    /** Key of the HMACs and the encryption of state in browsers: pending sign-ins, forms, links to exports. */
    webKey: await key('web_key'),
    /** Encrypts the secrets of webhooks, which signing needs in plain text. If it is lost, they have to be rotated. */
    webhookKey: await key('webhook_key'),
    /** Bearer token of the admin listener. */
    adminToken: await readOrMake(secretsFolder(dataDir), ADMIN_TOKEN, () => randomBase62(32)),
  }
}

export function secretsFolder(dataDir: string): SecretFiles {
  return secretFolder(join(dataDir, 'secrets'))
}

/**
 * The admin token, for commands that talk to a running daemon.
 *
 * @throws the file system's error: ENOENT if no daemon has ever run, EACCES if this user may not read it
 */
export async function readAdminToken(dataDir: string): Promise<string> {
  return (await readFile(join(dataDir, 'secrets', ADMIN_TOKEN), 'utf8')).trim()
}

/** @throws Error for a text that is too short for a secret */
export function secretIn(text: string, place: string): string {
  const secret = text.trim()
  if (secret.length < 32)
    throw new Error(`${place} is damaged: it has no secret. Restore it from a backup, or remove it to get a new one`)
  return secret
}

async function readOrMake(files: SecretFiles, name: string, make: () => string): Promise<string> {
  const existing = await files.read(name)
  if (existing === undefined) await files.create(name, `${make()}\n`)
  const text = existing ?? (await files.read(name))
  if (text === undefined) throw new Error(`${files.placeOf(name)} disappeared while it was created`)
  return secretIn(text, files.placeOf(name))
}
