/** How the parts of the daemon end: what accepts and what works together, then what they stand on, in the opposite order of its start. */
import type { Logger } from '../../observe/log.js'

export type Stop = () => Promise<unknown>

export interface Stops {
  /** What accepts or works. All of it ends within one grace period: work that is left is in the queue. */
  active: Stop[]
  /** What that stands on. */
  rest: Stop[]
}

/** @returns stops everything that was entered by then, once however often it is called; never rejects */
export function stopperOf({ active, rest }: Stops, log: Logger): () => Promise<void> {
  let running: Promise<void> | undefined
  const stop = async (): Promise<void> => {
    await settle(active, log)
    for (const part of rest.reverse()) await settle([part], log)
  }
  return () => (running ??= stop())
}

async function settle(stops: Stop[], log: Logger): Promise<void> {
  const results = await Promise.allSettled(stops.map((stop) => stop()))
  for (const result of results)
    if (result.status === 'rejected') log.error({ err: result.reason }, 'a part did not stop as it should')
}
