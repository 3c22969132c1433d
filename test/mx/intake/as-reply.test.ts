/** What a message quotes is history when a mailbox has the message that it answers, and its author's own words when none has. */
import { loadModel } from '../../../src/guard/model/model.js'
import { createSpamScore, DEFAULT_LINES, spamModelOf } from '../../../src/guard/verdict/spam.js'
import { spamAsReply } from '../../../src/mx/intake/as-reply.js'
import { createFileReader } from '../../../src/mime/documents/reader.js'
import { createJudge } from '../../../src/mx/judging/judge.js'
import type { Examined } from '../../../src/mx/judging/types.js'
import { onEveryEngine, PARSE_LIMITS, type World } from '../../mailbox/world.js'
import { RESULTS } from '../receiver.js'

const spamScore = createSpamScore({ lines: DEFAULT_LINES, model: spamModelOf(loadModel()) })

/** A phishing mail that the agent asks somebody about. */
const SAMPLE = [
  'Dear customer, your PayPal account has been limited because of unusual activity.',
  'Please verify your account within 24 hours or it will be suspended permanently.',
  'Click here to log in and confirm your password and credit card number:',
  'http://paypa1-secure-login.example/verify',
]
const OWN =
  'Thank you for the question. I looked at it with the colleagues this morning, and we will tell you more tomorrow.'
const quoted = (lines: string[]): string =>
  ['On Monday, the agent wrote:', ...lines.map((line) => `> ${line}`)].join('\n')

const CLIENT = {
  address: '192.0.2.1',
  name: 'mx.example.org',
  confirmed: true,
  known: true,
  helo: 'unknown' as const,
  listed: [],
}

/** The opinion where it is judged, and after the mailboxes were asked. */
async function opinions(world: World, text: string, names: string[], mailboxIds = [world.id]) {
  const judge = createJudge({
    authenticator: { verify: async () => ({ results: RESULTS, header: '', temporary: false }) },
    spamScore,
    parseLimits: PARSE_LIMITS,
    files: createFileReader(),
    clock: world.clock,
  })
  const raw = Buffer.from(
    ['From: Ada <ada@example.org>', 'To: agent@agents.example', 'Subject: Re: Is this real?', ...names, '', text].join(
      '\r\n',
    ),
  )
  const { address: ip, ...client } = CLIENT
  const judged = await judge({ raw, ip, helo: 'mx.example.org', mailFrom: 'ada@example.org', client })
  if (judged.kind !== 'judged') throw new Error(judged.problem)
  const envelope = { from: 'ada@example.org', mailboxIds, clientAddress: ip, client, helo: 'mx.example.org' }
  const examined: Examined = { ...judged, scan: { virus: 'clean' }, rating: undefined }
  let asked = 0
  const { delivery, directory } = world.mailboxes
  const parentOf: typeof delivery.parentOf = (...question) => {
    asked++
    return delivery.parentOf(...question)
  }
  const deps = {
    delivering: { mailboxes: { directory, delivery: { ...delivery, parentOf } } },
    spamScore,
    clock: world.clock,
  }
  const after = await spamAsReply(deps, envelope, examined)
  const short = (verdict: string): string => (verdict === 'ham' ? 'ham' : 'spam')
  return { first: short(judged.spam.verdict), after: short(after.verdict), asked }
}

/** What the agent sent, by its Message-ID. */
async function sent(world: World, lines: string[]): Promise<string[]> {
  const { id } = await world.send({ subject: 'Is this real?', text: lines.join('\n') })
  const { message_id } = await world.mailboxes.reading.message(world.id, id)
  return [`In-Reply-To: <${String(message_id)}>`]
}

onEveryEngine('a quote of what the agent itself has sent is history', async (t, world) => {
  const names = await sent(world, ['Is this real?', ...SAMPLE])
  t.match(await opinions(world, `${OWN}\n\n${quoted(SAMPLE)}`, names), { first: 'spam', after: 'ham', asked: 1 })
  const references = names.map((name) => name.replace('In-Reply-To', 'References'))
  t.match(await opinions(world, `${OWN}\n\n${quoted(SAMPLE)}`, references), { after: 'ham' }, 'by References too')
})

onEveryEngine('what is marked as a quote and was never written there is new', async (t, world) => {
  const text = `${OWN}\n\n${quoted(SAMPLE)}`
  t.match(await opinions(world, text, ['In-Reply-To: <unknown@example.org>']), {
    first: 'spam',
    after: 'spam',
    asked: 1,
  })
  t.match(await opinions(world, text, []), { first: 'spam', after: 'spam', asked: 0 }, 'it answers nothing')
  const names = await sent(world, ['When do we meet?'])
  t.match(await opinions(world, text, names), { first: 'spam', after: 'spam', asked: 1 }, 'it answers something else')
  const other = await world.addMailbox('other')
  const own = await sent(world, SAMPLE)
  t.match(await opinions(world, text, own, [other]), { after: 'spam' }, 'it stands in the mailbox of another')
})

onEveryEngine('marks of a quote hide no words', async (t, world) => {
  const lines = [
    'I am a banker in London and I have 18 million dollars of a dead customer without next of kin.',
    'I need a foreign partner to transfer the fund out of the country, and you will get 40 %.',
    'Keep this confidential and send me your bank account number and telephone.',
  ]
  const text = `${OWN}\n\n${quoted(lines)}`
  t.match(await opinions(world, text, []), { first: 'spam', after: 'spam' })
  t.match(await opinions(world, text, await sent(world, lines)), { first: 'spam', after: 'ham' })
})

onEveryEngine('spam that came before is no parent', async (t, world) => {
  const headers = ['Message-ID: <lure@example.org>']
  await world.deliver({ text: SAMPLE.join('\n'), headers, labels: ['spam'] })
  const names = ['In-Reply-To: <lure@example.org>']
  t.match(await opinions(world, `${OWN}\n\n${quoted(SAMPLE)}`, names), { first: 'spam', after: 'spam', asked: 1 })
})

onEveryEngine('ordinary replies ask no mailbox', async (t, world) => {
  const lines = ['Shall we meet on Tuesday at ten? The room is free all morning.']
  const names = await sent(world, lines)
  t.match(await opinions(world, `${OWN}\n\n${quoted(lines)}`, names), { first: 'ham', after: 'ham', asked: 0 })
})
