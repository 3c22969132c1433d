/** Reads stored certificates, for commands without a daemon; callers do the checks. */
import { ownPairs, readCertificate } from '../config/files.js'
import type { Config } from '../config/schema.js'
import type { SecretFiles } from '../lib/secret-files.js'
import { createCertFiles, type CertFiles } from './cert-files.js'
import { isCovered, namesByAcme } from './names.js'
import { readPair } from './key-pair.js'

/** The certificate for STARTTLS and its key, PEM; undefined when there is none. @param files of certificates @throws the file system's error */
export async function smtpCertificate(
  config: Config,
  files: SecretFiles,
): Promise<{ key: Buffer; cert: Buffer; source: 'smtp.tls_cert' | 'acme' } | undefined> {
  const own = await readCertificate(config)
  if (own) return { ...own, source: 'smtp.tls_cert' }
  const { hostname } = config.domains
  const pair = namesByAcme(config).includes(hostname) ? await certFilesOf(files).read(hostname) : undefined
  return pair && { key: Buffer.from(pair.key), cert: Buffer.from(pair.cert), source: 'acme' }
}

export interface WantedName {
  name: string
  hasOne: boolean
  /** Error of the last order; null if there was none. */
  error: string | null
}

/** Names that need a certificate from the authority. @param secretFiles of certificates @throws Error if a certificate of the operator is unusable */
export async function wantedNames(config: Config, secretFiles: SecretFiles): Promise<WantedName[]> {
  const files = certFilesOf(secretFiles)
  const own = await Promise.all(ownPairs(config).map(({ key, cert, setting }) => readPair(key, cert, setting)))
  const names = namesByAcme(config).filter((name) => !isCovered(name, own, config.domains.hostname))
  return Promise.all(
    names.map(async (name) => ({
      name,
      hasOne: (await files.read(name)) !== undefined,
      error: (await files.state(name))?.error ?? null,
    })),
  )
}

function certFilesOf(files: SecretFiles): CertFiles {
  return createCertFiles(files, { warn: () => undefined })
}
