/** An operator has others asked about doubtful mail: what its senders and the operator see of it. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { approvedAgent, waitForEvent, type Agent } from '../../support/agent.js'
import { startDaemon } from '../../support/daemon.js'
import { says, startModel } from '../../support/store/model.js'

/** Enough for some doubt, and not for a hold. */
const DOUBTFUL = {
  subject: 'Special offer',
  text: 'Special offer: 30 % off everything in our shop until Sunday. Order now!',
}
/** A wide band of doubt: where this message stands within it may change with each training of the model. */
const WIDE_BAND = { 'guard.second_opinion_score': '0.05', 'guard.hold_score': '0.9' }
const sendTo = (agent: Agent, to: string, mail: object) => agent.call('POST', '/v1/send', { to, ...mail })

t.test('a message in doubt is checking, then held with what another said of it', async (t) => {
  const model = await startModel()
  t.teardown(() => model.stop())
  const dir = await mkdtemp(join(tmpdir(), 'restante-key-'))
  t.teardown(() => rm(dir, { recursive: true, force: true }))
  await writeFile(join(dir, 'key'), 'k3y-of-the-model\n')
  const daemon = await startDaemon({
    'guard.model_url': model.url,
    'guard.model_name': 'judge-1',
    'guard.model_key_file': join(dir, 'key'),
    ...WIDE_BAND,
    'guard.second_opinion_timeout_seconds': '5',
  })
  t.teardown(() => daemon.remove())
  const ada = await approvedAgent(daemon, 'ada.agent')
  const ben = await approvedAgent(daemon, 'ben.agent')

  await t.test('held', async (t) => {
    const dry = await ada.call('POST', '/v1/send?dry_run=true', { to: ben.address, ...DOUBTFUL })
    t.match(dry.body, { dry_run: true, decision: 'send' })
    t.ok(dry.body.reasons.some(({ code }: { code: string }) => code === 'second_opinion_pending'))
    t.equal(model.asked.length, 0)

    const sent = await sendTo(ada, ben.address, DOUBTFUL)
    t.equal(sent.status, 202)
    t.equal(sent.body.status, 'checking')
    await waitForEvent(ada, (event) => event.data.message_id === sent.body.id && event.data.status === 'held')
    const message = (await ada.call('GET', `/v1/messages/${sent.body.id}`)).body
    t.match(message.check, { decision: 'hold', category: 'phishing', scores: { phishing: 0.93 } })
    t.match(message.check.reasons[0], { code: 'second_opinion', detail: 'judge-1: phishing, risk 0.93' })
    t.match(message.check.reasons[1], { code: 'model:credential_request' })
    t.equal(model.asked.length, 1)
    t.equal(model.asked[0]?.headers.authorization, 'Bearer k3y-of-the-model')
    t.notMatch(JSON.stringify(model.asked[0]?.body), ben.address, 'the recipient is nobody else’s business')
  })

  await t.test('let go', async () => {
    model.behave(says({ category: 'legitimate', risk: 0.1, reasons: [] }))
    const sent = await sendTo(ada, ben.address, { ...DOUBTFUL, subject: 'Another offer' })
    await waitForEvent(ada, (event) => event.data.message_id === sent.body.id && event.data.status === 'delivered')
    await waitForEvent(ben, (event) => event.type === 'message.received')
  })

  await t.test('ordinary mail is told to nobody', async (t) => {
    const before = model.asked.length
    const sent = await sendTo(ada, ben.address, { subject: 'Lunch', text: 'Shall we meet at noon on Monday?' })
    t.equal(sent.body.status, 'queued')
    t.equal(model.asked.length, before)
  })

  await t.test('a model that is away stops no mail, and the message says so', async (t) => {
    model.stop()
    const sent = await sendTo(ada, ben.address, { ...DOUBTFUL, subject: 'A third offer' })
    t.equal(sent.body.status, 'checking')
    await waitForEvent(ada, (event) => event.data.message_id === sent.body.id && event.data.status === 'delivered')
    const { check } = (await ada.call('GET', `/v1/messages/${sent.body.id}`)).body
    t.equal(check.decision, 'send')
    t.ok(check.reasons.some(({ code }: { code: string }) => code === 'second_opinion_unavailable'))
  })

  t.notMatch(daemon.output(), 'k3y-of-the-model')
  t.notMatch(daemon.output(), 'off everything')
  const shown = await daemon.cli('guard', 'correction', 'show', '--json')
  t.match(JSON.parse(shown.stdout), {
    learns: false,
    approvals: 0,
    rejections: 0,
    oldest_at: null,
    strongest_weight: 0,
  })
  t.match(await daemon.cli('guard', 'correction', 'reset', '--yes'), { code: 0, stdout: 'Forgotten.\n' })
})

t.test('a check that a kill cut off is made after the restart', async (t) => {
  let reached: () => void = () => undefined
  const asked = new Promise<void>((resolve) => (reached = resolve))
  const model = await startModel(() => reached())
  t.teardown(() => model.stop())
  const daemon = await startDaemon({
    'guard.model_url': model.url,
    'guard.model_name': 'judge-1',
    ...WIDE_BAND,
    'guard.second_opinion_timeout_seconds': '30',
  })
  t.teardown(() => daemon.remove())
  const ada = await approvedAgent(daemon, 'ada.agent')
  const sent = await sendTo(ada, ada.address.replace('ada', 'postmaster').replace('.agent', ''), DOUBTFUL)
  t.equal(sent.body.status, 'checking')
  await asked
  await daemon.end('SIGKILL')
  model.behave(says({}))
  await daemon.start()
  const held = await waitForEvent(
    ada,
    (event) => event.data.message_id === sent.body.id && event.data.status === 'held',
  )
  t.match(held.data.check.reasons[0], { code: 'second_opinion' })
})
