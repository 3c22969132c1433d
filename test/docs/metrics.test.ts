/** docs/metrics.md, the alert rules and the dashboard speak of metrics that exist. `UPDATE_DOCS=1 npm test -- docs/metrics` writes the table anew. */
import { execFile } from 'node:child_process'
import { readFile, writeFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { Registry, collectDefaultMetrics } from 'prom-client'
import { parse } from 'yaml'
import { z } from 'zod'
import { createMetrics } from '../../src/observe/metrics.js'
import { peer } from '../support/peers/peers.js'
import { declaredMetrics } from './declared-metrics.js'

const PROMTOOL = '/usr/bin/promtool'
const run = promisify(execFile)
const declared = await declaredMetrics()
const ALERTS = 'docs/prometheus/alerts.yml'
const alerts = z
  .object({ groups: z.array(z.object({ rules: z.array(z.object({ alert: z.string(), expr: z.string() })) })) })
  .parse(parse(await readFile(ALERTS, 'utf8')))
  .groups.flatMap(({ rules }) => rules)
const dashboard = z
  .object({
    panels: z.array(z.object({ title: z.string(), targets: z.array(z.object({ expr: z.string() })) })),
    templating: z.object({ list: z.array(z.object({ query: z.string() })) }),
  })
  .parse(JSON.parse(await readFile('docs/prometheus/grafana.json', 'utf8')))
const queries = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))

t.test('the table of docs/metrics.md is that of the code', async (t) => {
  t.ok(declared.length > 30, `${declared.length} found`)
  t.equal(new Set(declared.map(({ name }) => name)).size, declared.length, 'each is declared once')
  const rows = declared.map(
    ({ name, kind, labels, help }) =>
      `| \`${name}\` | ${kind} | ${labels.map((one) => `\`${one}\``).join(', ')} | ${help} |`,
  )
  const table = ['| name | type | labels | what |', '| --- | --- | --- | --- |', ...rows].join('\n')
  const current = await readFile('docs/metrics.md', 'utf8')
  const fresh = current.replace(
    /(<!-- metrics:.*-->\n)[\s\S]*(<!-- end of metrics -->)/,
    (_whole, start: string, end: string) => `${start}\n${table}\n\n${end}`,
  )
  t.match(current, '<!-- end of metrics -->')
  if (process.env['UPDATE_DOCS'] === '1') await writeFile('docs/metrics.md', fresh)
  else t.equal(current, fresh, 'it is stale: UPDATE_DOCS=1 npm test -- docs/metrics')
})

t.test('alerts and dashboard ask for metrics and labels that exist', async (t) => {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const labelsOf = new Map<string, string[]>([['up', []]])
  for (const { name } of registry.getMetricsAsArray()) labelsOf.set(name, [])
  for (const { name, kind, labels } of declared) {
    if (kind !== 'histogram') labelsOf.set(name, labels)
    else
      for (const end of ['bucket', 'sum', 'count'])
        labelsOf.set(`${name}_${end}`, end === 'bucket' ? [...labels, 'le'] : labels)
  }
  const variables = dashboard.templating.list.map(({ query }) => query).filter((query) => query !== 'prometheus')
  for (const expr of [...alerts.map(({ expr }) => expr), ...queries, ...variables]) {
    const names = expr.match(/\b(?:restante|process|nodejs)_\w+|\bup\b/g) ?? []
    t.ok(names.length > 0, `${expr} asks for something`)
    const labels = names.flatMap((name) => labelsOf.get(name) ?? [])
    for (const name of names) t.ok(labelsOf.has(name), `${name} exists`)
    const used = [
      ...[...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(/, */)),
      ...[...expr.matchAll(/\{([^}]*)\}/g)].flatMap(([, list = '']) =>
        [...list.matchAll(/(\w+)=/g)].map(([, one = '']) => one),
      ),
    ]
    for (const label of used) t.ok(['job', 'instance', ...labels].includes(label), `${label} is a label in ${expr}`)
  }
})

t.test('promtool finds nothing in names, rules and queries', peer('promtool', PROMTOOL), async (t) => {
  const metrics = createMetrics()
  for (const { name, kind, labels, help } of declared) {
    const own = name.slice('restante_'.length)
    if (kind === 'counter') metrics.counter(own, help, labels).inc(Object.fromEntries(labels.map((one) => [one, 'x'])))
    else if (kind === 'histogram')
      metrics.histogram(own, help, [1], labels).observe(Object.fromEntries(labels.map((one) => [one, 'x'])), 1)
    else if (labels[0] === undefined) metrics.gauge(own, help, () => 1)
    else metrics.gauges(own, help, labels[0], () => [['x', 1]])
  }
  const { body } = await metrics.render()
  const ours = body.split('\n\n').filter((block) => block.includes('# HELP restante_'))
  t.equal(ours.length, declared.length)
  t.equal(await lint(`${ours.join('\n\n')}\n`), '')
  t.match(await lint('# TYPE restante_wrong counter\nrestante_wrong 1\n'), /_total/, 'it would say so')

  await run(PROMTOOL, ['check', 'rules', ALERTS])
  await run(PROMTOOL, ['test', 'rules', 'docs/prometheus/alerts.test.yml'])
  const dir = await mkdtemp(join(tmpdir(), 'rules-'))
  t.teardown(() => rm(dir, { recursive: true }))
  const rules = queries.map((expr, i) => ({
    record: `query:${i}`,
    expr: expr.replaceAll('$__rate_interval', '5m').replaceAll('$instance', '.*'),
  }))
  const file = join(dir, 'queries.yml')
  await writeFile(file, JSON.stringify({ groups: [{ name: 'queries', rules }] }))
  t.match((await run(PROMTOOL, ['check', 'rules', file])).stdout, `${queries.length} rules found`)
})

/** What `promtool check metrics` says of a text; nothing when all is well. */
function lint(text: string): Promise<string> {
  return new Promise((resolve) => {
    const child = execFile(PROMTOOL, ['check', 'metrics'], (_error, stdout, stderr) => resolve(stdout + stderr))
    child.stdin?.end(text)
  })
}
