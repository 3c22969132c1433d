/** The version of this installation, from its package.json. */
import { readFileSync } from 'node:fs'
import { z } from 'zod'

export function installedVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  return z.object({ version: z.string() }).parse(JSON.parse(text)).version
}
