/** The manifest of the text model. It is checked by hand: judging threads load no schema library for one file. */
import { ABUSE_CLASSES, type AbuseClass } from '../abuse-classes.js'
import { VERSION } from './features.js'
import type { Calibration } from './scores.js'

/** Size of the table of each kind and class, a power of two: the low bits of a word's place. */
export const KIND_PLACES = 16 * 1024

/** Kinds of mail, in the order of their tables; `bulk` is wanted mail to many. */
export const KINDS = ['spam', 'phishing', 'scam', 'bulk'] as const
export type Kind = (typeof KINDS)[number]
export { ABUSE_CLASSES, type AbuseClass }

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
  phrasing: Table
  kinds: Record<Kind, Table>
  classes: Record<AbuseClass, Table>
  familiar: Table
  calibration: Calibration
}

const LINE = ['known', 'phrasing', 'offset'] as const

/** @throws Error that names the field which is missing or wrong */
export function parseManifest(value: unknown): ModelManifest {
  const manifest = objectAt(value, 'the manifest')
  const { sha256 } = manifest
  if (manifest.features !== VERSION) throw problem('features')
  if (typeof sha256 !== 'string') throw problem('sha256')
  const calibration = objectAt(manifest.calibration, 'calibration')
  return {
    features: VERSION,
    sha256,
    words: tableAt(manifest.words, 'words'),
    pieces: tableAt(manifest.pieces, 'pieces'),
    phrasing: tableAt(manifest.phrasing, 'phrasing'),
    kinds: tablesAt(manifest.kinds, 'kinds', KINDS),
    classes: tablesAt(manifest.classes, 'classes', ABUSE_CLASSES),
    familiar: tableAt(manifest.familiar, 'familiar'),
    calibration: {
      familiar: numbersAt(calibration.familiar, 'calibration.familiar', LINE),
      other: numbersAt(calibration.other, 'calibration.other', LINE),
      gate: numbersAt(calibration.gate, 'calibration.gate', ['scale', 'offset']),
      ...numbersAt(manifest.calibration, 'calibration', ['findings']),
    },
  }
}

const tableAt = (value: unknown, name: string): Table => numbersAt(value, name, ['scale', 'bias'])

function tablesAt<K extends string>(value: unknown, name: string, keys: readonly K[]): Record<K, Table> {
  const fields = objectAt(value, name)
  const found: Partial<Record<K, Table>> = {}
  for (const key of keys) found[key] = tableAt(fields[key], `${name}.${key}`)
  // All keys are there now.
  return found as Record<K, Table>
}

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
