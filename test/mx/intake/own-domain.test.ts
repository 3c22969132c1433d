/** Mail from outside in the name of a domain that is served here: it needs proof, with a DMARC record and without one. */
import t, { type Test } from 'tap'
import type { AuthenticationResults } from '../../../src/authentication/types.js'
import { unprovenOwnDomain } from '../../../src/mx/intake/own-domain.js'
import { greeted, startReceiver, type ReceiverChange } from '../receiver.js'

const NOTHING: AuthenticationResults = {
  spf: { result: 'none', domain: 'elsewhere.test' },
  dkim: { result: 'none', domain: null, selector: null },
  dmarc: { result: 'none', domain: 'agents.test', policy: null },
  arc: { result: 'none' },
}
const isLocal = (domain: string): boolean => domain === 'agents.test' || domain === 'xn--bcher-kva.test'
const author = (address: string) => ({
  from: { address, name: '' },
  fromCount: 1,
  headers: { from: address },
})

t.test('who is named, and what proves it', async (t) => {
  const claim = (from: string, envelopeFrom: string, results: Partial<AuthenticationResults> = {}) =>
    unprovenOwnDomain({ parsed: author(from), envelopeFrom, results: { ...NOTHING, ...results } }, isLocal)
  const forged = { domain: 'agents.test', field: 'From', undecided: false }
  const pass = (domain: string) => ({ result: 'pass' as const, domain })
  t.same(claim('ceo@agents.test', 'x@elsewhere.test'), forged)
  t.same(claim('ceo@agents.test', ''), forged)
  t.same(claim('ceo@agents.test', '', { spf: { result: 'softfail', domain: 'agents.test' } }), forged)
  t.same(claim('ceo@agents.test', '', { spf: pass('elsewhere.test') }), forged, 'another name proves nothing')
  t.same(claim('ceo@agents.test', '', { dkim: { result: 'fail', domain: 'agents.test', selector: 's' } }), forged)
  t.match(claim('ceo@bücher.test', ''), { field: 'From' })
  t.equal(claim('ceo@agents.test', '', { spf: pass('agents.test') }), undefined)
  t.equal(claim('ceo@agents.test', '', { dkim: { ...pass('agents.test'), selector: 's' } }), undefined)
  t.equal(claim('ceo@agents.test', '', { spf: pass('bounces.agents.test') }), undefined, 'relaxed alignment')
  t.match(claim('ceo@agents.test', '', { dkim: { result: 'temperror', domain: 'agents.test', selector: 's' } }), {
    undecided: true,
  })

  t.match(claim('x@elsewhere.test', 'b+1@agents.test'), { domain: 'agents.test', field: 'MAIL FROM' })
  t.equal(claim('x@elsewhere.test', 'b+1@agents.test', { spf: pass('agents.test') }), undefined)
  const proven = { dmarc: { ...pass('elsewhere.test'), policy: null } }
  t.equal(claim('x@elsewhere.test', 'b+1@agents.test', proven), undefined, 'the author is known')
  for (const other of ['x@elsewhere.test', 'x@sub.agents.test', 'x@notagents.test'])
    t.equal(claim(other, 'y@elsewhere.test'), undefined, `${other} is not ours`)
})

t.test('among several authors ours is found', async (t) => {
  const headers = { from: 'Eve <eve@elsewhere.test>, "a@b" <ceo@Agents.test>' }
  const parsed = { from: { address: 'eve@elsewhere.test', name: '' }, fromCount: 2, headers }
  const found = unprovenOwnDomain({ parsed, envelopeFrom: '', results: NOTHING }, isLocal)
  t.match(found, { domain: 'agents.test', field: 'From' })
})

async function bring(t: Test, change: ReceiverChange = {}, results: Partial<AuthenticationResults> = {}) {
  const { port, world, close } = await startReceiver(change)
  world.verification = { ...world.verification, results: { ...NOTHING, ...results } }
  const dialog = await greeted(port)
  t.teardown(async () => {
    dialog.drop()
    await close()
  })
  await dialog.say('MAIL FROM:<mallory@elsewhere.test>')
  await dialog.say('RCPT TO:<alice@agents.test>')
  await dialog.say('DATA')
  dialog.write('From: Your boss <ceo@agents.test>\r\nTo: alice@agents.test\r\nSubject: hello\r\n\r\nGood morning.\r\n')
  return { reply: await dialog.say('.'), world }
}

t.test('by default it is spam, and header, receipt and message say why', async (t) => {
  const { reply, world } = await bring(t)
  t.match(reply, /^250 /)
  t.match(world.delivered, [{ labels: ['spam'], spam: { verdict: 'spam', reasons: [{ code: 'own_domain' }] } }])
  const raw = world.delivered[0]?.raw.toString() ?? ''
  t.match(raw, /^Authentication-Results: mx\.test;\r\n spf=pass;\r\n x-own-domain=fail header\.from=agents\.test\r\n/m)
})

t.test('an operator may have it refused, or taken like any other', async (t) => {
  const refused = await bring(t, { ownDomain: 'reject' })
  t.match(refused.reply, /^550 5\.7\.1 .*domain of this server/)
  t.same(refused.world.delivered, [])
  const ignored = await bring(t, { ownDomain: 'ignore' })
  t.match(ignored.reply, /^250 /)
  t.match(ignored.world.delivered, [{ labels: [], spam: { verdict: 'ham' } }])
})

t.test('while DNS does not answer the sender comes again, since it may be proven', async (t) => {
  const spf = { result: 'temperror' as const, domain: 'agents.test' }
  t.match((await bring(t, {}, { spf })).reply, /^451 4\.7\.1/)
  t.match((await bring(t, { ownDomain: 'reject' }, { spf })).reply, /^451 4\.7\.1/)
  const taken = await bring(t, { dnsFailure: 'accept' }, { spf })
  t.match(taken.world.delivered, [{ labels: [] }])
})

t.test('what is proven is delivered as it is', async (t) => {
  const dkim = { result: 'pass' as const, domain: 'agents.test', selector: 's' }
  const { world } = await bring(t, { ownDomain: 'reject' }, { dkim })
  t.match(world.delivered, [{ labels: [], spam: { verdict: 'ham' } }])
  t.notMatch(world.delivered[0]?.raw.toString() ?? '', 'x-own-domain')
})
