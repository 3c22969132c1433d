/** What is looked at before an authority is troubled, and programs of the operator that do not do what they should. */
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { proofInDns, proofOverHttp } from '../../src/certificates/proofs.js'
import { LookupError, type LookupFailure } from '../../src/dns/types.js'
import { ownChallenges } from '../support/challenges.js'

const never = new AbortController().signal
const CHALLENGE = { name: 'mx.agents.example', token: 'abc', answer: 'abc.thumb' }

t.test('a name without an address is no order; one that is not known now is', async (t) => {
  const answer = (failure: LookupFailure | undefined) => async (name: string) => {
    if (failure) throw new LookupError(failure, name, 'A', 'no')
    return ['192.0.2.1']
  }
  const check = (a: LookupFailure | undefined, aaaa: LookupFailure | undefined) =>
    proofOverHttp(ownChallenges(), { a: answer(a), aaaa: answer(aaaa) }).check('mx.agents.example')
  await t.rejects(check('not_found', 'not_found'), { message: 'DNS has no address for mx.agents.example' })
  await t.rejects(check('no_data', 'no_data'), { message: /no address/ })
  await t.resolves(check('no_data', undefined))
  await t.resolves(check('no_data', 'temporary'))
  await t.resolves(check('temporary', 'temporary'))
})

t.test('an answer over HTTP is there until it is taken back', async (t) => {
  const challenges = ownChallenges()
  const resolver = { a: async () => [], aaaa: async () => [] }
  const takeBack = await proofOverHttp(challenges, resolver).show(CHALLENGE, never)
  t.equal(await challenges.answerOf('abc'), 'abc.thumb')
  await takeBack()
  t.equal(await challenges.answerOf('abc'), undefined)
})

function programOf(t: Test, body: string) {
  const dir = t.testdir()
  const [program, said] = [join(dir, 'program'), join(dir, 'said')]
  writeFileSync(program, `#!/bin/sh\n${body.replaceAll('SAID', said)}\n`)
  chmodSync(program, 0o700)
  return { proof: proofInDns(program), said: () => (existsSync(said) ? readFileSync(said, 'utf8') : '') }
}

t.test('words for a program are words, whatever stands in them', async (t) => {
  const { proof, said } = programOf(t, 'printf "%s|" "$@" >> SAID; env | grep -c SECRET >> SAID; true')
  process.env.SECRET_OF_OURS = 'x'
  t.teardown(() => delete process.env.SECRET_OF_OURS)
  const takeBack = await proof.show({ ...CHALLENGE, answer: '$(id); "x' }, never)
  await takeBack()
  const words = '_acme-challenge.mx.agents.example|$(id); "x|0\n'
  t.equal(said(), `present|${words}cleanup|${words}`)
})

t.test('a program that talks without end is ended, and one that is not wanted any more', async (t) => {
  const talker = programOf(t, 'test "$1" = cleanup && exit 0; yes')
  await t.rejects(talker.proof.show(CHALLENGE, never), { message: /present .* failed: / })

  const { proof, said } = programOf(t, 'echo "$1" >> SAID; test "$1" = cleanup || exec sleep 1000')
  const end = new AbortController()
  const shown = proof.show(CHALLENGE, end.signal)
  const refused = t.rejects(shown, { name: 'AbortError' })
  while (said() === '') await new Promise((resolve) => setImmediate(resolve))
  end.abort()
  await refused
  while (!said().includes('cleanup')) await new Promise((resolve) => setImmediate(resolve))
  t.equal(said(), 'present\ncleanup\n')
})

t.test('a program that cannot be started', async (t) => {
  await t.rejects(proofInDns('/none/program').show(CHALLENGE, never), { message: /ENOENT/ })
})
