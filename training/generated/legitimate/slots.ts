/** Values of a template's slots in one message: a slot has the same value throughout. */
import type { Random } from '../template.js'
import { MORE_WORDS } from '../words-more.js'
import { WORDS, type Words } from '../words.js'
import type { Slots } from './expand.js'

interface Person {
  first: string
  family: string
  /** For an address. */
  local: string
  male: boolean
}

const DAY_MS = 86_400_000
const FROM_MS = Date.UTC(2023, 0, 9)
const DAYS = 1400

const wordsOf = (language: string): Words => {
  const words = WORDS[language] ?? MORE_WORDS[language]
  if (!words) throw new Error(`no words of ${language}`)
  return words
}
const list = (words: string): string[] => words.split(';')

// Formatters are dear to make, and there are few different ones.
const formatters = new Map<string, Intl.DateTimeFormat | Intl.NumberFormat>()
function dates(locale: string, format: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${locale} ${JSON.stringify(format)}`
  const known = formatters.get(key)
  const made =
    known instanceof Intl.DateTimeFormat ? known : new Intl.DateTimeFormat(locale, { ...format, timeZone: 'UTC' })
  formatters.set(key, made)
  return made
}
function amounts(locale: string, currency: string, whole: boolean): Intl.NumberFormat {
  const key = `${locale} ${currency} ${whole}`
  const known = formatters.get(key)
  const digits = whole ? { maximumFractionDigits: 0 } : {}
  const made =
    known instanceof Intl.NumberFormat
      ? known
      : new Intl.NumberFormat(locale, { style: 'currency', currency, ...digits })
  formatters.set(key, made)
  return made
}

/** @param companies of this template alone, instead of those of its language: `Name @ domain; …` */
export function createSlots(language: string, random: Random, companies?: string): Slots {
  const words = wordsOf(language)
  const which = random.int(0, list(words.locale).length - 1)
  const locale = list(words.locale)[which] ?? 'en'
  const currency = list(words.currency)[which] ?? 'EUR'
  const [company = '', host = ''] = random
    .pick(list(companies ?? words.companies))
    .split('@')
    .map((part) => part.trim())
  const [company2 = '', host2 = ''] = random
    .pick(list(words.companies).filter((one) => !one.includes(`@ ${host}`)))
    .split(' @ ')
  const people = new Map<string, Person>()
  const person = (name: string): Person => {
    const known = people.get(name) ?? newPerson(words, random, [...people.values()])
    people.set(name, known)
    return known
  }
  const today = FROM_MS + random.int(0, DAYS) * DAY_MS
  const date = (days: number, format: Intl.DateTimeFormatOptions): string =>
    dates(locale, format).format(today + days * DAY_MS)
  const long: Intl.DateTimeFormatOptions = random.chance(0.7) ? { dateStyle: 'long' } : { dateStyle: 'medium' }
  const digits = (count: number): string => Array.from({ length: count }, () => random.int(0, 9)).join('')
  const letters = (count: number, of: string): string =>
    Array.from({ length: count }, () => of[random.int(0, of.length - 1)]).join('')
  const hex = (count: number): string => letters(count, '0123456789abcdef')
  const CAPITALS = 'ABCDEFGHJKLMNPQRSTUVWXYZ'

  const amount = (range: string | undefined): string => {
    const [least = 8, most = 180] = (range ?? '8-180').split('-').map(Number)
    const scale = { JPY: 150, RUB: 90, INR: 85, CZK: 24, TRY: 34, MXN: 18, SEK: 11, CNY: 7, PLN: 4 }[currency] ?? 1
    const exact = (least + random.next() * (most - least)) * scale
    const value = exact > 5000 * scale && random.chance(0.8) ? Math.round(exact / 500) * 500 : exact
    const cents = scale > 20 || currency === 'JPY' || random.chance(0.25)
    return amounts(locale, currency, cents).format(cents ? Math.round(value) : Math.round(value * 100) / 100)
  }
  const time = (): string => {
    const [hour, minute] = [random.int(8, 20), random.pick(['00', '15', '30', '45', '10', '20'])]
    if (locale !== 'en-US') return `${hour}:${minute}`
    return `${((hour + 11) % 12) + 1}:${minute} ${hour < 12 ? 'am' : 'pm'}`
  }

  // Each makes a new value; `memo` below keeps it.
  const makers: Record<string, (argument?: string) => string> = {
    company: () => company,
    host: () => host,
    otherCompany: () => company2,
    otherHost: () => host2,
    city: () => random.pick(list(words.cities)),
    street: () => random.pick(list(words.streets)),
    product: () => random.pick(list(words.products)),
    job: () => random.pick(list(words.jobs)),
    mailbox: () => random.pick(list(words.mailboxes)),
    phone: () => words.phone.split(';')[which] ?? random.pick(list(words.phone)),
    hi: () => random.pick(list(words.hi)),
    dear: () => random.pick(list(words.dear)),
    cheers: () => random.pick(list(words.cheers)),
    bye: () => random.pick(list(words.bye)),
    legal: () => words.legal,
    unsubscribe: () => words.unsubscribe,
    amount,
    time,
    num: (range) => {
      const [least = 1, most = 9] = (range ?? '1-9').split('-').map(Number)
      return String(random.int(least, most))
    },
    date: (days) => date(days === undefined ? 0 : Number(days), long),
    dayBefore: () => date(-random.int(1, 6), long),
    dateSoon: () => date(random.int(2, 9), long),
    dateLater: () => date(random.int(12, 40), long),
    dateYear: () => date(random.int(200, 700), long),
    shortDate: () => date(random.int(-3, 3), { dateStyle: 'short' }),
    iso: () => new Date(today + random.int(-4, 4) * DAY_MS).toISOString().slice(0, 10),
    weekday: () => date(random.int(1, 6), { weekday: 'long' }),
    month: () => date(0, { month: 'long' }),
    lastMonth: () => date(-30, { month: 'long' }),
    year: () => new Date(today).toISOString().slice(0, 4),
    order: () =>
      random.pick([
        digits(6),
        `${letters(2, CAPITALS)}-${digits(6)}`,
        `#${digits(5)}`,
        `${digits(3)}-${digits(7)}`,
        hex(8),
      ]),
    invoice: () =>
      random.pick([
        `${random.int(2023, 2026)}-${digits(4)}`,
        `RE${digits(6)}`,
        `INV-${digits(5)}`,
        digits(8),
        `F${digits(5)}`,
      ]),
    ticket: () => random.pick([`#${digits(5)}`, `${letters(3, CAPITALS)}-${digits(4)}`, digits(6)]),
    tracking: () =>
      random.pick([
        `${letters(2, CAPITALS)}${digits(9)}${letters(2, CAPITALS)}`,
        `00${digits(18)}`,
        `1Z${letters(6, CAPITALS)}${digits(10)}`,
        digits(14),
      ]),
    code: () => digits(6),
    pin: () => digits(4),
    card: () => digits(4),
    plate: () => `${letters(2, CAPITALS)}${random.int(100, 9999)}`,
    booking: () => letters(6, `${CAPITALS}23456789`),
    token: () => letters(random.int(12, 36), 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'),
    hash: () => hex(7),
    uuid: () => `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`,
    ip: () => random.pick(['203.0.113.', '198.51.100.', '192.0.2.']) + random.int(2, 250),
    iban: () => `${words.iban}${digits(2)} ${[4, 4, 4, 4].map(digits).join(' ')} ${digits(2)}`,
    dial: () => `${random.pick(list(words.phone))}${digits(3)}`,
    version: () => `${random.int(0, 6)}.${random.int(0, 19)}.${random.int(0, 9)}`,
    ms: () => digits(3),
  }
  const memo = new Map<string, string>()
  const slots = (name: string): string => {
    const byGender = /^([gy]):([^/]*)\/?(.*)$/s.exec(name)
    if (byGender) return person(byGender[1] === 'g' ? 'me' : 'you').male ? (byGender[2] ?? '') : (byGender[3] ?? '')
    const ofPerson = /^(me|you|ann|bob)(Family|Full|Local)?$/.exec(name)
    if (ofPerson) return nameOf(person(ofPerson[1] ?? ''), ofPerson[2], ['ja', 'zh'].includes(language))
    const known = memo.get(name)
    if (known !== undefined) return known
    const [, key = '', argument] = /^([a-zA-Z]+)\d?(?::(.+))?$/.exec(name) ?? []
    const value = makers[key]?.(argument)
    if (value === undefined) throw new Error(`no slot {${name}}`)
    memo.set(name, value)
    return value
  }
  return Object.assign(slots, { shared: random.next() })
}

function newPerson(words: Words, random: Random, others: Person[]): Person {
  const male = random.chance(0.5)
  const taken = new Set(others.map(({ first }) => first))
  const [first = '', latin] = random
    .pick(list(male ? words.men : words.women).filter((one) => !taken.has(one.split('=')[0] ?? '')))
    .split('=')
  const [forms = '', latinFamily] = random.pick(list(words.families)).split('=')
  const [ofMen = '', ofWomen = ofMen] = forms.split('/')
  const family = male ? ofMen : ofWomen
  const [latinOfMen, latinOfWomen = latinOfMen] = latinFamily?.split('/') ?? []
  const [a, b] = [latin ?? first, (male ? latinOfMen : latinOfWomen) ?? family].map((part) =>
    part.toLowerCase().replace(/[^a-z]/g, ''),
  )
  const local = random.pick([`${a}.${b}`, `${a}.${b}`, `${a?.[0]}${b}`, `${a}`, `${a}_${b}${random.int(1, 99)}`])
  return { first, family, local, male }
}

function nameOf({ first, family, local }: Person, part: string | undefined, familyFirst: boolean): string {
  if (part === 'Local') return local
  if (part === 'Family') return family
  if (part === 'Full') return familyFirst ? `${family}${first}` : `${first} ${family}`
  return first
}
