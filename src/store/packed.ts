/**
 * Compact values: MessagePack, of records whose fields have fixed positions, so that rows don't repeat field names. A record declares the position of
 * each field once, for packing and for reading; new fields are added at the end, and are missing in older rows.
 * Fractional numbers take four bytes where their decimals fit. Bytes are returned as views of the row.
 */
import { FLOAT32_OPTIONS, Packr } from 'msgpackr'
import { timestamp } from '../lib/clock.js'
import { idBytes, idOf, type IdPrefix } from '../lib/ids.js'
import { asBuffer } from './keys.js'

/** Packs and reads values of one type. */
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

/** Trusts that the row was written in this form: only the service writes to the store. @throws SyntaxError for a garbled row */
export function unpack<T>(form: Form<T>, row: Uint8Array): T {
  try {
    return form.read(packr.unpack(row) as never)
  } catch (cause) {
    throw new SyntaxError('A row of the store cannot be read', { cause })
  }
}

/** Types that MessagePack supports natively: numbers, texts, lists and objects of them. */
export const plain = <T>(): Form<T> => ({ pack: (value) => value, read: (packed: T) => packed })

export const nullOr = <T>({ pack, read }: Form<T>): Form<T | null> => ({
  pack: (value) => (value === null ? null : pack(value)),
  read: (packed: never) => (packed === null ? null : read(packed)),
})

/** An optional field. */
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

/** Bytes shown in hexadecimal. */
export const hexForm: Form<string> = {
  pack: (value) => Buffer.from(value, 'hex'),
  read: (packed: Uint8Array) => asBuffer(packed).toString('hex'),
}

/** A time as text, stored as milliseconds since the epoch. */
export const timeForm: Form<string> = { pack: Date.parse, read: timestamp }

/** One of a list of words, stored by position: new words are added at the end. */
export const oneOf = <T extends string>(words: readonly T[]): Form<T> => ({
  pack: (word) => words.indexOf(word),
  read(place: number) {
    const word = words[place]
    if (word === undefined) throw new RangeError(`there is no word at position ${place}`)
    return word
  },
})

/** The forms of all fields of a record, in the order of their positions. */
export type Fields<T> = { readonly [K in keyof T]-?: Form<T[K]> }

/** Missing fields at the end take no space, and are missing after reading. */
export function record<T extends object>(fields: Fields<T>): Form<T> {
  const names = Object.keys(fields) as (keyof T)[]
  const forms = Object.values<Form<unknown>>(fields)
  return {
    pack(value) {
      const packed: unknown[] = []
      let end = 0
      for (let place = 0; place < names.length; place++) {
        const field = forms[place]?.pack(value[names[place] as keyof T])
        packed.push(field)
        if (field !== null) end = place + 1
      }
      packed.length = end
      return packed
    },
    read(packed: unknown[]) {
      const value: Partial<Record<keyof T, unknown>> = {}
      for (let place = 0; place < names.length; place++) {
        const field = forms[place]?.read((packed[place] ?? null) as never)
        if (field !== undefined) value[names[place] as keyof T] = field
      }
      return value as T
    },
  }
}

const numberForm = plain<number>()

/** A row that is one number. */
export const packNumber = (value: number): Uint8Array => pack(numberForm, value)
export const unpackNumber = (row: Uint8Array): number => unpack(numberForm, row)
