/** All certificates for the receiver and the web: the operator's own, and those obtained from an authority. */
import { ownPairs } from '../config/files.js'
import type { Config } from '../config/schema.js'
import { readPair } from './key-pair.js'
import type { CertFiles } from './cert-files.js'
import type { Certificates, HeldCertificate } from './types.js'
import { isCovered, namesByAcme } from './names.js'

export type HeldCertificates = Awaited<ReturnType<typeof openCertificates>>

/**
 * @param config decides the names for the authority; `read` gets its own for the files
 * @throws Error with the operator's file that is unusable, and the reason
 */
export async function openCertificates(config: Config, files: Pick<CertFiles, 'read'>) {
  const { hostname } = config.domains
  const candidates = namesByAcme(config)
  const listeners = new Set<() => void>()
  const had = new Map<string, HeldCertificate>()
  await readObtained()
  let own = await readOwn(config)
  let held = together()

  async function readObtained(): Promise<void> {
    for (const name of candidates) {
      const pair = await files.read(name)
      if (pair) had.set(name, pair)
    }
  }

  /** Names that need a certificate from an authority, because the operator's own do not cover them. */
  function wanted(): string[] {
    return candidates.filter((name) => !isCovered(name, own, hostname))
  }

  function together(): HeldCertificate[] {
    return [...own, ...wanted().flatMap((name) => had.get(name) ?? [])]
  }

  function changed(): void {
    held = together()
    for (const listener of listeners) listener()
  }

  function of(name: string): HeldCertificate | undefined {
    const asked = name.toLowerCase()
    return best(asked, held) ?? best(asked.replace(/^[^.]+/, '*'), held)
  }

  const certificates: Certificates = {
    of,
    shownBy: (setting, name) => held.find(({ source }) => source === setting) ?? of(name),
    all: () => held,
    onChange(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    async read(settings) {
      const fresh = await readOwn(settings)
      return () => {
        own = fresh
        changed()
      }
    },
  }
  return {
    ...certificates,
    wanted,
    /** Certificate of an authority for that name, in use or not. */
    had: (name: string): HeldCertificate | undefined => had.get(name),
    /** Reads those of the authority again: another daemon may have obtained some. */
    async readAgain(): Promise<void> {
      const before = new Map(had)
      await readObtained()
      if (candidates.some((name) => before.get(name)?.cert !== had.get(name)?.cert)) changed()
    },
    /** Puts a certificate of an authority into use. */
    put(name: string, pair: HeldCertificate): void {
      had.set(name, pair)
      changed()
    },
  }
}

function readOwn(config: Config): Promise<HeldCertificate[]> {
  return Promise.all(ownPairs(config).map(({ key, cert, setting }) => readPair(key, cert, setting)))
}

/** The operator's own first, then the latest expiry. */
function best(name: string, held: readonly HeldCertificate[]): HeldCertificate | undefined {
  return held
    .filter(({ names }) => names.includes(name))
    .sort((a, b) => Number(a.source === 'acme') - Number(b.source === 'acme') || b.notAfter - a.notAfter)[0]
}
