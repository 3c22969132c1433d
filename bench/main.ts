/**
 * `npm run bench`: measures what the README claims, beside a peer in the same run, and prints it as tables. `npm run bench -- NAME …` runs some;
 * `--short` runs each on a little mail, and goes on when one fails.
 */
import { backlog } from './backlog.js'
import { commits } from './commits.js'
import { hostile } from './hostile.js'
import { imap } from './imap.js'
import { inbound } from './inbound.js'
import { inbox } from './inbox.js'
import { lists } from './lists.js'
import { mcp } from './mcp.js'
import { mcpWaits } from './mcp-waits.js'
import { memory } from './memory.js'
import { nodes } from './nodes.js'
import { DOVECOT } from './peers/dovecot-server.js'
import { polls } from './polls.js'
import { queue } from './queue.js'
import { reads } from './reads.js'
import { receiver } from './receiver.js'
import { relay } from './relay.js'
import { roundtrips } from './roundtrips.js'
import { shape } from './shape.js'
import { slow } from './slow.js'
import { stages } from './stages.js'
import { store } from './store.js'
import { isShort } from './support/length.js'
import { missingPrograms, POSTFIX_LOAD, SMTP_SINK } from './support/programs.js'
import { heading } from './support/table.js'
import { turns } from './turns.js'
import { waiting } from './waiting.js'
import { waking } from './waking.js'
import { webhooks } from './webhooks.js'

interface Bench {
  run: () => Promise<string>
  /** Programs without which it can't run. */
  needs?: string[]
  /** Its figures count in the short form too. */
  isExact?: true
  /** Runs only when it is named: it takes minutes. */
  byName?: true
  /** Left out with `SAMPLE=1`, unless it is named. */
  isLong?: true
}

const benches: Record<string, Bench> = {
  receiver: { run: receiver, isLong: true },
  slow: { run: slow },
  memory: { run: memory },
  inbound: { run: inbound, needs: POSTFIX_LOAD },
  relay: { run: relay, needs: [SMTP_SINK], isLong: true },
  waiting: { run: waiting, isLong: true },
  polls: { run: polls },
  mcp: { run: mcp },
  'mcp-waits': { run: mcpWaits },
  webhooks: { run: webhooks },
  store: { run: store },
  commits: { run: commits, needs: [SMTP_SINK], isLong: true },
  waking: { run: waking },
  roundtrips: { run: roundtrips, isLong: true },
  nodes: { run: nodes, needs: [SMTP_SINK], byName: true },
  shape: { run: shape, byName: true },
  lists: { run: lists },
  reads: { run: reads },
  inbox: { run: inbox },
  imap: { run: imap, needs: [DOVECOT] },
  queue: { run: queue },
  backlog: { run: backlog },
  hostile: { run: hostile, needs: [SMTP_SINK], isLong: true },
  turns: { run: turns, needs: [SMTP_SINK] },
  stages: { run: stages, isExact: true },
}

async function report(name: string, { run, needs = [] }: Bench): Promise<string> {
  const missing = missingPrograms(needs)
  if (missing.length > 0) return `## ${name}\n\nSkipped: ${missing.join(', ')} missing.\n`
  const begun = performance.now()
  const text = await run()
  return isShort ? `${text}\n(${name}: ${((performance.now() - begun) / 1000).toFixed(0)} s)\n` : text
}

const chosen = process.argv.slice(2).filter((word) => word !== '--short')
const unknown = chosen.filter((name) => !(name in benches))
if (unknown.length > 0)
  throw new Error(`no such bench: ${unknown.join(', ')}; there are ${Object.keys(benches).join(', ')}`)
console.log(`# Measured on ${heading()}${isShort ? ', in the short form: figures mean nothing' : ''}\n`)
const isSample = process.env['SAMPLE'] === '1'
const queued = Object.entries(benches).filter(([name, { byName, isLong }]) =>
  chosen.length === 0 ? byName !== true && !(isSample && isLong) : chosen.includes(name),
)

async function lane(few: typeof queued): Promise<void> {
  for (let next = few.shift(); next; next = few.shift()) {
    const [name, bench] = next
    try {
      console.log(await report(name, bench))
    } catch (error) {
      if (!isShort) throw error
      process.exitCode = 1
      console.log(`## ${name}\n\nFailed: ${error instanceof Error ? error.stack : String(error)}\n`)
    }
  }
}

// Much of a short run is waiting; one that is measured has the machine for itself.
const together = queued.filter(([, { isExact }]) => isShort && !isExact)
const alone = queued.filter((bench) => !together.includes(bench))
await Promise.all([lane(together), lane(together)])
await lane(alone)
