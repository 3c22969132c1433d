/** Shutdown: first what accepts or works, all together, then what it stands on, in reverse order of the start. */
import type { Logger } from '../../observe/log.js'

export type Stop = () => Promise<unknown>

export interface Stops {
  /** Parts that accept or work. They end within one grace period; unfinished work stays in the queue. */
  active: Stop[]
  /** Parts that the active ones use, such as the store. */
  rest: Stop[]
}

/** @returns stops all registered parts, once; never rejects */
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
