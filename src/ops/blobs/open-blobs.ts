/** Opens the blobs of a data folder where the settings have them: as files in it, or in an S3 bucket. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { SettingError } from '../../config/errors.js'
import { readBlobCredentials } from '../../config/files.js'
import type { Config } from '../../config/schema.js'
import { DAY, type Clock } from '../../lib/clock.js'
import { ifExists } from '../../lib/files.js'
import { messageOf } from '../../lib/thrown.js'
import { isName } from '../../store/blobs/blob-files.js'
import { openBlobs, readBlobs, type BlobsOptions } from '../../store/blobs/blobs.js'
import { BucketError, S3Error } from '../../store/blobs/s3/errors.js'
import { placeOfBlobs } from '../../store/blobs/s3/own-mark.js'
import type { S3BlobsOptions } from '../../store/blobs/s3/s3-blobs.js'
import { UnfitFolderError } from '../../store/schema-version.js'
import type { Blobs } from '../../store/types.js'

export interface BlobSettings extends Pick<Config, 'blobs'> {
  server: Pick<Config['server'], 'data_dir'>
}

export interface BlobHooks
  extends Pick<BlobsOptions, 'clock' | 'onDamaged' | 'onSweep'>, Pick<S3BlobsOptions, 'onRetry'> {}

export interface OpenedBlobs {
  blobs: Blobs
  close(): void
}

/**
 * Checks the place first: a bucket must be there, allow everything needed and belong to this data folder, and no blobs may be elsewhere.
 *
 * @throws UnfitFolderError if the place or the settings are wrong, and SettingError if the server does not answer now; nothing was changed
 */
export async function openConfiguredBlobs(
  config: BlobSettings & Pick<Config, 'retention'>,
  { clock, onRetry, ...hooks }: BlobHooks,
): Promise<OpenedBlobs> {
  const options = { clock, ...hooks, trashMs: config.retention.trash_days * DAY }
  const { dir } = foldersOf(config)
  await refuseOtherPlace(config)
  if (config.blobs.url === '') return { blobs: await openBlobs({ dir, ...options }), close: () => undefined }
  if (((await ifExists(readdir(dir))) ?? []).some(isName))
    throw new UnfitFolderError(
      `blobs.url is set, and ${dir} has blobs. Copy them to ${config.blobs.url} (docs/blobs.md) and move the folder away; or leave blobs.url empty`,
    )
  const s3 = { ...(await explained(bucketOf(config, clock))), ...options, onRetry }
  const { checkBucket, createS3Blobs } = await loadS3()
  await explained(checkBucket(s3))
  const blobs = createS3Blobs(s3)
  return { blobs, close: () => blobs.close() }
}

/**
 * The blobs for reading only: nothing is created, claimed or asked for.
 *
 * @throws UnfitFolderError if the blobs of the data folder are elsewhere
 */
export async function readConfiguredBlobs(
  config: BlobSettings,
  clock: Clock,
): Promise<{ blobs: Pick<Blobs, 'read' | 'size' | 'list'>; close(): void }> {
  await refuseOtherPlace(config)
  if (config.blobs.url === '') return { blobs: readBlobs(foldersOf(config).dir, clock), close: () => undefined }
  const { createS3Blobs } = await loadS3()
  const blobs = createS3Blobs(await explained(bucketOf(config, clock)))
  return { blobs, close: () => blobs.close() }
}

/** Sends the bucket one request. @returns why it failed; undefined if it did not */
export async function bucketProblem(config: BlobSettings, clock: Clock): Promise<string | undefined> {
  const { askBucket } = await loadS3()
  try {
    await askBucket({ ...(await bucketOf(config, clock)), limits: { tries: 1 } })
    return undefined
  } catch (error) {
    return messageOf(error)
  }
}

/** Loaded with the first use: most installations keep files. */
const loadS3 = () => import('./s3.js')

async function refuseOtherPlace(config: BlobSettings): Promise<void> {
  const { url } = config.blobs
  const { localDir } = foldersOf(config)
  const place = await explained(placeOfBlobs(localDir))
  if (place !== undefined && place !== url)
    throw new UnfitFolderError(
      `blobs.url is ${url === '' ? 'not set' : url}, and the blobs of this data folder are in ${place}. Set blobs.url = "${place}"; or move them as docs/blobs.md says, and then ${localDir} away`,
    )
}

function foldersOf({ server }: BlobSettings): { dir: string; localDir: string } {
  return { dir: join(server.data_dir, 'blobs'), localDir: join(server.data_dir, 'blobs.s3') }
}

async function bucketOf(config: BlobSettings, clock: Clock): Promise<S3BlobsOptions> {
  const { url, endpoint, region, path_style, ca_file } = config.blobs
  const { host: bucket, pathname } = new URL(url)
  const credentials = () => readBlobCredentials(config.blobs)
  await credentials()
  return {
    endpoint: new URL(endpoint === '' ? `https://s3.${region}.amazonaws.com` : endpoint),
    bucket,
    prefix: pathname.slice(1),
    region,
    pathStyle: path_style,
    ca: ca_file === '' ? undefined : await readFile(ca_file, 'utf8'),
    credentials,
    localDir: foldersOf(config).localDir,
    clock,
  }
}

/** Errors of the place as errors of its settings. */
async function explained<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof S3Error && error.mayPass)
      throw Object.assign(new SettingError('blobs.url', error.message), { cause: error })
    if (error instanceof S3Error || error instanceof BucketError)
      throw new UnfitFolderError(`blobs.url: ${error.message}`, { cause: error })
    throw new UnfitFolderError(`blobs: ${messageOf(error)}`, { cause: error })
  }
}
