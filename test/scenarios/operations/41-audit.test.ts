/** What the operator finds in the audit log after a day of a small server: who made what, who approved, who suspended. */
import { readFile } from 'node:fs/promises'
import t from 'tap'
import { z } from 'zod'
import { auditEntrySchema } from '../../../src/audit/types.js'
import { approvedAgent } from '../../support/agent.js'
import { startDaemon } from '../../support/daemon.js'

const OWNER = 'bob@owner.test'

t.test('restante audit tells who did what to whom, from where and by which key, and outlives a kill', async (t) => {
  const daemon = await startDaemon({})
  t.teardown(() => daemon.remove())
  const entries = async (...words: string[]) => {
    const { code, stdout, stderr } = await daemon.cli('audit', '--json', ...words)
    t.equal(code, 0, stderr)
    return z.array(auditEntrySchema).parse(JSON.parse(stdout))
  }
  const agent = await approvedAgent(daemon, 'ada.agent', OWNER)
  const key = (await agent.call('POST', '/v1/keys', { name: 'reader', scopes: ['mail:read'] })).body
  t.match(await agent.call('DELETE', '/v1/keys/key_nobody'), { status: 404 })
  t.equal((await agent.call('DELETE', `/v1/keys/${key.id}`)).status, 200)
  t.equal((await daemon.cli('account', 'suspend', agent.address, '--reason', 'bulk mail')).code, 0)
  t.equal((await daemon.cli('account', 'reinstate', agent.address)).code, 0)
  t.not((await daemon.cli('account', 'suspend', 'nobody@owner.test', '--reason', 'x')).code, 0)

  await daemon.end('SIGKILL')
  await daemon.start()
  const all = await entries()
  t.same(
    all.map(({ action, result }) => `${action} ${result}`),
    [
      'account.suspended refused',
      'account.reinstated done',
      'account.suspended done',
      'key.revoked done',
      'key.made done',
      'claim.approved done',
      'claim.made done',
    ],
  )
  const [, , suspended, revoked, made, approved, claimed] = all
  t.match(claimed, {
    actor: { type: 'anonymous' },
    from: { address: '127.0.0.1' },
    subject: { address: agent.address },
  })
  t.match(approved, {
    actor: { type: 'operator', name: String },
    subject: { address: agent.address, account_id: /^acc_/ },
  })
  t.match(made, { actor: { type: 'key', id: /^key_/ }, subject: { key_id: key.id, mailbox_id: /^mbx_/ } })
  t.match(revoked, { subject: { key_id: key.id }, request_id: /^req_/ })
  t.match(suspended, { reason: 'bulk mail', actor: { type: 'operator' } })
  t.notMatch(JSON.stringify(all), key.api_key, 'no secret')

  t.same(
    (await entries('--action', 'key')).map(({ action }) => action),
    ['key.revoked', 'key.made'],
  )
  t.equal((await entries('--address', agent.address)).length, 6, 'by its address, also where only its id stands')
  t.equal((await entries(key.id)).length, 2)
  t.equal((await entries('--account', suspended?.subject.account_id ?? '', '--actor', 'operator')).length, 3)
  t.match(
    (await daemon.cli('audit', '--limit', '2')).stdout,
    /^TIME +ACTION +RESULT.*\n.*account\.suspended +refused \(not_found\)/,
  )
  t.match(await daemon.cli('audit', '--since', 'yesterday'), { code: 64 })
  const documented =
    /^```sh\n(restante audit [^]*?)^```$/m.exec(await readFile('docs/operations.md', 'utf8'))?.[1] ?? ''
  const commands = documented.trim().split('\n')
  t.equal(commands.length, 3)
  for (const command of commands) {
    const [, ...words] = command.replace(' --config /etc/restante', '').split(' ')
    t.match(await daemon.cli(...words), { code: 0 }, command)
  }
  t.match(daemon.output(), '"msg":"audit"')
  t.match(await daemon.cli('verify'), { code: 0 })
})
