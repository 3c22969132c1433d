/** `npm run bench`: measures what the README claims, beside a peer in the same run, and prints it as tables. */
import { backlog } from './backlog.js'
import { commits } from './commits.js'
import { hostile } from './hostile.js'
import { inbound } from './inbound.js'
import { lists } from './lists.js'
import { mcp } from './mcp.js'
import { mcpWaits } from './mcp-waits.js'
import { memory } from './memory.js'
import { polls } from './polls.js'
import { queue } from './queue.js'
import { reads } from './reads.js'
import { receiver } from './receiver.js'
import { relay } from './relay.js'
import { slow } from './slow.js'
import { store } from './store.js'
import { heading } from './support/table.js'
import { turns } from './turns.js'
import { waiting } from './waiting.js'
import { webhooks } from './webhooks.js'

const benches: Record<string, () => Promise<string>> = {
  receiver,
  slow,
  memory,
  inbound,
  relay,
  waiting,
  polls,
  mcp,
  'mcp-waits': mcpWaits,
  webhooks,
  store,
  commits,
  lists,
  reads,
  queue,
  backlog,
  hostile,
  turns,
}
const chosen = process.argv.slice(2)
console.log(`# Measured on ${heading()}\n`)
for (const [name, bench] of Object.entries(benches)) {
  if (chosen.length === 0 || chosen.includes(name)) console.log(await bench())
}
