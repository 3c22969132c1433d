/** What fills the `<slots>` of a template's wording. The same slot says the same throughout a message, apart from those that take a range. */
import type { Random } from '../template.js'
import { freeAddress, invented, slug, token } from './hosts.js'
import { BANKS, CITIES, COMPANIES, COMPANY_ENDS, NOISE, peopleOf, RESERVED_ENDS, SYLLABLES } from './words.js'

export interface Person {
  name: string
  first: string
  last: string
}

export interface Slots {
  sender: Person
  brand: string
  /** Where the message goes. */
  recipient: { address: string; domain: string }
  /** Fills all slots but those of links (`<link>`, `<a …>`, `<br>`). */
  fill(text: string): string
}

const LOCALES: Record<string, { locale: string; currencies: string[] }> = {
  en: { locale: 'en-US', currencies: ['USD', 'USD', 'USD', 'GBP', 'EUR'] },
  de: { locale: 'de-DE', currencies: ['EUR'] },
  fr: { locale: 'fr-FR', currencies: ['EUR'] },
  es: { locale: 'es-ES', currencies: ['EUR', 'EUR', 'USD'] },
  it: { locale: 'it-IT', currencies: ['EUR'] },
  pt: { locale: 'pt-BR', currencies: ['BRL', 'BRL', 'EUR'] },
  nl: { locale: 'nl-NL', currencies: ['EUR'] },
  pl: { locale: 'pl-PL', currencies: ['PLN'] },
  ru: { locale: 'ru-RU', currencies: ['RUB'] },
  tr: { locale: 'tr-TR', currencies: ['TRY'] },
  ja: { locale: 'ja-JP', currencies: ['JPY'] },
  zh: { locale: 'zh-CN', currencies: ['CNY'] },
  sv: { locale: 'sv-SE', currencies: ['SEK'] },
  cs: { locale: 'cs-CZ', currencies: ['CZK'] },
  ar: { locale: 'ar-SA', currencies: ['SAR', 'USD'] },
  hi: { locale: 'hi-IN', currencies: ['INR'] },
}
/** How many of its unit buy about as much as one dollar. */
const WORTH: Record<string, number> = {
  BRL: 5,
  PLN: 4,
  RUB: 90,
  TRY: 30,
  JPY: 150,
  CNY: 7,
  SEK: 10,
  CZK: 22,
  SAR: 4,
  INR: 80,
}
const DAY_MS = 86_400_000

export function createSlots(language: string, brands: readonly string[], random: Random): Slots {
  const { locale, currencies } = LOCALES[language] ?? { locale: 'en-US', currencies: ['USD'] }
  const currency = random.pick(currencies)
  const people = peopleOf(language)
  const person = (): Person => {
    const [first, last] = [random.pick(people.first), random.pick(people.last)]
    return {
      first,
      last,
      name: language === 'zh' ? last + first : language === 'ja' ? `${last} ${first}` : `${first} ${last}`,
    }
  }
  const day = new Date(Date.UTC(2022, 0, 1) + random.int(0, 1700) * DAY_MS)
  const later = (days: number, style: Intl.DateTimeFormatOptions): string =>
    new Intl.DateTimeFormat(locale, { timeZone: 'UTC', ...style }).format(new Date(day.getTime() + days * DAY_MS))
  const money = (dollars: number, fraction = true): string =>
    new Intl.NumberFormat(locale, {
      style: 'currency',
      currency,
      ...(fraction ? {} : { maximumFractionDigits: 0 }),
    }).format(dollars * (WORTH[currency] ?? 1))
  const company = (): string => {
    const stem = random.pick(COMPANIES)
    const end = random.pick(COMPANY_ENDS[language] ?? COMPANY_ENDS['en'] ?? [])
    return language === 'ru' || language === 'ja' ? `${end} ${stem}` : language === 'zh' ? stem + end : `${stem} ${end}`
  }

  const sender = person()
  const brand = brands.length === 0 ? '' : random.pick(brands)
  const domain = `${slug(random.pick(COMPANIES))}${random.pick(['', '', '-group', 'works', '-shop'])}.${random.pick(RESERVED_ENDS)}`
  const receiver = person()
  const local = random.pick([slug(receiver.first), `${slug(receiver.first)}.${slug(receiver.last)}`, 'info', 'office', 'contact', 'sales', 'agent', 'hello', `${slug(receiver.first).charAt(0)}${slug(receiver.last)}`]) // prettier-ignore
  const address = `${local.replace(/^\.+|\.+$/g, '') || 'mail'}@${domain}`

  const dateStyle: Intl.DateTimeFormatOptions = random.pick([
    { dateStyle: 'long' },
    { dateStyle: 'medium' },
    { dateStyle: 'short' },
    { day: 'numeric', month: 'long' },
  ])
  const makers: Record<string, () => string> = {
    name: () => sender.name,
    first: () => sender.first,
    last: () => sender.last,
    to: () => receiver.first,
    tolast: () => receiver.last,
    toname: () => receiver.name,
    user: () => address,
    local: () => address.split('@', 1).join(''),
    domain: () => domain,
    person: () => person().name,
    brand: () => brand,
    bank: () => random.pick(BANKS),
    company: () => company(),
    client: () => random.pick(COMPANIES),
    city: () => random.pick(CITIES),
    date: () => later(0, dateStyle),
    soon: () => later(random.int(1, 4), dateStyle),
    past: () => later(-random.int(2, 20), dateStyle),
    day: () => later(0, { weekday: 'long' }),
    month: () => later(0, { month: 'long' }),
    year: () => String(day.getUTCFullYear()),
    time: () => `${String(random.int(0, 23)).padStart(2, '0')}:${String(random.int(0, 59)).padStart(2, '0')}`,
    fee: () => money(random.int(99, 499) / 100),
    price: () => money(random.int(999, 9999) / 100),
    amount: () => money(random.pick([random.int(100, 900) + 0.99, random.int(12_000, 99_999) / 100])),
    sum: () => money(random.int(20, 980) * 100 + random.int(0, 99) / 100),
    round: () => money(random.int(1, 40) * 250, false),
    million: () => money(random.int(9, 480) * 100_000, false),
    coins: () => `${(random.int(5, 320) / 100).toFixed(2)} ${random.pick(['BTC', 'BTC', 'ETH'])}`,
    wallet: () => `bc1q${token(random, 34).toLowerCase()}`,
    ref: () => random.pick([`${token(random, 3).toUpperCase()}-${random.int(10_000, 9_999_999)}`, String(random.int(100_000, 99_999_999)), `#${random.int(1000, 999_999)}`, `${random.int(10, 99)}-${token(random, 6).toUpperCase()}`]), // prettier-ignore
    code: () => token(random, random.int(6, 10)).toUpperCase(),
    phone: () => random.pick([`+1 (8${random.int(10, 99)}) 555-01${random.int(10, 99)}`, `+1-8${random.int(10, 99)}-555-01${random.int(10, 99)}`, `8${random.int(10, 99)} 555 01${random.int(10, 99)}`, `+44 20 7946 0${random.int(100, 999)}`]), // prettier-ignore
    chat: () => `+${random.int(20, 99)} ${random.int(100, 999)} 555 0${random.int(100, 199)}`,
    mail: () => freeAddress(slug(sender.first) || invented(random), random),
    ip: () => `${random.pick(['192.0.2', '198.51.100', '203.0.113'])}.${random.int(1, 254)}`,
    word: () => random.pick(NOISE),
    noise: () => random.some(NOISE, random.int(4, 14)).join(' '),
    nonsense: () =>
      Array.from(
        { length: random.int(5, 16) },
        () => invented(random) + random.pick(['', random.pick(SYLLABLES)]),
      ).join(' '),
    tag: () => token(random, random.int(5, 9)).toLowerCase(),
  }
  const known = new Map<string, string>()
  const value = (slot: string, range: string | undefined): string => {
    if (slot === 'n' && range !== undefined) {
      const [least, most] = range.split('-').map(Number)
      return String(random.int(least ?? 0, most ?? 9))
    }
    const was = known.get(slot)
    if (was !== undefined) return was
    const maker = makers[slot.replace(/\d$/, '')]
    if (!maker) throw new Error(`there is no slot called ${slot}`)
    const made = maker()
    known.set(slot, made)
    return made
  }
  return {
    sender,
    brand,
    recipient: { address, domain },
    fill: (text) =>
      text.replace(/<([a-z]+\d?)(?: ([^<>]*))?>/g, (whole, slot: string, range: string | undefined) =>
        slot === 'a' || slot === 'link' || slot === 'br' ? whole : value(slot, range),
      ),
  }
}
