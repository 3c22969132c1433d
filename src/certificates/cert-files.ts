/**
 * Stores pairs obtained from an authority in `<data_dir>/certificates/NAME/`: `pair.pem`, key and chain in one file, so that a crash cannot leave two that
 * don't match; and `state.json`, the result of the last order.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { messageOf } from '../lib/thrown.js'
import { ifExists, makeFolder, replaceSynced } from '../lib/files.js'
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

/** @param folder made when something is written */
export function createCertFiles(folder: string, log: Pick<Log, 'warn'>) {
  const fileOf = (name: string, file: string): string => join(folder, name, file)

  async function put(name: string, file: string, text: string): Promise<void> {
    await makeFolder(join(folder, name))
    await replaceSynced(fileOf(name, file), text)
  }

  return {
    /** Undefined if missing, or unusable: then it is logged, and another one will be requested. */
    async read(name: string): Promise<HeldCertificate | undefined> {
      const file = fileOf(name, 'pair.pem')
      try {
        const text = await ifExists(readFile(file, 'utf8'))
        return text === undefined ? undefined : pairIn(text, file)
      } catch (err) {
        log.warn({ err, name }, 'a stored certificate is unusable; another one will be requested')
        return undefined
      }
    },
    /** @throws Error if they don't match each other or the name; then the old ones stay */
    async write(name: string, key: string, chain: string): Promise<HeldCertificate> {
      const file = fileOf(name, 'pair.pem')
      const text = `${key.trim()}\n${(chain.match(CERTIFICATES) ?? []).join('\n')}\n`
      const pair = pairIn(text, file)
      if (!pair.names.includes(name))
        throw new Error(`the certificate is for ${pair.names.join(', ')}, and not for ${name}`)
      await put(name, 'pair.pem', text)
      return pair
    },
    async state(name: string): Promise<OrderState | undefined> {
      const file = fileOf(name, 'state.json')
      try {
        const text = await ifExists(readFile(file, 'utf8'))
        return text === undefined ? undefined : stateSchema.parse(JSON.parse(text))
      } catch (err) {
        log.warn({ name, problem: messageOf(err) }, 'the result of the last order of a certificate is unknown')
        return undefined
      }
    },
    setState: (name: string, state: OrderState): Promise<void> => put(name, 'state.json', `${JSON.stringify(state)}\n`),
  }
}

function pairIn(text: string, file: string): HeldCertificate {
  const key = KEY.exec(text)?.[0] ?? ''
  const cert = (text.match(CERTIFICATES) ?? []).map((pem) => `${pem}\n`).join('')
  const files = { keyFile: file, certFile: file }
  return { ...files, source: 'acme', ...checkedPair(`${key}\n`, cert, files) }
}
