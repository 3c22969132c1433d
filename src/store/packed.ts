/**
 * Compact values: MessagePack, of records whose fields have fixed places, so that no row repeats their names. A record says once which field stands where,
 * and with that both how it is packed and how it is read; a new field is put at the end, and what an older row lacks is missing there.
 *
 * Numbers that are no whole ones take four bytes where their decimals fit. Bytes come back as views of the row.
 */
import { FLOAT32_OPTIONS, Packr } from 'msgpackr'
import { timestamp } from '../lib/clock.js'
import { idBytes, idOf } from '../lib/ids.js'
import type { IdPrefix } from '../lib/ids.js'
import { asBuffer } from './keys.js'

/** How values of a kind are packed, and read again. */
export interface Form<T> {
  pack(value: T): unknown
  read(packed: never): T
}

const packr = new Packr({
  useRecords: false,
  variableMapSize: true,
  encodeUndefinedAsNil: true,
  useFloat32: FLOAT32_OPTIONS.DECIMAL_FIT,
})

export const pack = <T>(form: Form<T>, value: T): Uint8Array => packr.pack(form.pack(value))

/**
 * Trusts that the row was written in this form: only the service writes the store.
 *
 * @throws SyntaxError for a garbled row
 */
export function unpack<T>(form: Form<T>, row: Uint8Array): T {
  try {
    return form.read(packr.unpack(row) as never)
  } catch (cause) {
    throw new SyntaxError('A row of the store can not be read', { cause })
  }
}

/** What MessagePack has a form of its own for: numbers, texts, lists and objects of them. */
export const plain = <T>(): Form<T> => ({ pack: (value) => value, read: (packed: T) => packed })

export const nullOr = <T>({ pack, read }: Form<T>): Form<T | null> => ({
  pack: (value) => (value === null ? null : pack(value)),
  read: (packed: never) => (packed === null ? null : read(packed)),
})

/** A field that may be missing. */
export const maybe = <T>({ pack, read }: Form<T>): Form<T | undefined> => ({
  pack: (value) => (value === undefined ? null : pack(value)),
  read: (packed: never) => (packed === null || packed === undefined ? undefined : read(packed)),
})

export const listOf = <T>({ pack, read }: Form<T>): Form<T[]> => ({
  pack: (values) => values.map(pack),
  read: (packed: never[]) => packed.map(read),
})

/** The 16 bytes of an id. */
export const idForm = (prefix: IdPrefix): Form<string> => ({
  pack: idBytes,
  read: (packed: Uint8Array) => idOf(prefix, packed),
})

/** Bytes that are shown in hexadecimal. */
export const hexForm: Form<string> = {
  pack: (value) => Buffer.from(value, 'hex'),
  read: (packed: Uint8Array) => asBuffer(packed).toString('hex'),
}

/** A time as it is shown, of which milliseconds since the epoch are stored. */
export const timeForm: Form<string> = { pack: Date.parse, read: timestamp }

/** One of some words, of which the place is stored: a new one is put at the end. */
export const oneOf = <T extends string>(words: readonly T[]): Form<T> => ({
  pack: (word) => words.indexOf(word),
  read(place: number) {
    const word = words[place]
    if (word === undefined) throw new RangeError(`there is no word ${place}`)
    return word
  },
})

/** The forms of all fields of a record, in the order of their places. */
export type Fields<T> = { readonly [K in keyof T]-?: Form<T[K]> }

/** Missing fields at the end take no place, and are missing again. */
export function record<T extends object>(fields: Fields<T>): Form<T> {
  const all = Object.entries<Form<unknown>>(fields)
  return {
    pack(value) {
      const packed = all.map(([name, form]) => form.pack(value[name as keyof T]))
      while (packed.length > 0 && packed.at(-1) === null) packed.pop()
      return packed
    },
    read(packed: unknown[]) {
      const value: Record<string, unknown> = {}
      all.forEach(([name, form], place) => {
        const field = form.read((packed[place] ?? null) as never)
        if (field !== undefined) value[name] = field
      })
      return value as T
    },
  }
}

const numberForm = plain<number>()

/** A row that is one number. */
export const packNumber = (value: number): Uint8Array => pack(numberForm, value)
export const unpackNumber = (row: Uint8Array): number => unpack(numberForm, row)
