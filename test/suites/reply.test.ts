import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { parseMessage } from '../../src/mime/parse.js'
import { extractReply } from '../../src/mime/reply.js'
import { limits } from '../mime/support.js'

const suites = '../shared/suites'
const skip = existsSync(suites) ? false : `${suites} is not there`
const flat = (text: string) => text.replace(/\s+/g, ' ').trim()

t.test('crisp: the five lines that begin most of its replies are all that is new in them', { skip }, async (t) => {
  const folder = join(suites, 'reply-crisp/test/fixtures')
  const replies = readdirSync(folder)
    .map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8').replaceAll('\r\n', '\n') }))
    .filter(({ text }) => text.startsWith('Fusce bibendum'))
  const wrong = replies.filter(({ text }) => flat(extractReply(text)) !== flat(text.split('\n').slice(0, 5).join(' ')))
  t.comment(`wrong: ${wrong.map(({ name }) => name).join(', ')}`)
  t.equal(replies.length, 43)
  t.ok(wrong.length <= 1, `${replies.length - wrong.length} of ${replies.length} right`)
})

/** Where the new words end, by hand; '=' for a message that is new from beginning to end. */
const github: Record<string, string> = {
  'correct_sig.txt': 'correct -- signature.',
  'email_1_1.txt': 'Java HTTP API.',
  'email_1_2.txt': 'delete them all individually."',
  'email_1_3.txt': 'would be great.',
  'email_1_4.txt': 'another problem with it.',
  'email_1_5.txt': '=',
  'email_1_6.txt': 'rendering as well.',
  'email_1_7.txt': ':+1:',
  'email_1_8.txt': 'and under this.',
  'email_2_1.txt': 'Outlook with a reply',
  'email_2_2.txt': 'directly above line',
  'email_2_3.txt': 'directly above line',
  'email_BlackBerry.txt': 'another email',
  'email_bullets.txt': '- and another',
  'email_iPhone.txt': 'another email',
  'email_multi_word_sent_from_my_mobile_device.txt': 'another email',
  'email_one_is_not_on.txt': 'when I run...',
  'email_sent_from_my_not_signature.txt': '=',
  'email_sig_delimiter_in_middle_of_line.txt': '=',
  'greedy_on.txt': 'tunnel is not working.',
  'pathological.txt': 'back to a computer.',
}

t.test('github: the new words end where a reader says they end', { skip }, async (t) => {
  for (const [name, end] of Object.entries(github)) {
    const text = readFileSync(join(suites, 'reply-github/test/emails', name), 'utf8').replaceAll('\r\n', '\n')
    const extracted = flat(extractReply(text))
    t.ok(end === '=' ? extracted === flat(text) : extracted.endsWith(end), name)
    t.notMatch(extracted, /wrote:|^>/, name)
  }
})

t.test('talon: replies of common programs come down to their first words', { skip }, async (t) => {
  const folder = join(suites, 'reply-talon/tests/fixtures/standard_replies')
  const right: string[] = []
  const wrong: string[] = []
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.eml'))) {
    const { extractedText } = await parseMessage(readFileSync(join(folder, name)), limits)
    ;(/^Hello\s*$/.test(extractedText) ? right : wrong).push(`${name}: ${JSON.stringify(extractedText.slice(0, 80))}`)
  }
  t.comment(wrong.join('\n'))
  t.ok(right.length >= 10, `${right.length} of ${right.length + wrong.length} right`)
})
