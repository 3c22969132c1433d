/** Chooses the HTTP server used without TLS. */
import { SettingError } from '../../config/errors.js'
import { nodeDriver } from './node.js'
import type { Driver, DriverName } from './types.js'
import { loadUws } from './uws.js'

/** `auto`: uWebSockets.js if its binary loads, since it is faster; Node's server otherwise. */
export type DriverChoice = 'auto' | DriverName

export class DriverError extends SettingError {
  constructor(problem: string) {
    super(
      'server.http_driver',
      `"uws" cannot be used: ${problem}. Set it to "auto" or "node", which serve the same with Node's own server, or install a build of uWebSockets.js for this Node and system`,
    )
  }
}

/** @throws DriverError with the remedy */
export function chooseDriver(choice: DriverChoice, load: typeof loadUws = loadUws): Driver {
  if (choice === 'node') return nodeDriver
  const loaded = load()
  if ('driver' in loaded) return loaded.driver
  if (choice === 'uws') throw new DriverError(loaded.problem)
  return nodeDriver
}
