/**
 * Several programs and the API at once, at random: after each quiet moment every program knows what the mailbox has, from what it was told alone, also when its
 * connection broke in between. The naive account of the mailbox is that of test/mailbox/folders.
 */
import t, { type Test } from 'tap'
import { ENGINES } from '../../store/engines.js'
import { SYSTEM_FLAGS } from '../../../src/mailbox/folders/flags.js'
import { keywordsOf, naive, openFolder } from '../../mailbox/folders/client.js'
import { makeWorld, present, type World } from '../../mailbox/world.js'
import { opensslPeer } from '../../support/peers/certificates.js'
import { randomFrom, type Random } from '../../support/random.js'
import { inSample, SAMPLE } from '../../support/sample.js'
import { startServer } from '../session/server.js'
import { type Flags, KINDS, sorted, WireClient } from './wire-client.js'

const FOLDERS = ['INBOX', 'Work', 'Home', 'Archive', 'Trash', 'Junk']
const STEPS = SAMPLE ? 60 : 150
const PROGRAMS = 3
const SEEDS = Array.from({ length: 20 }, (_, i) => 20_261_128 + i)

/** What the mailbox has in a folder: its UIDs, which the index alone knows, with the flags of the messages. */
async function truth(t: Test, w: World, folder: string): Promise<Flags> {
  const view = await openFolder(w, folder)
  const messages = (await naive(w)).get(view.row.key) ?? new Map<number, string>()
  const flags = new Map<number, string>()
  const places = new Map<number, string>()
  for (const { uid, place, flags: bits, keywords } of view.entries()) {
    const words = keywordsOf(view, keywords)
    places.set(place, `${bits} ${words.join(' ')}`.trim())
    const names = [...SYSTEM_FLAGS].filter(([, bit]) => (bits & bit) !== 0).map(([name]) => name)
    flags.set(uid, sorted([...names, ...words]))
  }
  const expected = new Map([...messages].map(([place, words]) => [place, words.trim()]))
  if (!sameMaps(places, expected)) t.same(places, expected, `${folder}: the index has what the mailbox has`)
  return flags
}

const sameMaps = (a: ReadonlyMap<number, string>, b: ReadonlyMap<number, string>): boolean =>
  a.size === b.size && [...a].every(([key, value]) => b.get(key) === value)

/** A change by the API. */
async function actByApi(w: World, random: Random, ids: string[]): Promise<void> {
  const below = (n: number): number => Math.floor(random() * n)
  const id = ids[below(ids.length)]
  const { labels, trash } = w.mailboxes
  try {
    if (id === undefined || below(3) === 0)
      ids.push((await w.deliver({ labels: [[], ['spam'], ['home'], ['work', 'home']][below(4)] ?? [] })).id)
    else if (below(4) === 0) await trash.deleteMessage(w.id, id)
    else if (below(4) === 0) await trash.restoreMessage(w.id, id)
    else
      await labels.updateMessage(w.id, id, {
        [below(2) === 0 ? 'addLabels' : 'removeLabels']: [
          ['work', 'home', 'inbox', '$flagged', '$:tag'][below(5)] ?? '',
        ],
        unread: below(2) === 0,
      })
  } catch (error) {
    if ((error as { code?: string }).code !== 'not_found') throw error
  }
}

for (const seed of inSample(SEEDS, (_, i) => i < 2))
  t.test(`random programs at once, seed ${seed}`, opensslPeer(), async (t) => {
    const w = await makeWorld(t, present(ENGINES[0]).openStore(t))
    const server = await startServer(t, w)
    const random = randomFrom(seed)
    const below = (n: number): number => Math.floor(random() * n)
    for (const name of ['Work', 'Home']) await w.mailboxes.folders.create(w.id, name)
    const ids: string[] = []
    for (let i = 0; i < 10; i++) await actByApi(w, random, ids)
    const programs: WireClient[] = []
    for (let i = 0; i < PROGRAMS; i++) {
      const program = await WireClient.start(KINDS[(seed + i) % KINDS.length] ?? 'rev1', () => server.signedIn())
      await program.select('INBOX')
      programs.push(program)
    }
    const anyFolder = (): string => FOLDERS[below(FOLDERS.length)] ?? 'INBOX'
    const anyProgram = (): WireClient => present(programs[below(PROGRAMS)])
    let quiet = 0
    for (let step = 0; step < STEPS; step++) {
      switch (below(8)) {
        case 0:
        case 1:
          await actByApi(w, random, ids)
          break
        case 2:
          await anyProgram().select(anyFolder())
          break
        case 3:
          await anyProgram().breakOff(below(2) === 0 ? undefined : ['EXPUNGE', 'UID MOVE 1:* Work', 'NOOP'][below(3)])
          break
        case 4:
          await Promise.all([...programs.map((each) => each.act(random, FOLDERS)), actByApi(w, random, ids)])
          break
        default:
          await anyProgram().act(random, FOLDERS)
      }
      if (below(6) !== 0 && step !== STEPS - 1) continue
      for (const program of programs) {
        await program.catchUp()
        const { folder = '' } = program
        const expected = await truth(t, w, folder)
        if (!sameMaps(program.known, expected) || program.count !== expected.size)
          t.same(
            [...program.known].sort(([a], [b]) => a - b),
            [...expected],
            `step ${step}, ${program.kind} in ${folder}`,
          )
        quiet++
      }
    }
    t.ok(quiet >= PROGRAMS, `${quiet} times a program knew all`)
  })
