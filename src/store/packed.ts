/**
 * Compact values: MessagePack, of arrays whose fields have fixed places, so that no row repeats the names of its fields. Who writes a record says in one
 * place which field stands where; a new field is put at the end, and what an older row lacks is null there.
 *
 * Numbers that are no whole ones take four bytes where their decimals fit. A missing value is null. Bytes come back as views of the row.
 */
import { FLOAT32_OPTIONS, Packr } from 'msgpackr'

const packr = new Packr({
  useRecords: false,
  variableMapSize: true,
  encodeUndefinedAsNil: true,
  useFloat32: FLOAT32_OPTIONS.DECIMAL_FIT,
})

export function pack(value: readonly unknown[]): Uint8Array {
  return packr.pack(value)
}

/**
 * What `read` makes of the fields of a row. Trusts that it was written as a `T`: only the service writes the store.
 *
 * @throws SyntaxError for a garbled row
 */
export function unpack<T, R>(bytes: Uint8Array, read: (fields: T) => R): R {
  try {
    return read(packr.unpack(bytes))
  } catch (cause) {
    throw new SyntaxError('A row of the store can not be read', { cause })
  }
}

/** A row that is one number. */
export const packNumber = (value: number): Uint8Array => packr.pack(value)
export const unpackNumber = (row: Uint8Array): number => unpack(row, (value: number) => value)
