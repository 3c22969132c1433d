/** External scanners, if configured: clamd for viruses, rspamd for spam. */
import { scanSettings } from '../../config/derived.js'
import type { Clock } from '../../lib/clock.js'
import type { ScanSettings } from '../../mx/fronts/settings.js'
import type { Log } from '../../observe/log.js'
import type { Meter } from '../../observe/metrics.js'
import { createClamavScanner } from '../../scan/clamav.js'
import { scannerOff } from '../../scan/no-scanner.js'
import { createRspamd } from '../../scan/rspamd.js'
import type { Scanner } from '../../scan/types.js'
import type { Ground } from './ground.js'
import type { Stops } from './stops.js'

export type Scanners = ReturnType<typeof createScanners>

export function createScanners(
  { clamav: clamd, timeoutMs, maxBytes, concurrency, maxWaiting, rspamd: filter, rspamdTimeoutMs }: ScanSettings,
  parts: { clock: Clock; log: Log; metrics: Meter },
) {
  const clamav =
    clamd === ''
      ? undefined
      : createClamavScanner({ address: clamd, timeoutMs, maxBytes, concurrency, maxWaiting, ...parts })
  void clamav?.greet()
  const rspamd = filter === '' ? undefined : createRspamd({ address: filter, timeoutMs: rspamdTimeoutMs, ...parts })
  const scanner: Scanner = clamav ?? scannerOff
  return {
    scanner,
    rspamd,
    async close(): Promise<void> {
      clamav?.close()
      await rspamd?.close()
    },
  }
}

export function buildScanners({ config, clock, part, metrics }: Ground, stops: Stops): Scanners {
  const scanners = createScanners(scanSettings(config), { clock, log: part('scan'), metrics })
  stops.rest.push(() => scanners.close())
  return scanners
}
