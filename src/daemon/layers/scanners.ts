/** External scanners, if configured: clamd for viruses, rspamd for spam. */
import { SECOND } from '../../lib/clock.js'
import { createClamavScanner } from '../../scan/clamav.js'
import { scannerOff } from '../../scan/no-scanner.js'
import { createRspamd } from '../../scan/rspamd.js'
import type { Scanner } from '../../scan/types.js'
import type { Ground } from './ground.js'
import type { Stops } from './stops.js'

export type Scanners = ReturnType<typeof buildScanners>

export function buildScanners({ config, clock, part, metrics }: Ground, stops: Stops) {
  const { scan, smtp } = config
  const scanParts = { clock, log: part('scan'), metrics }
  const clamav =
    scan.clamav === ''
      ? undefined
      : createClamavScanner({
          address: scan.clamav,
          timeoutMs: scan.timeout_seconds * SECOND,
          maxBytes: smtp.max_message_bytes,
          concurrency: scan.concurrency,
          maxWaiting: scan.max_waiting,
          ...scanParts,
        })
  stops.rest.push(async () => clamav?.close())
  void clamav?.greet()
  const rspamd =
    scan.rspamd === ''
      ? undefined
      : createRspamd({ address: scan.rspamd, timeoutMs: scan.rspamd_timeout_seconds * SECOND, ...scanParts })
  stops.rest.push(async () => rspamd?.close())
  const scanner: Scanner = clamav ?? scannerOff
  return { scanner, rspamd }
}
