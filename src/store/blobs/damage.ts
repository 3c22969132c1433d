/** How a blob that is not what was written, or not there, is reported. */
import { DamagedBlobError } from '../errors.js'
import type { WrittenBlob } from '../types.js'

export type DamageOf = (what: string) => DamagedBlobError

export function damageOf(owner: string, id: string, onDamaged?: (error: DamagedBlobError) => void): DamageOf {
  return (what) => {
    const error = new DamagedBlobError(owner, id, what)
    onDamaged?.(error)
    return error
  }
}

export const OTHER_BYTES = 'its bytes differ from those that were written'

/** @throws DamagedBlobError */
export function checkSize(size: number, damage: DamageOf, { bytes }: Pick<WrittenBlob, 'bytes'>): void {
  if (size !== bytes) throw damage(`it has ${size} bytes instead of ${bytes}`)
}

export function noBlob(owner: string, id: string, cause?: unknown): Error {
  return new Error(`There is no blob ${owner}/${id}`, { cause })
}
