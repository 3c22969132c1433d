/** The one place that holds all certificates, for the receiver of mail and for the web: the operator's own, and those had from an authority. */
import { ownPairs } from '../config/files.js'
import type { Config } from '../config/schema.js'
import { readPair } from './pair.js'
import type { Certificates, HeldCertificate } from './types.js'

/** @throws Error that says which file of the operator's is unusable, and why */
export async function openCertificates(config: Config): Promise<Certificates> {
  let held = await readAll(config)
  const listeners = new Set<() => void>()

  function of(name: string): HeldCertificate | undefined {
    const asked = name.toLowerCase()
    return best(asked, held) ?? best(asked.replace(/^[^.]+/, '*'), held)
  }

  return {
    of,
    shownBy: (setting, name) => held.find(({ source }) => source === setting) ?? of(name),
    all: () => held,
    onChange(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    async read(settings) {
      const fresh = await readAll(settings)
      return () => {
        held = fresh
        for (const listener of listeners) listener()
      }
    },
  }
}

function readAll(config: Config): Promise<HeldCertificate[]> {
  return Promise.all(ownPairs(config).map(({ key, cert, setting }) => readPair(key, cert, setting)))
}

/** The operator's own before others, then the one that lasts longest. */
function best(name: string, held: readonly HeldCertificate[]): HeldCertificate | undefined {
  return held.filter(({ names }) => names.includes(name)).sort((a, b) => rank(b) - rank(a))[0]
}

function rank({ source, notAfter }: HeldCertificate): number {
  return source === 'acme' ? notAfter - Number.MAX_SAFE_INTEGER : notAfter
}
