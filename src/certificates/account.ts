/**
 * Our accounts with authorities, in the folder `accounts/` beside the certificates, one per directory. The key is durable before the authority gets it, so
 * that a crash loses no account.
 */
import { createHash, generateKeyPairSync } from 'node:crypto'
import { z } from 'zod'
import type { SecretFiles } from '../lib/secret-files.js'

const accountSchema = z.object({
  directory: z.string(),
  key: z.string(),
  /** Undefined until the authority has answered. */
  url: z.string().optional(),
  contact: z.string().optional(),
})

export type Account = z.infer<typeof accountSchema>

export type AccountFile = ReturnType<typeof createAccountFile>

/** @param files of certificates */
export function createAccountFile(files: SecretFiles, directory: string) {
  const name = `accounts/${createHash('sha256').update(directory).digest('hex').slice(0, 16)}.json`
  const textOf = (account: Account): string => `${JSON.stringify(account)}\n`
  return {
    /** Creates the account if missing. @throws Error when the file is damaged */
    async open(): Promise<Account> {
      const known = await readAccount(files, name)
      if (known) return known
      const account = { directory, key: newKey() }
      // Another daemon may have created it meanwhile.
      if (await files.create(name, textOf(account))) return account
      return (await readAccount(files, name)) ?? account
    },
    save: (account: Account): Promise<void> => files.replace(name, textOf(account)),
  }
}

/** EC on P-256, in PEM: for certificates and for ES256 alike. */
export function newKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
}

async function readAccount(files: SecretFiles, name: string): Promise<Account | undefined> {
  try {
    const text = await files.read(name)
    return text === undefined ? undefined : accountSchema.parse(JSON.parse(text))
  } catch (error) {
    throw new Error(
      `${files.placeOf(name)} is damaged. Restore it from a backup, or remove it to get another account`,
      {
        cause: error,
      },
    )
  }
}
