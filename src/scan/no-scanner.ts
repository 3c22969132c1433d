/** The scanner of an installation without ClamAV. */
import type { Scanner } from './types.js'

export const scannerOff: Scanner = {
  enabled: false,
  scan: async () => ({ virus: 'unscanned', reason: 'scanning is off' }),
}
