/**
 * The main language of a text, to compare the messages of one sender: by its script, or for Latin letters by its most frequent short words. Which
 * phrases of abuse to look for is decided elsewhere (phrases/languages/markers.ts): there a language too many costs only time, here it would be wrong.
 */
import { isAscii } from './plain.js'

/** In the order of their numbers, which are stored: new ones are added at the end. */
export const LANGUAGES = [
  ...['English', 'German', 'French', 'Spanish', 'Italian', 'Portuguese', 'Dutch', 'Polish', 'Swedish'],
  ...['Danish or Norwegian', 'Indonesian or Malay', 'Turkish', 'Romanian', 'Finnish', 'Czech', 'Vietnamese'],
  ...['Russian or another language in Cyrillic letters', 'Greek', 'Japanese', 'Chinese', 'Korean', 'Arabic letters'],
  ...['Hebrew', 'Hindi or another language in Devanagari', 'Thai'],
] as const

export type Language = (typeof LANGUAGES)[number]

/** Words in small letters without marks. */
const WORDS: Partial<Record<Language, string>> = {
  English: 'the and of to is for you that with this are have your we be on it not our from',
  German: 'der die und das ist nicht ein eine mit sie wir fur auf ich den dem im zu',
  French: 'le la les et des est une pour vous dans nous pas je sur au du',
  Spanish: 'el los las que una para por con es su del la en y lo',
  Italian: 'il che di una per sono non con gli della la del in le ti si',
  Portuguese: 'o os que uma para com nao do da em voce um as e se',
  Dutch: 'het een van en voor met is niet dat zijn wij de je op te u',
  Polish: 'nie jest sie w na z i do oraz to jak o prosze',
  Swedish: 'och att det som for ar en inte pa vi med av jag ni har',
  'Danish or Norwegian': 'og at det som for er en ikke pa vi med af av jeg du har til',
  'Indonesian or Malay': 'yang dan untuk dengan anda ini tidak kami di ke dari akan',
  Turkish: 've bir bu icin ile cok olarak da de ne var size',
  Romanian: 'si este pentru cu nu sunt din la o pe va care',
  Finnish: 'ja on ei etta se ole tai myos kun olen hyva',
  Czech: 'je se na ze v pro jsem jako ale jsou to dobry',
  Vietnamese: 'va cua la cho khong cac mot co ban duoc toi voi',
}

const SCRIPTS: readonly [Language, RegExp][] = [
  ['Russian or another language in Cyrillic letters', /\p{Script=Cyrillic}/gu],
  ['Greek', /\p{Script=Greek}/gu],
  ['Japanese', /[\p{Script=Hiragana}\p{Script=Katakana}]/gu],
  ['Chinese', /\p{Script=Han}/gu],
  ['Korean', /\p{Script=Hangul}/gu],
  ['Arabic letters', /\p{Script=Arabic}/gu],
  ['Hebrew', /\p{Script=Hebrew}/gu],
  ['Hindi or another language in Devanagari', /\p{Script=Devanagari}/gu],
  ['Thai', /\p{Script=Thai}/gu],
]

const MAX_CHARS = 2000
/** Fewer letters are a name or a greeting. */
const MIN_LETTERS = 20
const MIN_WORDS = 4
/** A language leads by this factor, or it is unknown: some have most of their short words in common. */
const LEAD = 1.3
/** Kana are a part of Japanese text only; names in another script are a small part of any. */
const KANA_SHARE = 0.1
const SCRIPT_SHARE = 0.4

/** Numbers of the languages of each word. */
const BY_WORD = new Map<string, number[]>()
for (const [index, language] of LANGUAGES.entries())
  for (const word of WORDS[language]?.split(' ') ?? []) BY_WORD.set(word, [...(BY_WORD.get(word) ?? []), index])

const ENOUGH_LETTERS = new RegExp(`(?:\\p{L}\\P{L}*){${MIN_LETTERS}}`, 'u')

/** @returns undefined for a text that is too short or mixed */
export function languageOf(text: string): Language | undefined {
  const start = text.slice(0, MAX_CHARS)
  if (!ENOUGH_LETTERS.test(start)) return undefined
  return (/[^\0-\u024f]/.test(start) ? byScript(start) : undefined) ?? byWords(start)
}

function byScript(text: string): Language | undefined {
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  return SCRIPTS.find(([language, sign]) => {
    const share = (text.match(sign)?.length ?? 0) / letters
    return share >= (language === 'Japanese' ? KANA_SHARE : SCRIPT_SHARE)
  })?.[0]
}

function byWords(text: string): Language | undefined {
  const votes = LANGUAGES.map(() => 0)
  for (const word of wordsOf(text))
    for (const index of BY_WORD.get(word) ?? NONE) votes[index] = (votes[index] ?? 0) + 1
  const [first = 0, second = 0] = votes.toSorted((a, b) => b - a)
  return first < MIN_WORDS || first < LEAD * second ? undefined : LANGUAGES[votes.indexOf(first)]
}

const NONE: readonly number[] = []

function wordsOf(text: string): string[] {
  const lower = text.toLowerCase()
  if (isAscii(lower)) return lower.split(/[^a-z]+/)
  const plain = lower.normalize('NFD').replace(/\p{M}/gu, '').replaceAll('ı', 'i').replaceAll('đ', 'd')
  return plain.match(/\p{L}+/gu) ?? []
}
