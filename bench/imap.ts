/**
 * Mail programs that read: the daemon and Dovecot do the same, on the same mail, by turns; and the memory of sessions that wait. Time is what a client
 * waits, CPU that of all threads and processes of the server.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { idleSessions } from './imap-idle.js'
import { serverCpuMs, threadCpuMs } from './processes/process.js'
import { openImap, type Account, type ImapClient } from './support/imap-client.js'
import { startImapWorld, type ImapWorld } from './support/imap-world.js'
import { lengthOf, messagesOf, roundsOf } from './support/length.js'
import { createWriter } from './support/messages.js'
import { median, table, type Row } from './support/table.js'

const BIG = messagesOf(100_000, 200)
const SEARCHED = lengthOf(10_000, 100)
const TURNS = lengthOf(9, 1) * roundsOf(1)
const LARGE = 20
const LARGE_BYTES = 100_000
const APPENDED_BYTES = 4000
const PIPELINED = lengthOf(100, 10)
const ENVELOPES = 50
/** Pattern of what is measured; all of it, and the memory of sessions that wait, when empty. */
const CHOSEN = process.env['BENCH_IMAP'] ?? ''
/** In the text of one message in ten. */
const COMMON_WORD = 'report'

interface Side {
  name: 'restante' | 'dovecot'
  pid: number
  /** The mailbox with most mail, selected. */
  big: ImapClient
  searched: ImapClient
  /** Of the mailbox that is searched. */
  account: Account
}

interface Measure {
  what: string
  /** Turns of each side; the first of each is not counted. */
  turns?: number
  /** Operations of one turn. */
  times?: number
  /** One operation; the number of it is another one each time. @returns milliseconds, where they are not those of the call */
  run: (side: Side, n: number) => Promise<number | void>
  /** Processes of Dovecot end with it. */
  endsProcesses?: true
}

const writer = createWriter(11)
let written = 0
const message = (bytes: number): Buffer =>
  Buffer.from(writer.message(`new${written++}`, 'agent@agents.test', bytes), 'utf8')

const append = (raw: Buffer): (string | Buffer)[] => [`APPEND INBOX {${raw.length}+}\r\n`, raw]

const found = new Map<string, number>()
/** The same is found by both. */
async function search(side: Side, keys: string): Promise<void> {
  const text = await side.searched.ask(`SEARCH ${keys}`)
  const count = (/^\* SEARCH(.*)$/m.exec(text)?.[1] ?? '').split(' ').length - 1
  if ((found.get(keys) ?? count) !== count) throw new Error(`${keys}: ${side.name} finds ${count}`)
  found.set(keys, count)
}

const measures: Measure[] = [
  {
    what: 'connection and login',
    times: lengthOf(20, 2),
    endsProcesses: true,
    async run({ account }) {
      ;(await openImap(account)).close()
    },
  },
  { what: `SELECT of ${BIG.toLocaleString('en')}`, times: 3, run: ({ big }) => asked(big, 'SELECT INBOX') },
  {
    what: `FETCH 1:* (UID FLAGS) of ${BIG.toLocaleString('en')}`,
    run: ({ big }) => asked(big, `FETCH 1:${BIG} (UID FLAGS)`),
  },
  {
    what: `FETCH of ${ENVELOPES} envelopes`,
    times: 4,
    run: ({ big }, n) => {
      const first = 1 + ((n * ENVELOPES) % (BIG - ENVELOPES))
      return asked(big, `FETCH ${first}:${first + ENVELOPES - 1} (ENVELOPE)`)
    },
  },
  {
    what: 'FETCH of a body of 100 KB',
    times: 4,
    run: ({ big }, n) => asked(big, `FETCH ${BIG + 1 + (n % LARGE)} (BODY.PEEK[])`),
  },
  ...[`TEXT ${COMMON_WORD}`, 'TEXT the', `SUBJECT ${COMMON_WORD}`, 'UNSEEN'].map((keys) => ({
    what: `SEARCH ${keys} in ${SEARCHED.toLocaleString('en')}`,
    times: lengthOf(3, 1),
    run: (side: Side) => search(side, keys),
  })),
  {
    what: 'APPEND of 4 KB',
    times: lengthOf(20, 2),
    run: ({ searched }) => asked(searched, ...append(message(APPENDED_BYTES))),
  },
  {
    what: `${PIPELINED} APPENDs of 4 KB at once`,
    async run({ searched }) {
      const raws = Array.from({ length: PIPELINED }, () => message(APPENDED_BYTES))
      const last = raws.map((raw) => searched.send(...append(raw))).at(-1) ?? ''
      await searched.until(`${last} OK`)
    },
  },
  { what: 'IDLE: from the OK of an APPEND to EXISTS', times: lengthOf(5, 1), run: wakeUp },
]

async function asked(client: ImapClient, ...command: (string | Buffer)[]): Promise<void> {
  await client.ask(...command)
}

const idle = new Map<Side, ImapClient>()

async function idling(side: Side): Promise<ImapClient> {
  const known = idle.get(side)
  if (known) return known
  const client = await openImap(side.account)
  idle.set(side, client)
  await client.ask('SELECT INBOX')
  client.send('IDLE')
  await client.until('+ ')
  return client
}

async function wakeUp(side: Side): Promise<number> {
  const client = await idling(side)
  // What is told of earlier changes is not what wakes it.
  await pause(100)
  client.forget()
  const woken = client.until(' EXISTS').then(() => performance.now())
  await side.searched.ask(...append(message(APPENDED_BYTES)))
  const committed = performance.now()
  return Math.max(0, (await woken) - committed)
}

interface Cost {
  ms: number
  cpuMs: number
}

/** @returns the medians of the turns, for one operation */
async function byTurns(
  sides: readonly Side[],
  { turns = TURNS, times = 1, run, endsProcesses }: Measure,
): Promise<Cost[]> {
  const costs = sides.map((): Cost[] => [])
  for (let turn = 0; turn <= turns; turn++)
    for (const [i, side] of sides.entries()) {
      const cpu = (): Promise<number> => (endsProcesses ? serverCpuMs(side.pid) : livingCpuMs(side.pid))
      const [cpuBefore, begun] = [await cpu(), performance.now()]
      let ms = 0
      let isOwn = false
      for (let n = 0; n < times; n++) {
        const own = await run(side, turn * times + n)
        if (own === undefined) continue
        ms += own
        isOwn = true
      }
      if (!isOwn) ms = performance.now() - begun
      if (endsProcesses) await pause(50)
      if (turn > 0) costs[i]?.push({ ms: ms / times, cpuMs: ((await cpu()) - cpuBefore) / times })
    }
  return costs.map((of) => ({ ms: median(of.map(({ ms }) => ms)), cpuMs: median(of.map(({ cpuMs }) => cpuMs)) }))
}

async function livingCpuMs(pid: number): Promise<number> {
  return [...(await threadCpuMs(pid)).values()].reduce((sum, ms) => sum + ms, 0)
}

export async function imap(): Promise<string> {
  const world = await startImapWorld({ big: BIG, searched: SEARCHED })
  try {
    const sides = [await sideOf(world, 'restante'), await sideOf(world, 'dovecot')]
    const rows: Row[] = []
    for (const measure of measures.filter(({ what }) => new RegExp(CHOSEN).test(what))) {
      const [own, beside] = await byTurns(sides, measure)
      if (!own || !beside) throw new Error('two sides were measured')
      rows.push({
        what: measure.what,
        value: shown(own),
        beside: shown(beside),
        ratio: `${ratio(own.ms, beside.ms)}, CPU ${ratio(own.cpuMs, beside.cpuMs)}`,
      })
    }
    for (const { big, searched } of sides) for (const client of [big, searched]) client.close()
    for (const client of idle.values()) client.close()
    const counts = [...found].map(([keys, count]): Row => ({ what: `found by ${keys}`, value: String(count) }))
    const compared = table('Mail programs, compared with Dovecot', [...rows, ...counts])
    return CHOSEN === '' ? `${compared}\n${await idleSessions(world)}` : compared
  } finally {
    await world.close()
  }
}

const shown = ({ ms, cpuMs }: Cost): string => `${precise(ms)} ms, ${precise(cpuMs)} ms CPU`
const precise = (ms: number): string => ms.toFixed(ms < 10 ? 2 : ms < 100 ? 1 : 0)
const ratio = (own: number, beside: number): string => (beside === 0 ? '–' : (own / beside).toFixed(2))

async function sideOf(world: ImapWorld, name: Side['name']): Promise<Side> {
  const [big, searched] = await Promise.all(
    ['big', 'searched'].map((mailbox) => openImap(world.accounts(mailbox)[name])),
  )
  if (!big || !searched) throw new Error('two connections were opened')
  for (let n = 0; n < LARGE; n++) {
    const raw = createWriter(n).message(`large${n}`, 'agent@agents.test', LARGE_BYTES)
    await big.ask(...append(Buffer.from(raw)))
  }
  await Promise.all([big, searched].map((client) => client.ask('SELECT INBOX')))
  const pid = name === 'restante' ? world.daemon.pid() : world.dovecot.pid
  return { name, pid, big, searched, account: world.accounts('searched')[name] }
}
