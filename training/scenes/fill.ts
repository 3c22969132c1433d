/** One telling of a scene's words: choices made, lists and slots filled. A name says the same throughout a message. */
import type { Random } from '../generated/template.js'
import { createHosts } from './hosts.js'
import type { Lists } from './parse.js'

const MONEY: Record<string, readonly [locale: string, currency: string, worth: number]> = {
  en: ['en-US', 'USD', 1],
  de: ['de-DE', 'EUR', 1],
  nl: ['nl-NL', 'EUR', 1],
  fr: ['fr-FR', 'EUR', 1],
  es: ['es-ES', 'EUR', 1],
  it: ['it-IT', 'EUR', 1],
  pt: ['pt-BR', 'BRL', 5],
  sv: ['sv-SE', 'SEK', 10],
  da: ['da-DK', 'DKK', 7],
  nb: ['nb-NO', 'NOK', 10],
  fi: ['fi-FI', 'EUR', 1],
  pl: ['pl-PL', 'PLN', 4],
  cs: ['cs-CZ', 'CZK', 22],
  hu: ['hu-HU', 'HUF', 350],
  ro: ['ro-RO', 'RON', 5],
  el: ['el-GR', 'EUR', 1],
  tr: ['tr-TR', 'TRY', 30],
  ru: ['ru-RU', 'RUB', 90],
  uk: ['uk-UA', 'UAH', 40],
  ar: ['ar-AE', 'AED', 4],
  hi: ['hi-IN', 'INR', 80],
  bn: ['bn-BD', 'BDT', 110],
  id: ['id-ID', 'IDR', 15_000],
  ms: ['ms-MY', 'MYR', 4],
  vi: ['vi-VN', 'VND', 25_000],
  th: ['th-TH', 'THB', 35],
  tl: ['fil-PH', 'PHP', 55],
  ja: ['ja-JP', 'JPY', 150],
  ko: ['ko-KR', 'KRW', 1350],
  zh: ['zh-CN', 'CNY', 7],
  et: ['et-EE', 'EUR', 1],
  lt: ['lt-LT', 'EUR', 1],
  lv: ['lv-LV', 'EUR', 1],
  sk: ['sk-SK', 'EUR', 1],
  sl: ['sl-SI', 'EUR', 1],
  hr: ['hr-HR', 'EUR', 1],
  bg: ['bg-BG', 'EUR', 1],
  sr: ['sr-Latn-RS', 'RSD', 110],
  ca: ['ca-ES', 'EUR', 1],
  he: ['he-IL', 'ILS', 4],
  fa: ['fa-IR', 'IRR', 500_000],
  ur: ['ur-PK', 'PKR', 280],
  ta: ['ta-IN', 'INR', 80],
  sw: ['sw-KE', 'KES', 130],
}
/** Country of account numbers, and its calling code. */
const IBAN: Record<string, string> = {
  de: 'DE', nl: 'NL', fr: 'FR', es: 'ES', it: 'IT', sv: 'SE', da: 'DK', nb: 'NO', fi: 'FI', pl: 'PL', cs: 'CZ', hu: 'HU', ro: 'RO', el: 'GR', tr: 'TR', uk: 'UA', ar: 'AE',
  et: 'EE', lt: 'LT', lv: 'LV', sk: 'SK', sl: 'SI', hr: 'HR', bg: 'BG', sr: 'RS', ca: 'ES', he: 'IL', ur: 'PK',
} // prettier-ignore
const DIALLING: Record<string, string> = {
  de: '49', nl: '31', fr: '33', es: '34', it: '39', pt: '55', sv: '46', da: '45', nb: '47', fi: '358', pl: '48', cs: '420', hu: '36', ro: '40', el: '30', tr: '90', ru: '7',
  uk: '380', ar: '971', hi: '91', bn: '880', id: '62', ms: '60', vi: '84', th: '66', tl: '63', ja: '81', ko: '82', zh: '86',
  et: '372', lt: '370', lv: '371', sk: '421', sl: '386', hr: '385', bg: '359', sr: '381', ca: '34', he: '972', fa: '98', ur: '92', ta: '91', sw: '254',
} // prettier-ignore
const DAY_MS = 86_400_000
const FIRST_DAY = Date.UTC(2023, 0, 9)
const DAYS = 1400
const INNERMOST = /\[([^[\]]*)\]/
const SLOT = /\{([a-z]+)(\d?)(?::([^{}]*))?\}/g
/** Lists within lists. */
const MAX_DEPTH = 6

export type Fill = (text: string) => string

/** @param lists the scene's own first, then those of its file */
export function createFill(language: string, lists: readonly Lists[], random: Random): Fill {
  const [locale, currency, worth] = MONEY[language] ?? MONEY['en'] ?? ['en-US', 'USD', 1]
  const hosts = createHosts(random)
  const today = FIRST_DAY + random.int(0, DAYS) * DAY_MS
  const dateStyle = random.pick<Intl.DateTimeFormatOptions>([
    { dateStyle: 'long' },
    { dateStyle: 'medium' },
    { day: 'numeric', month: 'long' },
    { dateStyle: 'short' },
  ])
  const date = (days: number, style = dateStyle): string =>
    new Intl.DateTimeFormat(locale, { timeZone: 'UTC', ...style }).format(today + days * DAY_MS)
  const digits = (count: number): string => Array.from({ length: count }, () => random.int(0, 9)).join('')
  const letters = (count: number, of = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'): string =>
    Array.from({ length: count }, () => of[random.int(0, of.length - 1)]).join('')
  const range = (given: string | undefined, least: number, most: number): number => {
    const [low = least, high = most] = (given ?? '').split('-').filter(Boolean).map(Number)
    return low + random.next() * (high - low)
  }
  const money = (value: number): string => {
    const isWhole = worth > 20 || random.chance(0.5)
    const step = worth > 1000 ? 1000 : worth > 20 ? 10 : 1
    const exact = value * worth
    return new Intl.NumberFormat(locale, {
      style: 'currency',
      currency,
      ...(isWhole ? { maximumFractionDigits: 0 } : {}),
    }).format(isWhole ? Math.round(exact / step) * step : exact)
  }

  const makers: Record<string, (given: string | undefined) => string> = {
    amount: (given) => money(range(given, 15, 900)),
    number: (given) => String(Math.round(range(given, 2, 9))),
    date: () => date(0),
    soon: () => date(random.int(1, 9)),
    past: () => date(-random.int(2, 30)),
    weekday: () => date(random.int(1, 7), { weekday: 'long' }),
    month: () => date(random.int(-30, 30), { month: 'long' }),
    year: () => String(new Date(today).getUTCFullYear()),
    time: () => `${random.int(7, 21)}:${String(random.int(0, 11) * 5).padStart(2, '0')}`,
    ref: () =>
      random.pick([digits(8), `${letters(2)}-${digits(5)}`, `#${digits(5)}`, `${digits(4)}/${random.int(22, 26)}`]),
    code: () => letters(random.int(6, 10)),
    phone: () =>
      random.pick([
        `+${DIALLING[language] ?? '1'} ${digits(2)} 555 0${digits(3)}`,
        ...(language === 'en' ? [`+1 (8${digits(2)}) 555-01${digits(2)}`, `+44 20 7946 0${digits(3)}`] : []),
        `0${digits(2)} 555 0${digits(3)}`,
      ]),
    iban: () =>
      `${IBAN[language] ?? letters(2, 'ABDEFGILNPS')}${digits(2)} ${digits(4)} ${digits(4)} ${digits(4)} ${digits(4)} ${digits(2)}`,
    wallet: () =>
      random.pick([`bc1q${letters(34, 'acdefghjklmnpqrstuvwxyz023456789')}`, `0x${letters(40, '0123456789abcdef')}`]),
    ip: () => `${random.pick(['192.0.2', '198.51.100', '203.0.113'])}.${random.int(1, 254)}`,
    ...hosts,
  }
  const each = new Set(['number', 'amount', 'like', 'likelink', 'link'])
  const known = new Map<string, string>()
  const taken = new Map<string, Set<string>>()

  const entryOf = (name: string): string | undefined => {
    const entries = lists.map((list) => list.get(name)).find((found) => found !== undefined)
    if (!entries) return undefined
    const used = taken.get(name) ?? new Set<string>()
    taken.set(name, used)
    const left = entries.filter((entry) => !used.has(entry))
    const entry = random.pick(left.length > 0 ? left : entries)
    used.add(entry)
    return entry
  }
  const filled = (text: string, depth: number): string => {
    if (depth > MAX_DEPTH) throw new Error(`lists contain each other: ${text}`)
    return chosen(text, random).replace(SLOT, (_, name: string, which: string, given: string | undefined) => {
      const key = each.has(name) && given !== undefined ? undefined : `${name}${which}`
      const was = key === undefined ? undefined : known.get(key)
      if (was !== undefined) return was
      const entry = entryOf(name)
      const maker = makers[name]
      if (entry === undefined && !maker) throw new Error(`there is no list or slot called {${name}}`)
      const value = entry === undefined ? (maker?.(given) ?? '') : filled(entry, depth + 1)
      if (key !== undefined) known.set(key, value)
      return value
    })
  }
  return (text) => filled(text, 0)
}

/** Of each `[a|b|c]` one, from the inside out. */
function chosen(text: string, random: Random): string {
  let said = text
  for (let found = INNERMOST.exec(said); found; found = INNERMOST.exec(said)) {
    said =
      said.slice(0, found.index) + random.pick((found[1] ?? '').split('|')) + said.slice(found.index + found[0].length)
  }
  return said
}
