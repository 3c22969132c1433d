/**
 * Messages made to take long, in any size: of what begins something and doesn't end it, of what is rare, of what is compared with each other. And a
 * search that puts such pieces together and keeps those which take longest.
 */
import type { GuardSubject } from '../src/guard/types.js'
import type { Random } from './generated/template.js'

type Made = Partial<GuardSubject>
export type Shape = (chars: number) => Made

const EMPTY: GuardSubject = {
  kind: 'outbound',
  subject: '',
  text: '',
  html: null,
  links: [],
  recipientCount: 1,
  newRecipientCount: 0,
  attachments: [],
  trust: 0,
}

const repeated = (part: string, chars: number): string => part.repeat(Math.ceil(chars / part.length)).slice(0, chars)

/** Different words of small letters, always the same ones. */
function words(chars: number): string[] {
  const all: string[] = []
  let state = 1
  for (let length = 0; length < chars; length += (all.at(-1)?.length ?? 0) + 1) {
    let word = ''
    const letters = 3 + (all.length % 8)
    for (let i = 0; i < letters; i++) {
      state = (Math.imul(state, 1103515245) + 12345) >>> 0
      word += String.fromCharCode(0x61 + ((state >>> 16) % 26))
    }
    all.push(word)
  }
  return all
}

/** Repeated to the length that is asked for. */
const TEXTS: Record<string, string> = {
  'plain words': 'please find attached the report of last week and tell me by friday what you think of it. ',
  'accents and quotes':
    'Votre compte a été suspendu, veuillez vérifier vos coordonnées « immédiatement ». Größe ändern für Müller.\n',
  russian: 'Ваш счёт будет заблокирован, подтвердите ваши данные немедленно по ссылке ниже.\n',
  chinese: '您的账户已被暂停,请立即验证您的身份信息。请在24小时内点击以下链接。',
  'korean letters': '\u1112\u1161\u11ab ',
  'arabic ligatures': '\ufdfa',
  'look-alike letters': 'Plеаsе vеrify yоur ассоunt, ог it will bе сlоsеd tоdаy. ',
  'zero-width characters': 'Pl\u200bease ver\u200bify your ac\u200bcount within 24 ho\u200burs. ',
  'piled marks': 'a\u0301\u0323\u0307',
  pictures: '😀👍🏽',
  'overridden directions': '\u2067a\u202eb\u202dc\u2069',
  'letters apart': 'v e r i f y  n o w  ',
  'letters apart without end': 'a b ',
  'digits for letters': 'p4ssw0rd acc0unt ',
  'letters and signs': 'abcdefghijkl1!|',
  'beginnings of addresses': 'http://www. @ a@ www.a. https:// ',
  'long mailboxes': `${'a'.repeat(70)}@`,
  addresses: 'see https://www.example.com/a/b?c=d and write to ana@example.com or b.c@example.org. ',
  'lines of dates': 'On Mon, 3 Nov 2025 at 10:30, Ana Example\n',
  'answered lines': '> On Mon, 3 Nov 2025 at 10:30, Ana Example <ana@example.com> wrote:\n> yes\nno\n',
  'header blocks': 'From: a@b.example\nSent: x\nTo: y\nSubject: z\n',
  'colons at ends': 'a b c d e f:\n',
  'short lines': 'a\n',
  'all that lures':
    'verify your account password within 24 hours, claim your prize of $ 5,000,000 us dollars, wire the payment to our new bank account, buy gift cards and send the codes, click here now!! ',
  'half of what lures':
    'to cancel call charged parcel delivery earn up to $1,000,000,000 from home lottery winner send your ',
  'torn signs': "i ' d pay $ 5 , 000 ( now ) . you ' ll see ; it ' s free ! ",
  numbers: '1,234,567.89 ',
}

/** The same, of markup. */
const MARKUP: Record<string, string> = {
  'nested elements': '<div><span><b><i>x',
  'nested tables': '<table><tr><td>a</td><td>b</td><td>c',
  'elements that end others': '<p><div><li></i></b>',
  'tables of letters': '<table><tr><td>a<td>b<td>c<td>d</table>',
  'flexible rows': '<p style="display:flex">a<b>b',
  'many attributes': `<p ${'a=b '.repeat(300)}>x`,
  'many classes': '<p class="a b c d e f g h i j k l m n o p q r s t" id="u">x</p>',
  'many declarations': `<p style="${'color:red;'.repeat(30)}">x</p>`,
  'directions of elements': '<bdo dir=rtl>ab<bdo dir=ltr>c</bdo>',
  'hidden elements': '<p style="display:none">x</p>',
  'pictures that are links': '<a href="http://a.example"><img alt="a b c" src="x"></a>',
  fields: '<form action="http://a.example"><input type=password value="a" placeholder="b">',
  'many links': '<a href="http://a.example/b?c=d">https://www.example.com</a> ',
  'quotes never closed': '<p a="',
  'tags never closed': '<a =',
  'comments never closed': '<!--',
  conditions: '<!--[if mso]><style>x</style><b>y</b><![endif]-->',
  'raw text never closed': '<title></titl',
  'styles never closed': '<style>a{/*',
  references: '&amp;&#x41&abcdefgh',
}

/** Styles in front of a short text. */
const STYLES: Record<string, string> = {
  'many rules': '.a{color:red}',
  'lists of selectors': '.a,.b,#c,d,',
  'media in media': '@media screen{',
  'skipped media': '@media print{a{}',
  'braces and semicolons': '};',
}

const COMPARED: Record<string, Shape> = {
  'different parts': (chars) => ({
    text: words(chars / 2).join('\n'),
    html: `<p>${words(chars)
      .slice(-words(chars / 2).length)
      .join('</p><p>')}`,
  }),
  'lines in another order': (chars) => {
    const lines = words(chars / 2)
    return { text: lines.join('\n'), html: `<p>${lines.toReversed().join('</p><p>')}` }
  },
  'quotes in another order': (chars) => {
    const lines = words(chars / 2)
    return {
      text: `a:\n${lines
        .toReversed()
        .map((line) => `> ${line}`)
        .join('\n')}`,
      parentText: lines.join(' '),
    }
  },
  'quotes of nothing': (chars) => ({ text: repeated(`> ${'a'.repeat(40)}b\n`, chars / 2), parentText: repeated('a', chars / 2) }), // prettier-ignore
  'a page of the parent': (chars) => {
    const lines = words(chars / 4).map((word) => `${word} ${'a'.repeat(14)}`)
    return { html: `<p>${lines.toReversed().join('</p><p>')}`, parentText: lines.join('\n') }
  },
}

const LISTS: Record<string, Shape> = {
  links: (chars) => ({
    links: words(chars / 10).map((word) => ({ target: `http://${word}.example/?url=http://b.example`, text: `www.${word}.example` })), // prettier-ignore
  }),
  'long links': (chars) => ({ links: Array.from({ length: 100 }, (_, i) => ({ target: `http://a${i}.example/${repeated('login/paypal.exe.', chars / 100)}`, text: 'www.example.com' })) }), // prettier-ignore
  attachments: (chars) => ({
    attachments: words(chars / 4).map((word) => ({ filename: `${word}.pdf`, contentType: 'application/pdf', sizeBytes: 1 })), // prettier-ignore
  }),
  'long names of attachments': (chars) => ({ attachments: [{ filename: `.pdf${repeated('  __', chars)}`, contentType: 'a/b', sizeBytes: 1 }] }), // prettier-ignore
  'links in files': (chars) => ({
    attachments: words(chars / 40).map((word) => ({
      filename: 'a.pdf',
      contentType: 'application/pdf',
      sizeBytes: 1,
      file: { signs: [], links: Array.from({ length: 5 }, (_, i) => `http://${word}${i}.example/`) },
    })),
  }),
  names: (chars) => ({ from: { address: `a@${repeated('a-b.', chars / 2)}example`, name: repeated('paypal ', chars / 2) } }), // prettier-ignore
}

export const SHAPES: Record<string, Shape> = {
  ...mapped(TEXTS, (part) => (chars) => ({ text: repeated(part, chars) })),
  ...mapped(TEXTS, (part) => (chars) => ({ html: `<p>${repeated(part, chars).replaceAll('\n', '<br>')}` }), ' in HTML'),
  ...mapped(MARKUP, (part) => (chars) => ({ html: repeated(part, chars) })),
  ...mapped(STYLES, (part) => (chars) => ({ html: `<style>${repeated(part, chars - 30)}{color:red}</style>x` })),
  ...COMPARED,
  ...LISTS,
}

function mapped(parts: Record<string, string>, shape: (part: string) => Shape, suffix = ''): Record<string, Shape> {
  return Object.fromEntries(Object.entries(parts).map(([name, part]) => [`${name}${suffix}`, shape(part)]))
}

export function subjectOfShape(shape: Shape, chars: number): GuardSubject {
  const made = shape(chars)
  return { ...EMPTY, subject: (made.text ?? '').slice(0, 80), ...made }
}

const PIECES = [
  ...Object.values(TEXTS),
  ...Object.values(MARKUP),
  ...Object.values(STYLES),
  ...['<', '>', '</', '"', "'", '=', '&', ';', '{', '}', ',', '.', ' ', '\n', '\t', '/*', '*/', '-->', '<style>', '</style>', '<p style="', '<tr><td>', '@', '://', '> ', ':', '1', 'a', 'é', '\u202e', '\u0301', 'я', '中'], // prettier-ignore
]
const MOST_PIECES = 6
const KEPT = 8

/**
 * Puts pieces together at random, and changes those that took longest, as a hill climber does.
 *
 * @param tried numbers of messages to try
 * @returns the slowest one, and its pieces
 */
export async function searchWorst(
  takes: (subject: GuardSubject) => Promise<number>,
  random: Random,
  { tried, chars }: { tried: number; chars: number },
): Promise<{ pieces: string[]; shape: Shape; ms: number }> {
  const best: { pieces: string[]; shape: Shape; ms: number }[] = []
  for (let i = 0; i < tried; i++) {
    const from = best.length === KEPT && random.chance(0.8) ? random.pick(best).pieces : []
    const pieces = changed(from, random)
    const shape = shapeOf(pieces)
    const ms = await takes(subjectOfShape(shape, chars))
    best.push({ pieces, shape, ms })
    best.sort((a, b) => b.ms - a.ms)
    best.length = Math.min(best.length, KEPT)
  }
  const [worst] = best
  if (!worst) throw new Error('nothing was tried')
  return worst
}

function changed(from: string[], random: Random): string[] {
  if (from.length === 0) return Array.from({ length: random.int(1, MOST_PIECES) }, () => random.pick(PIECES))
  const pieces = [...from]
  const at = random.int(0, pieces.length - 1)
  if (pieces.length < MOST_PIECES && random.chance(0.4)) pieces.splice(at, 0, random.pick(PIECES))
  else if (pieces.length > 1 && random.chance(0.4)) pieces.splice(at, 1)
  else pieces[at] = random.pick(PIECES)
  return pieces
}

/** The pieces as the text, the HTML and the parent at once. */
function shapeOf(pieces: string[]): Shape {
  const part = pieces.join('')
  return (chars) => {
    const text = repeated(part, chars / 2)
    return { text, html: repeated(part, chars), parentText: text.toUpperCase() }
  }
}
