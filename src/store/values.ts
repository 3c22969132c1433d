/** Reads rows whose values are JSON. */
import { decode } from './keys.js'
import type { RangeOptions, View } from './types.js'

export async function readValue<T>(view: View, key: Uint8Array): Promise<T | undefined> {
  const bytes = await view.get(key)
  return bytes && decode<T>(bytes)
}

export async function readValues<T>(view: View, range: RangeOptions): Promise<T[]> {
  return (await view.range(range)).map(([, value]) => decode<T>(value))
}
