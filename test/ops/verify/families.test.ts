/** Each family of rows that the code makes is known to verify; a row of each, lost or garbled, is named, and mended where it can be. */
import { readdir, readFile } from 'node:fs/promises'
import t from 'tap'
import { setAside } from '../../../src/store/quarantine.js'
import { key, keyParts } from '../../../src/store/keys.js'
import type { Finding } from '../../../src/ops/verify/families/types.js'
import { PARTITIONS } from '../../../src/ops/verify/table.js'
import type { Family } from '../../../src/ops/verify/families/family.js'
import { kindOf } from '../../../src/ops/verify/walk.js'
import { dumpStore, restoreStore, wholeStore, type Whole } from './whole.js'

/** Keys whose family is not a word of the source at that place. */
const BY_A_VARIABLE = {
  'src/mailbox/keys.ts': ['idempotency', 'delivery'],
  'src/mailbox/review/rows.ts': ['held', 'blocked'],
  'src/store/recent.ts': ['network', 'human', 'address'],
}

async function* sources(folder: string): AsyncGenerator<string> {
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    const path = `${entry.parentPath}/${entry.name}`
    // What a migration looks for is not there any more after it.
    if (path.startsWith('src/daemon/upgrade/migrate-')) continue
    if (entry.isFile() && entry.name.endsWith('.ts') && !path.startsWith('src/ops/verify/')) yield path
  }
}

t.test('the families of rows in the code are those that verify knows', async (t) => {
  const made = new Set<string>(Object.values(BY_A_VARIABLE).flat())
  const byVariable = new Set<string>()
  for await (const path of sources('src')) {
    const text = await readFile(path, 'utf8')
    if (!/from '[^']*\/?keys\.js'/.test(text)) continue
    for (const [, word] of text.matchAll(/(?<![\w.])(?:key|prefixRange)\(\s*'([^']+)'/g)) if (word) made.add(word)
    if (/(?<![\w.])key\(\s*(?!\)|'|\.\.\.)[a-z]/.test(text.replaceAll(/function key\(/g, ''))) byVariable.add(path)
  }
  const known = new Set(PARTITIONS.flatMap(({ families }) => Object.keys(families)))
  t.same(
    [...made].filter((family) => !known.has(family)).sort(),
    [],
    'enter these into the table of src/ops/verify/families/',
  )
  t.same([...known].filter((family) => !made.has(family)).sort(), [], 'these are made nowhere any more')
  t.same([...byVariable].sort(), Object.keys(BY_A_VARIABLE).sort(), 'say which families these make')
})

/** What is lost with a row of these can't be known from others, with the reason. */
const UNKNOWABLE: Record<string, string> = {
  'nodes member': 'a node joins again with the next start',
  'nodes shard': 'a shard without an owner is taken',
  'node fence': 'a node without one ends, and joins again with the next start',
  'node beat': 'it is written every two seconds',
  'blobs mark': 'a data folder that was here before has its own',
  'work queue note': 'the owner of the shard looks at all rows when it gets it',
  'sealed secrets secret': 'it may have been removed',
  'sealed secrets imported': 'nothing was put in',
  'settings of daemons settings': 'the next start writes it',
  'challenges of certificates challenge': 'the order has ended',
  'counts that daemons share counts': 'it is of a second that is over',
  'mailbox event': 'the newest or the oldest may go with its time; one in the middle is an event-gap (verify.test.ts)',
  'mailbox correspondent': 'who wrote first follows from how their mail was judged',
  'account approval-letter': 'no letter told of drafts yet; the next is sent at once',
  'mailbox idempotency': 'it ends by itself; a retry then makes a second one',
  'mailbox delivery': 'it ends by itself',
  'mailbox drafts-mark': 'there may never have been a draft',
  'mailbox imported': 'it ends by itself; an import then brings its message again',
  'folders index': 'no mail program has looked yet',
  'folders folder': 'it may never have had a message',
  'folders page': 'it may be empty',
  'folders uids': 'the message may be in no folder',
  'folders draft-uid': 'the draft may be new',
  'folders vanished': 'programs are told of all UIDs that are not there',
  'folders name': 'no program chose one',
  'mailbox settings': 'there may be none',
  'mailbox deletion-told': 'there may be none',
  'mailbox suspension-told': 'there may be none',
  'mailbox paused-task': 'there may be none',
  'account trust': 'a new account has none',
  'account outcomes': 'days end',
  'account similar': 'kept for a day',
  'account story': 'a new account has none',
  'account new-recipients': 'of one day',
  'account known': 'whom an account wrote to is known from nothing else',
  'account leaving': 'a mailbox that is removed twice is no harm',
  'account deletion': 'its task drops itself',
  'account identity': 'the list in meta may lead to one that is to come',
  'account passkey': 'it may have been removed',
  'account picture-senders': 'there may be none',
  'account session': 'it is a session that ended',
  'account device': 'it is a browser that is new again',
  'account connection': 'it is a connection that was revoked',
  'account export': 'its task drops itself',
  'key used': 'a key that was never used has none',
  'audit log of a day entry': 'nothing counts them',
  'audit log of a day day': 'while everything was kept there is none',
  'receipts of a day r': 'nothing counts them',
  'receipts of a day day': 'while everything was kept there is none',
  'operator mail notice': 'it may have been sent a week ago',
  'operator mail digest-state': 'while no letter went there is none',
  'meta own-domain-holder': 'the daily look enters it again',
  'domains of accounts domain': 'the next start enters it again',
  'meta hold': 'it is a rule that was released',
  'meta schema': 'a folder without one is of 0.1.0',
  'meta migration': 'there is none after it',
  'meta restored': 'there is none after the first start',
  'claim invite': 'it was never sent',
  'link of a claim claim': 'it goes after a day',
  'what ends by itself record': 'it has ended',
  'spent challenges spent': 'it goes after minutes',
  'review untold': 'it was told',
  'results of TLS of a day domain': 'it was reported',
  'results of TLS of a day row': 'it was reported',
  'results of TLS of a day organisation': 'it was reported',
  'results of DMARC of a day domain': 'it was reported',
  'results of DMARC of a day row': 'it was reported',
  'results of DMARC of a day organisation': 'it was reported',
  'what the guard learnt correction': 'nothing was ever learnt',
  'what the guard learnt lesson': 'nothing was learnt of it',
  'sweeps sweep': 'it never ran',
  'sweeps due': 'it is entered again by the next start',
}

/** Families of which a store that is whole has no row, with the reason. */
const NOT_IN_WHOLE: Record<string, string> = {
  'rows that an upgrade kept aside row': 'each is a finding',
}

const shown = ({ kind, where, what, repair }: Finding): string => `${kind} ${repair}: ${where}: ${what}`

/** As `restante repair` does it. @returns what is left */
async function mendAll({ look, mend }: Whole): Promise<Finding[]> {
  for (let i = 0; i < 4; i++) {
    const found = await look()
    if (!found.findings.some(({ repair }) => repair === 'repair')) return found.findings
    await mend({ ...found, findings: found.findings.filter(({ repair }) => repair === 'repair') })
  }
  return (await look()).findings
}

interface Sample {
  /** Of the kind of partition and the family. */
  name: string
  family: string
  form: Family
  partition: string
  row: Buffer
  text: string
}

/** One row of each family. */
function samplesOf(rowsBy: Map<string, Map<string, string>>): Sample[] {
  const samples = new Map<string, Sample>()
  for (const [partition, rows] of rowsBy) {
    const { kind } = kindOf(partition) ?? {}
    for (const text of rows.keys()) {
      const row = Buffer.from(text, 'latin1')
      const family = String(keyParts(row)[0])
      const form = kind?.families[family]
      const name = `${kind?.name} ${family}`
      if (form && !samples.has(name)) samples.set(name, { name, family, form, partition, row, text })
    }
  }
  return [...samples.values()]
}

const CUT = '{"cut'

t.test('rows that cannot be read', async (t) => {
  const whole = await wholeStore(t)
  const { store } = whole.world
  t.same((await whole.look()).findings.map(shown), [], 'what is whole has no findings')
  const before = await dumpStore(store)
  const samples = samplesOf(before).filter(
    ({ form, name }) => form.value !== 'octets' || name === 'receipts of a day r',
  )
  const [truth, rest] = [true, false].map((is) => samples.filter(({ form }) => (form.is === 'truth') === is))
  const garble = async (some: Sample[] = []): Promise<void> => {
    for (const { partition, row } of some) await store.write(partition, (tx) => tx.put(row, Buffer.from(CUT)))
  }
  const isTold = (findings: Finding[], { partition, family }: Sample, wanted: string): boolean =>
    findings.some(({ kind, where, what }) => kind === wanted && where === partition && what.includes(` ${family}`))

  await garble(rest)
  const { findings } = await whole.look()
  for (const sample of rest ?? []) t.ok(isTold(findings, sample, 'garbled'), `${sample.name} is named`)
  t.same((await mendAll(whole)).map(shown), [], 'all of them are made anew, or let go of')
  await restoreStore(store, before)

  await garble(truth)
  const left = await mendAll(whole)
  const after = await dumpStore(store)
  for (const sample of truth ?? []) {
    t.ok(isTold(left, sample, 'unreadable'), `${sample.name} is named, and stays so`)
    t.equal(after.get(sample.partition)?.get(sample.text), CUT, `${sample.name} is left as it is`)
  }
})

t.test('a row of each family that is lost', async (t) => {
  const whole = await wholeStore(t)
  const { store } = whole.world
  const before = await dumpStore(store)
  const left = new Set(PARTITIONS.flatMap(({ name, families }) => Object.keys(families).map((one) => `${name} ${one}`)))
  const unknowable = new Set(Object.keys(UNKNOWABLE))
  for (const { name, form, partition, row, text } of samplesOf(before)) {
    left.delete(name)
    await store.write(partition, (tx) => tx.delete(row))
    const { findings } = await whole.look()
    const isFor = (wanted: string): boolean => findings.some(({ repair }) => repair === wanted)
    t.equal(
      findings.length === 0,
      name in UNKNOWABLE,
      `${name} is named, or it is said why not: ${findings.map(shown).join('; ')}`,
    )
    if (findings.length === 0) t.pass(UNKNOWABLE[name] ?? '')
    else {
      const mended = await mendAll(whole)
      if (isFor('restore') || isFor('none'))
        t.ok(
          mended.length > 0 && mended.every(({ repair }) => repair !== 'repair'),
          `${name} is told: ${findings.map(shown).join('; ')}`,
        )
      else t.same(mended.map(shown), [], `${name} is mended`)
      if (form.is === 'derived' && !partition.startsWith('search/') && !(name in UNKNOWABLE))
        t.ok((await dumpStore(store)).get(partition)?.has(text) ?? false, `${name} is there again`)
    }
    unknowable.delete(name)
    await restoreStore(store, before)
  }
  t.same([...left], Object.keys(NOT_IN_WHOLE), 'this store has a row of each family')
  t.same([...unknowable], [], 'there are no such')
})

t.test('a row, and a partition, that nobody knows', async (t) => {
  const whole = await wholeStore(t)
  const { store, id } = whole.world
  await store.write(`mailbox/${id}`, (tx) => tx.put(key('novelty', 1), Buffer.from('{}')))
  await store.write('novelties/1', (tx) => tx.put(key('x'), Buffer.from('{}')))
  await store.write('sweeps', (tx) => tx.put(Buffer.of(9, 9), Buffer.from('{}')))
  t.same((await whole.look()).findings.map(({ kind, where }) => `${kind} ${where}`).sort(), [
    `row-unknown mailbox/${id}`,
    'row-unknown novelties/1',
    'row-unknown sweeps',
  ])
})

t.test('a row that an upgrade kept aside is named until somebody takes it away', async (t) => {
  const whole = await wholeStore(t)
  await whole.world.store.write('work/relay/3', (tx) =>
    setAside(tx, 'work/relay/3', key('task', 1, 'x'), Buffer.from('{')),
  )
  t.match((await whole.look()).findings, [
    { kind: 'row-aside', where: 'work/relay/3', what: /^the row 02[0-9a-f]+$/, repair: 'none' },
  ])
})
