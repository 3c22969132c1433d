/** Replies with quoted history: what is left has to be the new words, from the first to the last. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { htmlToText } from '../../../src/mime/html/html.js'
import { parseMessage } from '../../../src/mime/parse/parse.js'
import { extractReply } from '../../../src/mime/reply/reply.js'
import { limits } from '../../mime/support.js'
import type { Difference, Suite, SuiteRun } from '../suite.js'

const flat = (text: string) => text.replace(/\s+/g, ' ').trim()
const read = (...path: string[]) => readFileSync(join(...path), 'utf8').replaceAll('\r\n', '\n')

/** Where the new words end, as a reader sees it; '=' for a message that is new from beginning to end. */
const CRISP_ENDS: Record<string, string> = {
  'correct_sig.txt': 'a correct -- signature.',
  'email_1.txt': 'the Java HTTP API.',
  'email_19.txt': 'I get proper rendering.',
  'email_2.txt': 'them all individually."',
  'email_20.txt': 'Thursday.',
  'email_2_1.txt': 'with a reply',
  'email_3.txt': 'would be great.',
  'email_4.txt': 'problem with it.',
  'email_5.txt': '=',
  'email_6.txt': 'rendering as well.',
  'email_blackberry.txt': 'is another email',
  'email_bullets.txt': 'bullets - and another',
  'email_custom_quote_header.txt': 'you!',
  'email_customer_quote_header_2.txt': 'you very much.',
  'email_customer_quote_header_3.txt': "merci d'avance",
  'email_emoji.txt': '🎉',
  'email_iphone.txt': 'is another email',
  'email_multi_word_sent_from_my_mobile_device.txt': 'is another email',
  'email_not_a_signature.txt': '=',
  'email_not_a_signature_2.txt': '=',
  'email_one_is_not_on.txt': 'when I run...',
  'email_reply_header.txt': 'happen TWICE! Stranger',
  'email_sent_from.txt': 'words or paragraphs.',
  'email_sent_from_my_not_signature.txt': '=',
  'email_thread.txt': 'in thread from bellow.',
  'email_tricky_11_double_signature.txt': 'Best regards, John',
  'email_tricky_13_timestamp_variations.txt': '=',
  'email_tricky_16_unicode_signatures.txt': 'update! Cheers 🎉 Sarah',
  'email_tricky_17_forward_header.txt': 'message below.',
  'email_tricky_18_inline_reply.txt': 'for our use case.',
  'email_tricky_19_quote_without_header.txt': 'And my final thoughts.',
  'email_tricky_1_on_false_positive.txt': '=',
  'email_tricky_20_html_entities.txt': 'are handled correctly.',
  'email_tricky_2_url_with_wrote.txt': '=',
  'email_tricky_3_code_block.txt': '=',
  'email_tricky_4_from_in_body.txt': '=',
  'email_tricky_6_regards_in_sentence.txt': '=',
  'email_tricky_7_multiple_dashes.txt': '=',
  'email_tricky_8_sent_from_in_content.txt': '=',
  'email_tricky_9_nested_quotes.txt': 'with the points below.',
  'email_unquoted_reply.txt': 'is my reply.',
  'email_with_date_headers.txt': '=',
  'email_with_from_headers.txt': '=',
  'email_with_regards.txt': '=',
  'email_zoho.txt': 'after running a test?',
  'sig_no_empty_line.txt': 'no empty line above.',
}

export const replyCrispSuite: Suite = {
  folder: 'reply-crisp',
  title: 'crisp: the new words of a reply, in many languages',
  rule: 'DESIGN §5, extracted_text',
  size: 89,
  explanations: {
    'email_15.txt': 'text below the signature of a phone, with no mark that it is older: kept',
    'email_19.txt': 'no device is named: the author may have written the line, so it is kept',
    'email_6.txt': 'as email_19',
    'email_7.txt': 'the mail program broke quoted lines in two, where a reply may be: kept',
    'email_8.txt': 'as email_7',
    'email_german_3.txt': 'as email_15',
    'email_unquoted_reply.txt': 'a person may have written that line, and the rest is not marked: kept',
  },
  run: (dir) => {
    const folder = join(dir, 'test/fixtures')
    const differences: Difference[] = []
    let total = 0
    for (const name of readdirSync(folder).sort()) {
      const text = read(folder, name)
      // The five lines that most of them begin with are all that is new in those.
      const known = text.startsWith('Fusce bibendum') ? text.split('\n').slice(0, 5).join(' ') : undefined
      const end = CRISP_ENDS[name]
      if (known === undefined && end === undefined) continue
      total++
      const got = flat(extractReply(text))
      const right = known === undefined ? endsWell(got, end ?? '', text) : got === flat(known)
      if (!right) differences.push({ case: name, got: got.slice(-80), wanted: known ?? end ?? '' })
    }
    return Promise.resolve({ total, differences })
  },
}

const GITHUB_ENDS: Record<string, string> = {
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

export const replyGithubSuite: Suite = {
  folder: 'reply-github',
  title: 'github: the new words of a reply end where a reader says',
  rule: 'DESIGN §5, extracted_text',
  size: 21,
  explanations: {
    'email_1_6.txt': 'no device is named: the author may have written the line, so it is kept',
  },
  run: (dir) => {
    const differences: Difference[] = []
    for (const [name, end] of Object.entries(GITHUB_ENDS)) {
      const text = read(dir, 'test/emails', name)
      const got = flat(extractReply(text))
      const right = endsWell(got, end, text) && !/wrote:|^>/.test(got)
      if (!right) differences.push({ case: name, got: got.slice(-80), wanted: end })
    }
    return Promise.resolve({ total: Object.keys(GITHUB_ENDS).length, differences })
  },
}

export const replyTalonSuite: Suite = {
  folder: 'reply-talon',
  title: 'talon: replies of common programs, as text and as HTML alone',
  rule: 'DESIGN §5, extracted_text',
  size: 21,
  explanations: {},
  run: async (dir): Promise<SuiteRun> => {
    const fixtures = join(dir, 'tests/fixtures')
    const differences: Difference[] = []
    const compare = (name: string, got: string, wanted: string): void => {
      if (flat(got) !== wanted) differences.push({ case: name, got: flat(got).slice(0, 120), wanted })
    }
    const mails = readdirSync(join(fixtures, 'standard_replies')).filter((name) => name.endsWith('.eml'))
    for (const name of mails) {
      const { extractedText } = await parseMessage(readFileSync(join(fixtures, 'standard_replies', name)), limits)
      compare(name, extractedText, 'Hello')
    }
    const pages = readdirSync(join(fixtures, 'html_replies'))
    for (const name of pages) {
      const text = htmlToText(read(fixtures, 'html_replies', name))
      compare(name, extractReply(text), 'Hi. I am fine. Thanks, Alex')
    }
    return { total: mails.length + pages.length, differences }
  },
}

function endsWell(got: string, end: string, text: string): boolean {
  return end === '=' ? got === flat(text) : got.endsWith(end)
}
