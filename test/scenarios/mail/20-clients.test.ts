/** Two agents, one with the TypeScript client and one with the Python client, claim mailboxes and write to each other. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { claim, Restante, RestanteError } from '#client'
import { peer } from '../../support/peers/peers.js'
import { startDaemon } from '../../support/daemon.js'

const PYTHON = '/usr/bin/python3'
const CLIENT = join(process.cwd(), 'clients/python')

/** Claims, waits for the approval, greets, and answers the first message; what it prints is read by the test. */
const GRACE = `
import sys
sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[2])
from restante import RestanteError, claim
try:
    claim("ada.agent", base_url=sys.argv[1])
except RestanteError as error:
    print(error.code, error.status, flush=True)
claimed = claim("grace.agent", base_url=sys.argv[1], agent_name="Grace")
print(claimed.address, flush=True)
mailbox = claimed.client
mailbox.wait_until_claimed(interval=0.2)
mailbox.send(to="ada.agent@agents.test", subject="Lunch", text="Shall we meet at noon on Monday?")
answer = mailbox.wait_for_mail(from_="ada.agent@agents.test", subject_contains="lunch", after=0, timeout=60)
print(answer["extracted_text"], flush=True)
print(len(list(mailbox.threads(limit=1))), mailbox.check_before_sending("ada.agent@agents.test", "Hi", "Hello")["decision"])
print(mailbox.wait_for_mail(timeout=0))
try:
    mailbox.get_message("msg_01K7E8GQ5M1T9Q4Y7RZV3B2XNA")
except RestanteError as error:
    print(error.code, error.hint != "")
`

t.test('two agents and two clients', peer('python3', PYTHON), async (t) => {
  const daemon = await startDaemon()
  t.teardown(() => daemon.remove())
  const approve = async (address: string) => t.match(await daemon.cli('claim', 'approve', address), { code: 0 })

  const ada = await claim({ baseUrl: daemon.url, name: 'ada.agent', agentName: 'Ada' })
  t.match(await ada.client.claimStatus(), { status: 'pending' })
  const early = await ada.client.send({ to: 'a@b.example', subject: '', text: 'x' }).catch((error: unknown) => error)
  t.ok(early instanceof RestanteError && early.code === 'claim_pending')
  await approve(ada.address)

  const grace = promisify(execFile)(PYTHON, ['-X', 'utf8', '-c', GRACE, daemon.url, CLIENT])
  let output = ''
  const claimed = new Promise<void>((resolve) => {
    grace.child.stdout?.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      if (output.includes('grace.agent@agents.test\n')) resolve()
    })
  })
  await Promise.race([claimed, grace])
  t.match(output, /^name_taken 409\n/)
  const waiting = ada.client.waitForMail({
    from: 'Grace.Agent@agents.test',
    subjectContains: 'LUNCH',
    timeoutMs: 60_000,
  })
  await approve('grace.agent@agents.test')
  const mail = await waiting
  t.match(mail, { subject: 'Lunch', text: /at noon/ })
  t.equal(mail && (await ada.client.reply(mail.id, { text: 'Noon is fine.' })).thread_id, mail?.thread_id)
  const lines = (await grace).stdout.trim().split('\n')
  t.same(lines.slice(2), ['Noon is fine.', '1 send', 'None', 'not_found True'])

  t.equal(await ada.client.waitForMail({ timeoutMs: 0 }), undefined)
  t.equal(await ada.client.waitForMail({ after: 0, subjectContains: 'dinner', timeoutMs: 0 }), undefined)
  t.match(await ada.client.checkBeforeSending({ to: mail?.from ?? '', subject: 'Hi', text: 'Hello' }), {
    decision: 'send',
  })
  const raw = await ada.client.call('getRawMessage', { params: { id: mail?.id ?? '' } })
  t.match(Buffer.from(raw).toString(), /^Subject: Lunch\r$/m)
  await t.rejects(new Restante({ baseUrl: daemon.url, apiKey: 'rst_nobody' }).call('getMailbox', {}), {
    code: 'unauthorized',
    status: 401,
  })
})
