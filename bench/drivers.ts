/** The servers of HTTP that the daemon can have on this machine. */
import type { DriverName } from '../src/http/listener/types.js'
import { loadUwsBinary } from '../src/lib/native.js'

export const DRIVERS: readonly DriverName[] = 'problem' in loadUwsBinary() ? ['node'] : ['uws', 'node']
