/**
 * Our accounts with authorities, in `<data_dir>/certificates/accounts/`, one per directory. The key is on the disk before the authority gets it, so that a
 * crash loses no account.
 */
import { createHash, generateKeyPairSync } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { ifExists, makeFolder, replaceSynced } from '../lib/files.js'

const accountSchema = z.object({
  directory: z.string(),
  key: z.string(),
  /** Undefined until the authority has answered. */
  url: z.string().optional(),
  contact: z.string().optional(),
})

export type Account = z.infer<typeof accountSchema>

export type AccountFile = ReturnType<typeof createAccountFile>

/** @param folder of certificates */
export function createAccountFile(folder: string, directory: string) {
  const dir = join(folder, 'accounts')
  const file = join(dir, `${createHash('sha256').update(directory).digest('hex').slice(0, 16)}.json`)
  const save = (account: Account): Promise<void> => replaceSynced(file, `${JSON.stringify(account)}\n`)
  return {
    /** Creates the account if missing. @throws Error when the file is damaged */
    async open(): Promise<Account> {
      const known = await readAccount(file)
      if (known) return known
      const account = { directory, key: newKey() }
      await makeFolder(dir)
      await save(account)
      return account
    },
    save,
  }
}

/** EC on P-256, in PEM: for certificates and for ES256 alike. */
export function newKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
}

async function readAccount(file: string): Promise<Account | undefined> {
  try {
    const text = await ifExists(readFile(file, 'utf8'))
    return text === undefined ? undefined : accountSchema.parse(JSON.parse(text))
  } catch (error) {
    throw new Error(`${file} is damaged. Restore it from a backup, or remove it to get another account`, {
      cause: error,
    })
  }
}
