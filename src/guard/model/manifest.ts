/** The manifest of the text model. It is checked by hand: judging threads load no schema library for one file. */
import { VERSION } from './features.js'

/** Kinds of mail, in the order of their tables; `bulk` is wanted mail to many. */
export const KINDS = ['spam', 'phishing', 'scam', 'bulk'] as const
export type Kind = (typeof KINDS)[number]

/** A shipped table: the value of one step of its 8-bit weights, and its bias. */
interface Table {
  scale: number
  bias: number
}

export interface ModelManifest {
  features: typeof VERSION
  /** SHA-256 of the weights, in hexadecimal. */
  sha256: string
  words: Table
  pieces: Table
  kinds: Record<Kind, Table>
  /** Log odds = `text` × score of the tables + `findings` × score of the rules + `offset`. */
  calibration: { text: number; findings: number; offset: number }
}

/** @throws Error that names the field which is missing or wrong */
export function parseManifest(value: unknown): ModelManifest {
  const manifest = objectAt(value, 'the manifest')
  const { sha256 } = manifest
  if (manifest.features !== VERSION) throw problem('features')
  if (typeof sha256 !== 'string') throw problem('sha256')
  const kinds = objectAt(manifest.kinds, 'kinds')
  return {
    features: VERSION,
    sha256,
    words: tableAt(manifest.words, 'words'),
    pieces: tableAt(manifest.pieces, 'pieces'),
    kinds: {
      spam: tableAt(kinds.spam, 'kinds.spam'),
      phishing: tableAt(kinds.phishing, 'kinds.phishing'),
      scam: tableAt(kinds.scam, 'kinds.scam'),
      bulk: tableAt(kinds.bulk, 'kinds.bulk'),
    },
    calibration: numbersAt(manifest.calibration, 'calibration', ['text', 'findings', 'offset']),
  }
}

const tableAt = (value: unknown, name: string): Table => numbersAt(value, name, ['scale', 'bias'])

function numbersAt<K extends string>(value: unknown, name: string, keys: readonly K[]): Record<K, number> {
  const fields = objectAt(value, name)
  const found: Partial<Record<K, number>> = {}
  for (const key of keys) {
    const number = fields[key]
    if (typeof number !== 'number' || !Number.isFinite(number)) throw problem(`${name}.${key}`)
    found[key] = number
  }
  // All keys are there now.
  return found as Record<K, number>
}

function objectAt(value: unknown, name: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw problem(name)
  return { ...value }
}

const problem = (name: string): Error => new Error(`the manifest of the text model is damaged: ${name}`)
