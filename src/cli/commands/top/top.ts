/** `restante top`: current state, full screen until `q`. */
import { setTimeout as wait } from 'node:timers/promises'
import { hasCode } from '../../../lib/thrown.js'
import { SECOND } from '../../../lib/clock.js'
import { nowSchema, type Now } from '../../../observe/day/now.js'
import { askDaemon } from '../../terminal/admin.js'
import { CommandError, defineCommand, EXIT, type Invocation } from '../../terminal/command.js'
import { json } from '../../terminal/output.js'
import { draw, type Shown } from './draw.js'
import { takeScreen, type Terminal } from '../../terminal/screen.js'

const DEFAULT_SECONDS = 2
const MAX_SECONDS = 3600

type Ask = (signal?: AbortSignal) => Promise<Now>

const top = defineCommand({
  usage: 'top',
  options: ['interval', 'once', 'json'],
  summary: 'watch what comes in, goes out and waits',
  about:
    'Asks the running daemon every two seconds, and shows on the whole screen: mail in and out with its rates, the queue, what waits for review, open\nconnections, latency, memory, disk, the slowest and the paused destinations. q quits. With --once, and where the output is no terminal,\nit is printed once. "a minute" is the rate since the last reading; times are UTC. Without colours when NO_COLOR is set.',
  examples: [
    'restante top',
    'restante top --interval 10',
    'restante top --once',
    "restante top --json | jq '.levels.queue_waiting'",
  ],
  async run({ options, config, print, terminal, colours }) {
    const intervalMs = intervalOf(options.interval) * SECOND
    const settings = config()
    const ask: Ask = (signal) => askDaemon(settings, 'GET', '/now', nowSchema, undefined, signal)
    const first: Shown = { now: await ask(), before: undefined, where: settings.server.admin }
    if (options.json) print(json(first.now))
    else if (options.once || terminal === undefined) print(onPaper(first))
    else await watch(first, { ask, intervalMs, terminal, colours })
  },
})

export const commands = [top]

function intervalOf(text: string | undefined): number {
  const seconds = text === undefined ? DEFAULT_SECONDS : Number(text)
  if (seconds >= 1 && seconds <= MAX_SECONDS) return seconds
  throw new CommandError(EXIT.usage, `--interval takes seconds, 1 to ${MAX_SECONDS}; "${text}" is none`)
}

/** For output that is no terminal: everything, plain. */
function onPaper(shown: Shown): string {
  const look = { columns: 160, rows: Number.POSITIVE_INFINITY, colours: false, unicode: true }
  return draw(shown, look)
    .map((line) => line.trimEnd())
    .join('\n')
}

async function watch(
  first: Shown,
  {
    ask,
    intervalMs,
    terminal,
    colours,
  }: { ask: Ask; intervalMs: number; terminal: Terminal } & Pick<Invocation, 'colours'>,
): Promise<void> {
  let shown = first
  const paint = (): void => {
    const { columns, rows } = screen
    screen.show(draw(shown, { columns, rows, colours, unicode: terminal.unicode }))
  }
  const screen = takeScreen(terminal, () => paint())
  try {
    for (;;) {
      paint()
      await wait(intervalMs, undefined, { signal: screen.left })
      shown = await next(shown, ask, screen.left)
    }
  } catch (error) {
    if (!screen.left.aborted && !hasCode(error, 'ABORT_ERR')) throw error
  } finally {
    screen.close()
  }
}

/** While the daemon does not respond, the last reading stays, with the reason above. */
async function next({ now, before, where }: Shown, ask: Ask, signal: AbortSignal): Promise<Shown> {
  try {
    return { now: await ask(signal), before: now, where }
  } catch (error) {
    if (signal.aborted || !(error instanceof CommandError)) throw error
    return { now, before, where, problem: error.message }
  }
}
