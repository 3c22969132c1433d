import { createHash } from 'node:crypto'
import t from 'tap'
import { issueChallenge, isSolved, leadingZeroBits, readChallenge } from '../../../src/lifecycle/claims/challenge.js'
import { createDifficulty, networkOf } from '../../../src/lifecycle/claims/difficulty.js'
import { HOUR, ManualClock, MINUTE } from '../../../src/lib/clock.js'
import { createStore } from '../../../src/store/store.js'
import { memoryEngine } from '../../support/store/memory-engine.js'

const secret = Buffer.alloc(32, 1)
const NOW = Date.UTC(2026, 0, 1)

void t.test('a challenge carries its own terms', async (t) => {
  const { challenge } = issueChallenge(secret, 22, NOW)
  t.match(challenge, /^[A-Za-z0-9_-]+$/)
  t.match(readChallenge(secret, challenge), { issuedAt: NOW, expiresAt: NOW + 10 * MINUTE, difficulty: 22 })
  t.not(issueChallenge(secret, 22, NOW).challenge, challenge)
})

void t.test('a challenge that was changed anywhere is not ours', async (t) => {
  const { challenge } = issueChallenge(secret, 22, NOW)
  for (let i = 0; i < challenge.length; i++) {
    const other = challenge[i] === 'A' ? 'B' : 'A'
    t.equal(readChallenge(secret, challenge.slice(0, i) + other + challenge.slice(i + 1)), undefined, `at ${i}`)
  }
  t.equal(readChallenge(Buffer.alloc(32, 2), challenge), undefined, 'made with another secret')
  for (const text of [
    '',
    challenge.slice(1),
    `${challenge}A`,
    `${challenge}=`,
    ` ${challenge}`,
    challenge.slice(0, -1) + '+',
  ]) {
    t.equal(readChallenge(secret, text), undefined, JSON.stringify(text))
  }
})

void t.test('the proof is counted in leading zero bits', async (t) => {
  t.equal(leadingZeroBits(Buffer.from('ff', 'hex')), 0)
  t.equal(leadingZeroBits(Buffer.from('0180', 'hex')), 7)
  t.equal(leadingZeroBits(Buffer.from('0080', 'hex')), 8)
  t.equal(leadingZeroBits(Buffer.from('00001f', 'hex')), 19)
  t.equal(leadingZeroBits(Buffer.from('0000', 'hex')), 16)

  const digest = createHash('sha256').update('abc:7').digest()
  const bits = leadingZeroBits(digest)
  t.ok(isSolved('abc', '7', bits))
  t.notOk(isSolved('abc', '7', bits + 1))
})

void t.test('a network is a /24 or a /64, however its address is written', async (t) => {
  const same: [string, string][] = [
    ['192.0.2.1', '192.0.2.200'],
    ['192.0.2.1', '::ffff:192.0.2.9'],
    ['192.0.2.1', '0000:0000:0000:0000:0000:ffff:c000:02fe'],
    ['2001:db8:1:2::1', '2001:0db8:0001:0002:ffff:0:0:1'],
    ['fe80::1', 'fe80::2%eth0'],
    ['::1', '0:0:0:0:0:0:0:2'],
  ]
  for (const [a, b] of same) t.equal(networkOf(a), networkOf(b), `${a} and ${b}`)
  const different: [string, string][] = [
    ['192.0.2.1', '192.0.3.1'],
    ['2001:db8:1:2::1', '2001:db8:1:3::1'],
    ['2001:db8::1', '2001:db8:0:1::1'],
    ['::1', '127.0.0.1'],
  ]
  for (const [a, b] of different) t.not(networkOf(a), networkOf(b), `${a} and ${b}`)
  t.equal(networkOf('nonsense'), networkOf(''))
})

/** Bits of a proof that does at any time. */
const ENOUGH = 64

void t.test('who claims much gets harder challenges for a while, and others do not', async (t) => {
  const clock = new ManualClock()
  const difficulty = createDifficulty({ store: createStore(memoryEngine()), clock, base: 22 })
  for (let i = 0; i < 7; i++) await difficulty.admit('192.0.2.1', ENOUGH, 0)
  t.equal(await difficulty.current('192.0.2.1'), 22, 'a few are usual')
  await difficulty.admit('192.0.2.2', ENOUGH, 0)
  t.equal(await difficulty.current('192.0.2.3'), 23)
  for (let i = 0; i < 8; i++) await difficulty.admit('192.0.2.1', ENOUGH, 0)
  t.equal(await difficulty.current('192.0.2.1'), 24, 'one more for each doubling')
  t.equal(await difficulty.current('198.51.100.1'), 22)
  clock.advance(2 * HOUR)
  t.equal(await difficulty.current('192.0.2.1'), 22)
})

void t.test('many networks together raise it for everybody, but never beyond what can be solved in time', async (t) => {
  const clock = new ManualClock()
  const difficulty = createDifficulty({
    store: createStore(memoryEngine({ lateness: 0, conflicts: 0 })),
    clock,
    base: 22,
  })
  for (let i = 0; i < 240; i++) await difficulty.admit(`10.0.${i}.1`, ENOUGH, 0)
  t.equal(await difficulty.current('198.51.100.1'), 23)
  for (let i = 0; i < 24_000; i++)
    await difficulty.admit(`2001:db8:${(i >> 8).toString(16)}:${(i & 255).toString(16)}::1`, ENOUGH, 0)
  t.equal(await difficulty.current('198.51.100.1'), 28)
})
