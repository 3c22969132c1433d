/**
 * Stores pairs obtained from an authority, each in a folder with its name: `pair.pem`, key and chain in one file, so that a crash cannot leave two that
 * don't match; and `state.json`, the result of the last order.
 */
import { z } from 'zod'
import { messageOf } from '../lib/thrown.js'
import type { SecretFiles } from '../lib/secret-files.js'
import type { Log } from '../observe/log.js'
import { checkedPair } from './key-pair.js'
import type { HeldCertificate } from './types.js'

const KEY = /-----BEGIN (?:EC )?PRIVATE KEY-----[^-]+-----END (?:EC )?PRIVATE KEY-----/
const CERTIFICATES = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

const stateSchema = z.object({
  /** The authority of the last order. */
  directory: z.string(),
  /** Authority of the certificate; null if there is none. */
  issued_by: z.string().nullable(),
  /** Milliseconds since 1970. */
  tried_at: z.number(),
  /** Consecutive failures up to the last order; 0 if that succeeded. */
  failures: z.int().min(0),
  error: z.string().nullable(),
  next_try_at: z.number().nullable(),
})

export type OrderState = z.infer<typeof stateSchema>

export type CertFiles = ReturnType<typeof createCertFiles>

export function createCertFiles(files: SecretFiles, log: Pick<Log, 'warn'>) {
  const [pairOf, stateOf] = [(name: string) => `${name}/pair.pem`, (name: string) => `${name}/state.json`]

  return {
    /** Undefined if missing, or unusable: then it is logged, and another one will be requested. */
    async read(name: string): Promise<HeldCertificate | undefined> {
      try {
        const text = await files.read(pairOf(name))
        return text === undefined ? undefined : pairIn(text, files.placeOf(pairOf(name)))
      } catch (err) {
        log.warn({ err, name }, 'a stored certificate is unusable; another one will be requested')
        return undefined
      }
    },
    /** @throws Error if they don't match each other or the name; then the old ones stay */
    async write(name: string, key: string, chain: string): Promise<HeldCertificate> {
      const text = `${key.trim()}\n${(chain.match(CERTIFICATES) ?? []).join('\n')}\n`
      const pair = pairIn(text, files.placeOf(pairOf(name)))
      if (!pair.names.includes(name))
        throw new Error(`the certificate is for ${pair.names.join(', ')}, and not for ${name}`)
      await files.replace(pairOf(name), text)
      return pair
    },
    async state(name: string): Promise<OrderState | undefined> {
      try {
        const text = await files.read(stateOf(name))
        return text === undefined ? undefined : stateSchema.parse(JSON.parse(text))
      } catch (err) {
        log.warn({ name, problem: messageOf(err) }, 'the result of the last order of a certificate is unknown')
        return undefined
      }
    },
    setState: (name: string, state: OrderState): Promise<void> =>
      files.replace(stateOf(name), `${JSON.stringify(state)}\n`),
  }
}

function pairIn(text: string, place: string): HeldCertificate {
  const key = KEY.exec(text)?.[0] ?? ''
  const cert = (text.match(CERTIFICATES) ?? []).map((pem) => `${pem}\n`).join('')
  const files = { keyFile: place, certFile: place }
  return { ...files, source: 'acme', ...checkedPair(`${key}\n`, cert, files) }
}
