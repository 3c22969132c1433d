/** What the operator sees: the log and the metrics. */
import t from 'tap'
import { createMetrics, DURATION_BUCKETS } from '../../src/observe/metrics.js'
import { captureLog } from '../support/log.js'

t.test('a line has its time in RFC 3339, its level as a word, and what the part added', async (t) => {
  const { lines, log } = captureLog('info')
  log.child({ part: 'mx' }).info({ mailbox_id: 'mbx_1' }, 'accepted')
  log.debug('not at this level')
  t.equal(lines.length, 1)
  t.match(lines[0], {
    level: 'info',
    time: /^\d{4}-\d\d-\d\dT[\d:.]+Z$/,
    part: 'mx',
    mailbox_id: 'mbx_1',
    msg: 'accepted',
  })
})

t.test('an error is logged with its cause, and without what a library hung on it', async (t) => {
  const { lines, log } = captureLog('info')
  const cause = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })
  log.error(
    { err: Object.assign(new Error('no relay', { cause }), { response: 'Dear Bob, the secret is …' }) },
    'failed',
  )
  t.match(lines[0], {
    err: { type: 'Error', message: 'no relay', cause: { message: 'refused', code: 'ECONNREFUSED' } },
  })
  t.notMatch(JSON.stringify(lines[0]), /secret/)
})

t.test('a changed level counts from the next line on', async (t) => {
  const { lines, log } = captureLog('info')
  log.level = 'debug'
  log.debug('now')
  t.equal(lines.length, 1)
})

t.test(
  'metrics carry the prefix, their help and what was counted; two registries know nothing of each other',
  async (t) => {
    const metrics = createMetrics()
    metrics.counter('mx_messages_total', 'Messages by reply.', ['result']).inc({ result: 'accepted' }, 2)
    metrics.histogram('mx_data_seconds', 'Time from the last byte to the reply.', DURATION_BUCKETS).observe(0.004)
    metrics.gauge('queue_tasks', 'Tasks in the queue.', async () => 7)
    const { contentType, body } = await metrics.render()
    t.match(contentType, 'text/plain')
    t.match(body, '# HELP restante_mx_messages_total Messages by reply.')
    t.match(body, 'restante_mx_messages_total{result="accepted"} 2')
    t.match(body, 'restante_mx_data_seconds_bucket{le="0.005"} 1')
    t.match(body, 'restante_queue_tasks 7')
    t.match(body, 'process_resident_memory_bytes')
    t.notMatch((await createMetrics().render()).body, 'restante_')
  },
)

t.test('a renamed metric is exported under both names with the same values', async (t) => {
  const metrics = createMetrics()
  const counter = metrics.counter('new_total', 'Things.', ['kind'], { formerly: 'old_total' })
  let level = 3
  metrics.gauge('new_level', 'Level.', () => level, { formerly: 'old_level' })
  counter.inc({ kind: 'a' }, 2)
  await metrics.render()
  counter.inc({ kind: 'a' })
  counter.inc({ kind: 'b' })
  level = 5
  const { body } = await metrics.render()
  for (const name of ['new', 'old'])
    for (const line of [`${name}_total{kind="a"} 3`, `${name}_total{kind="b"} 1`, `${name}_level 5`])
      t.match(body, `\nrestante_${line}\n`)
  t.match(body, '# HELP restante_old_total Deprecated: use restante_new_total.\n')
  t.match(body, '# TYPE restante_old_total counter\n')
  t.match(body, '# HELP restante_old_level Deprecated: use restante_new_level.\n')
  t.match(await metrics.read('new_total'), [{ value: 3 }, { value: 1 }])
})
