/** Counters of the day, recorded from the metrics, for `restante top`, the admin listener and the staff page. */
import type { DayParts } from '../../admin/day.js'
import { timestamp } from '../../lib/clock.js'
import { openDayFile } from '../../observe/day/file.js'
import { createNow } from '../../observe/day/now.js'
import { startRecorder } from '../../observe/day/recorder.js'
import { dayView } from '../../observe/day/view.js'
import type { Ground } from '../layers/ground.js'
import type { Outbound } from '../layers/outbound.js'
import type { Stops } from '../layers/stops.js'

const MAX_ANSWER_CHARS = 200

export async function startDay(
  { config, metrics, clock, part }: Ground,
  { paused }: Pick<Outbound, 'paused'>,
  version: string,
  { rest }: Stops,
): Promise<NonNullable<DayParts['day']>> {
  const file = openDayFile(config.server.data_dir)
  const recorder = await startRecorder({ metrics, file, clock, log: part('day') })
  // Stops after everything that counts, and before the store, which some counters read.
  rest.push(() => recorder.stop())
  const now = createNow({
    day: recorder,
    metrics,
    version,
    startedAt: clock.now(),
    clock,
    paused: (limit) =>
      paused.list(limit).map(({ name, until, answer }) => ({
        name,
        until: timestamp(until),
        answer: answer.slice(0, MAX_ANSWER_CHARS),
      })),
  })
  return { now, view: async (resolution) => dayView(await recorder.minutes(), clock.now(), resolution) }
}
