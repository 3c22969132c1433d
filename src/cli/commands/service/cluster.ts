/** `restante cluster status`: the daemons on a shared database. */
import { readStatus, type ClusterStatus, type NodeStatus } from '../../../cluster/status.js'
import { SECOND, systemClock, timestamp } from '../../../lib/clock.js'
import { isShared, openEngine } from '../../../ops/database/engine.js'
import { createStore } from '../../../store/store.js'
import { CommandError, defineCommand, EXIT } from '../../terminal/command.js'
import { json, printable, table, type Cell } from '../../terminal/output.js'

/** A node whose last heartbeat is older is reported; heartbeats come every two seconds. */
const LATE_MS = 6 * SECOND

const status = defineCommand({
  usage: 'cluster status',
  options: ['json'],
  summary: 'show the daemons that share the database, and what each of them does',
  about:
    'Reads the database of store.url; a daemon need not run here. Each daemon has its roles (server.roles) and owns shards of the work: "relay" for mail that leaves, "jobs"\nfor webhooks and all else in the background. KNOWS is the newest form\nof what is stored that it knows: an upgrade begins when all know it. LAST SIGN is the age of its heartbeat by its own clock: after 10 seconds the others take over its work. Ends with 1 if\nthere is work that nobody does.',
  examples: ['restante cluster status', `restante cluster status --json | jq -r '.nodes[].name'`],
  async run({ options, config: load, print, note }) {
    const config = load()
    if (!isShared(config))
      throw new CommandError(EXIT.failed, 'The database is embedded (store.url is not set): one daemon works on it.')
    const store = createStore(await openEngine(config, { readOnly: true }))
    try {
      const found = await readStatus(store)
      print(options.json ? json(asJson(found)) : `${table(HEAD, found.nodes.map(rowOf))}\n\n${formIn(found)}`)
      const problems = problemsOf(found)
      for (const problem of problems) note(problem)
      if (new Set(found.nodes.map(({ version }) => version)).size > 1) note('Not all daemons are of one version.')
      return problems.length > 0 ? EXIT.failed : EXIT.ok
    } finally {
      await store.close()
    }
  },
})

export const commands = [status]

const HEAD = ['NAME', 'HOST', 'VERSION', 'KNOWS', 'ROLES', 'SINCE', 'LAST SIGN', 'RELAY', 'JOBS']

function rowOf({ name, host, version, knows, roles, since, beatAt, shards }: NodeStatus): Cell[] {
  return [
    printable(name),
    printable(host),
    version,
    String(knows),
    roles.join(' '),
    timestamp(since),
    beatAt === undefined ? 'none' : `${Math.max(0, Math.round((systemClock.now() - beatAt) / SECOND))} s`,
    `${shards.relay.length} shards`,
    `${shards.jobs.length} shards`,
  ]
}

function formIn({ form, upgrade }: ClusterStatus): string {
  const now = `What is stored has form ${form}.`
  if (!upgrade) return now
  const { to, waitsFor } = upgrade
  if (waitsFor.length === 0) return `${now} An upgrade to form ${to} is under way.`
  const late = waitsFor.map(({ name, knows }) => `${printable(name)}, which knows ${knows}`)
  return `${now} An upgrade to form ${to} waits for ${late.join('; ')}.`
}

function problemsOf({ nodes, free, missing }: ClusterStatus): string[] {
  const late = nodes.filter(({ beatAt }) => beatAt === undefined || systemClock.now() - beatAt > LATE_MS)
  const idle = Object.entries(free).flatMap(([duty, shards]) => (shards.length > 0 ? [duty] : []))
  return [
    ...(nodes.length === 0 ? ['No daemon works on the database.'] : []),
    ...(nodes.length === 0 ? [] : missing.map((role) => `No daemon has the role "${role}" (server.roles).`)),
    ...late.map(({ name }) => `${printable(name)} shows no sign of life.`),
    ...(nodes.length === 0 ? [] : idle.map((duty) => `Nobody does all of the work of "${duty}" just now.`)),
  ]
}

function asJson({ nodes, free, missing, form, upgrade }: ClusterStatus): unknown {
  return {
    nodes: nodes.map(({ since, beatAt, blobs: _blobs, instance: _instance, ...node }) => ({
      ...node,
      since: timestamp(since),
      last_beat_at: beatAt === undefined ? null : timestamp(beatAt),
    })),
    free_shards: free,
    missing_roles: missing,
    form,
    upgrade: upgrade
      ? { to: upgrade.to, begun: upgrade.isBegun, waits_for: upgrade.waitsFor.map(({ name }) => name) }
      : null,
  }
}
