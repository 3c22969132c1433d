/**
 * Real bounces, complaints and automatic answers of many programs: what kind each is, whom it is about, and whether trying again is of use.
 * The folders have the messages and no endings; those wanted here (the .csv files) are what the suites' own tests want, as far as these go.
 * An address stands as the start of its SHA-256, since the messages are not ours to repeat.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sha256Hex } from '../../../src/lib/ids.js'
import { parseMessage } from '../../../src/mime/parse/parse.js'
import type { ParsedMessage, ReportedRecipient } from '../../../src/mime/types.js'
import { limits } from '../../mime/support.js'
import type { Difference, Suite, SuiteRun } from '../suite.js'

const NO_CODE = 'no status code: if the text only reports a timeout, we treat it as temporary, the suite as permanent'
const ADDRESSEE = 'the only recipient named is its addressee: no other failure is known'
const DELAYED = 'the reporting server says that it keeps trying: delayed'

export const bounceSisimaiSuite: Suite = {
  folder: 'bounce-sisimai',
  title: 'sisimai: kind, failed recipients, permanent or temporary',
  source:
    'The number of recipients and the class of each status (5 permanent, 4 temporary, 2 delivered) are from the tests of the suite for 144 messages (Postfix, sendmail, exim, qmail, RFC 3464, DragonFly, Amazon SES), and our reading for the others; addresses were read from the messages, since the tests do not contain them.',
  rule: 'RFC 3464, RFC 5965, RFC 3834 and dialects',
  size: 416,
  explanations: {
    'bsd/arf-26': 'a mailing to an unsubscribe address with Auto-Submitted: no feedback report, labelled as automatic',
    'bsd/lhost-amazonses-10':
      "a provider's notification in JSON, sent by a web hook service to its subscriber: no mail system bounced",
    'bsd/lhost-amazonses-12': 'as amazonses-10, about a successful delivery',
    'bsd/lhost-einsundeins-03': ADDRESSEE,
    'bsd/lhost-sendmail-54': ADDRESSEE,
    'bsd/rhost-franceptt-04': ADDRESSEE,
    'bsd/lhost-fml-02': 'a list manager refuses a post by a non-member: list mail',
    'bsd/lhost-gmail-08': DELAYED,
    'bsd/lhost-gmx-04': NO_CODE,
    'bsd/lhost-opensmtpd-05': NO_CODE,
    'bsd/lhost-opensmtpd-12': DELAYED,
    'bsd/lhost-opensmtpd-16': DELAYED,
    'bsd/lhost-postfix-34': 'the name server asked to try again: temporary',
    'bsd/lhost-x2-03': NO_CODE,
    'bsd/rfc3834-03': 'only the words "Auto reply" in the subject: people write those too',
    'err/make-test-36': 'a person forwards a bounce',
    'not/rb-issue-368-bug': 'in the suite for a crash of its own; it is a bounce and names its recipient',
  },
  run: (dir) =>
    runBounces(join(dir, 'maildir'), 'bounce-sisimai', /\.eml$/, ({ permanent }) => (permanent ? 'P' : 'T')),
}

export const bounceFluflSuite: Suite = {
  folder: 'bounce-flufl',
  title: 'flufl.bounce: kind, failed recipients, given up or still tried',
  source:
    'Recipients, and whether delivery failed (P) or is only delayed (T), are from the test data of the suite; bounce\\_01 and dumbass\\_01 are not in it, and were read from the message.',
  rule: 'RFC 3464 and dialects',
  size: 103,
  explanations: {
    llnl_01: "one laboratory's wording: the only separate address is the suggested new one",
    simple_20: 'not from a mail system, and its subject begins with RE: like the reply of a person',
    yale_01: "one university's wording: the recipient is named without a domain, between other people's addresses",
  },
  run: (dir) =>
    runBounces(join(dir, 'flufl/bounce/tests/data'), 'bounce-flufl', /\.txt$/, ({ action }) =>
      action === 'failed' ? 'P' : 'T',
    ),
}

/** How a suite tells two ways of failing apart: by the class of the status, or by whether the sender goes on trying. */
type Letter = (recipient: ReportedRecipient) => 'P' | 'T'

async function runBounces(dir: string, name: string, files: RegExp, letter: Letter): Promise<SuiteRun> {
  const differences: Difference[] = []
  let total = 0
  const wanted = readFileSync(`test/suites/${name}.csv`, 'utf8').trim().split('\n')
  const present = new Set(readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter((file) => files.test(file)))
  for (const line of wanted) {
    const [key = '', ...expected] = line.split(',')
    const file = [...present].find((path) => path.replace(files, '') === key)
    if (file === undefined) continue
    total++
    const got = told(await parseMessage(asReceived(readFileSync(join(dir, file))), limits), letter)
    const want = expected.join(',')
    if (got !== want) differences.push({ case: key, got, wanted: want })
  }
  return { total, differences }
}

/** Without the line of a mailbox file in front, and with the line ends that SMTP carries. */
function asReceived(raw: Buffer): Buffer {
  const text = raw.toString('latin1').replace(/^From .*\r?\n/, '')
  return Buffer.from(text.includes('\n') ? text : text.replaceAll('\r', '\r\n'), 'latin1')
}

function told({ automation, report }: ParsedMessage, letter: Letter): string {
  const kinds = { delivery: 'bounce', disposition: 'receipt', feedback: 'complaint' }
  const recipients = (report?.recipients ?? []).map((recipient) => {
    const failed = recipient.action === 'failed' || recipient.action === 'delayed'
    return `${sha256Hex(recipient.address).slice(0, 10)} ${failed ? letter(recipient) : '-'}`
  })
  return `${report ? kinds[report.kind] : (automation ?? 'none')},${recipients.sort().join(';')}`
}
