/**
 * Format of backups: a tar, compressed with gzip, and encrypted if there is a key (`encryption.ts`). Its files, in this order:
 *
 * | file                        | what it is                                                                     |
 * | --------------------------- | ------------------------------------------------------------------------------ |
 * | `restante-backup.json`      | the header: what wrote it and in which format, so that it can be refused at once |
 * | `store/data.mdb`            | the database at one moment                                                     |
 * | `blobs/<owner>/<id>`        | each file that the database names                                              |
 * | `blobs.sha256`              | their hashes, as `sha256sum -c` takes them                                     |
 * | `secrets/…`, `dkim/…`       | the keys of the daemon and of its domains                                      |
 * | `certificates/…`            | those had by ACME, their keys, and the accounts with authorities               |
 * | `config/<section>.toml`     | the settings, when the daemon has a folder of them                             |
 * | `manifest.json`             | counts, and sizes and hashes of all parts but the blobs; a backup without it is none |
 */
import { z } from 'zod'

/** Increased when an older Restante could not restore it. */
export const FORMAT_VERSION = 1

export const HEADER_FILE = 'restante-backup.json'
export const STORE_FILE = 'store/data.mdb'
export const BLOB_LIST_FILE = 'blobs.sha256'
export const MANIFEST_FILE = 'manifest.json'

export const headerSchema = z.object({
  format_version: z.int().min(1),
  schema_version: z.int().min(0),
  restante_version: z.string().max(100),
  created_at: z.iso.datetime(),
})
export type Header = z.infer<typeof headerSchema>

const partSchema = z.object({
  name: z.string().max(1000),
  bytes: z.int().min(0),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
})
export type Part = z.infer<typeof partSchema>

export const manifestSchema = headerSchema.extend({
  /** Data folder of the backup. */
  data_dir: z.string(),
  dkim_dir: z.string(),
  config_dir: z.string().nullable(),
  domains: z.array(z.string()),
  /** Files named in settings that are not in the backup. */
  files_elsewhere: z.array(z.string()),
  mailboxes: z.int().min(0),
  blobs: z.object({
    count: z.int().min(0),
    bytes: z.int().min(0),
    /** Neither in their place nor in the trash: lost before this backup. */
    missing: z.int().min(0),
  }),
  parts: z.array(partSchema),
})
export type Manifest = z.infer<typeof manifestSchema>

const NAME = /^restante-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.tar\.gz(\.enc)?(\.partial)?$/

/** Such as `restante-20261122T033000Z.tar.gz`, with `.enc` when it is encrypted. */
export function backupName(at: number, isSealed: boolean): string {
  const time = new Date(at).toISOString().replace(/\.\d+Z$/, 'Z')
  return `restante-${time.replaceAll('-', '').replaceAll(':', '')}.tar.gz${isSealed ? '.enc' : ''}`
}

/** Time of a backup by its file name, and if it is partial; undefined for any other name. */
export function parseBackupName(name: string): { at: number; isPartial: boolean } | undefined {
  const [, year, month, day, hour, minute, second, , partial] = NAME.exec(name) ?? []
  if (year === undefined) return undefined
  const at = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  return Number.isNaN(at) ? undefined : { at, isPartial: partial !== undefined }
}

/** Name until it is complete and on the disk. */
export const partialOf = (file: string): string => `${file}.partial`

/** Failure of a backup, with a message for the operator. */
export class BackupError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'BackupError'
  }
}
