/** Secrets that the daemon generates at its first start, in `<data_dir>/secrets`: readable by its user only, and never changed afterwards. */
import { randomBytes } from 'node:crypto'
import { link, mkdir, readFile, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { hasCode } from '../lib/thrown.js'
import { ifExists, syncFolder, writeSynced } from '../lib/files.js'
import { randomBase62 } from '../lib/ids.js'

const ADMIN_TOKEN = 'admin_token'

/** Reads the secrets of a data folder, and generates missing ones. A crash leaves each complete or missing. */
export async function openSecrets(dataDir: string) {
  const dir = join(dataDir, 'secrets')
  await mkdir(dir, { recursive: true, mode: 0o700 })
  const key = async (name: string): Promise<Buffer> =>
    Buffer.from(await readOrMake(dir, name, () => randomBytes(32).toString('hex')), 'hex')
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
    adminToken: await readOrMake(dir, ADMIN_TOKEN, () => randomBase62(32)),
  }
}

/**
 * The admin token, for commands that talk to a running daemon.
 *
 * @throws the file system's error: ENOENT if no daemon has ever run, EACCES if this user may not read it
 */
export async function readAdminToken(dataDir: string): Promise<string> {
  return (await readFile(join(dataDir, 'secrets', ADMIN_TOKEN), 'utf8')).trim()
}

async function readOrMake(dir: string, name: string, make: () => string): Promise<string> {
  const file = join(dir, name)
  const existing = await readSecret(file)
  if (existing !== undefined) return existing
  const draft = join(dir, `.${name}.${randomBase62(8)}`)
  await writeSynced(draft, `${make()}\n`)
  // Unlike a rename, a link never replaces a secret that another process has just made.
  await link(draft, file).catch((error: unknown) => {
    if (!hasCode(error, 'EEXIST')) throw error
  })
  await unlink(draft)
  await syncFolder(dir)
  const made = await readSecret(file)
  if (made === undefined) throw new Error(`${file} disappeared while it was created`)
  return made
}

async function readSecret(file: string): Promise<string | undefined> {
  const text = (await ifExists(readFile(file, 'utf8')))?.trim()
  if (text !== undefined && text.length < 32)
    throw new Error(`${file} is damaged: it has no secret. Restore it from a backup, or remove it to get a new one`)
  return text
}
