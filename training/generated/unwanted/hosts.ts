/** Links of unwanted mail, as they are seen in the wild, on hosts that are reserved or invented. */
import type { Label } from '../../sample.js'
import type { Random } from '../template.js'
import { BAIT, CHEAP_ENDS, COMPANIES, FREE_MAIL, PATHS, RESERVED_ENDS, SHOP_PATHS, SYLLABLES } from './words.js'

export interface About {
  label: Label
  language: string
  /** Whom the message pretends to be from; '' for nobody in particular. */
  brand: string
}

/** A host together with the way its links are built. */
export interface Site {
  host: string
  url(): string
}

export function createSite(about: About, random: Random): Site {
  const kind = kindOf(about, random)
  const host = kind === 'address' ? addressOf(random) : hostOf(kind, about, random)
  const scheme = kind === 'address' || random.chance(0.15) ? 'http' : 'https'
  const paths = about.label === 'phishing' ? PATHS : SHOP_PATHS
  const url = (): string => {
    if (kind === 'shortener') return `${scheme}://${host}/${token(random, random.int(5, 8))}`
    if (random.chance(0.08)) return `${scheme}://${host}/`
    const folder =
      kind === 'broken-into' ? random.pick(['wp-content/', 'wp-includes/', 'tmp/', 'assets/', '~info/', '']) : ''
    const query = random.pick([
      '',
      '',
      '/',
      '.html',
      '.php',
      `?id=${token(random, 12)}`,
      `/${token(random, 9)}`,
      `?e=${token(random, 6)}&t=${token(random, 16)}`,
    ])
    return `${scheme}://${host}/${folder}${random.pick(paths)}${query}`
  }
  return { host, url }
}

type Kind = 'lookalike' | 'cheap' | 'broken-into' | 'address' | 'shortener' | 'free'

function kindOf({ label, brand }: About, random: Random): Kind {
  if (label !== 'phishing') return random.pick(['cheap', 'cheap', 'cheap', 'cheap', 'shortener', 'broken-into', 'free'])
  const nameless: Kind[] = ['cheap', 'cheap', 'broken-into', 'broken-into', 'address', 'shortener', 'free', 'free']
  return random.pick(
    brand === '' ? nameless : [...nameless, 'lookalike', 'lookalike', 'lookalike', 'lookalike', 'lookalike'],
  )
}

function hostOf(kind: Exclude<Kind, 'address'>, about: About, random: Random): string {
  const end = random.pick(RESERVED_ENDS)
  switch (kind) {
    case 'lookalike':
      return lookalike(about, random)
    case 'cheap':
      return cheapHost(random)
    case 'broken-into':
      return `${random.chance(0.4) ? 'www.' : ''}${random.pick(COMPANIES).toLowerCase()}-${random.pick(['tools', 'garden', 'clinic', 'travel', 'school', 'motors', 'studio', 'yoga'])}.${end}`
    case 'shortener':
      return `${random.pick(['sh0rt', 'tny', 'lnk2', 'go-to', 'cutt', 'rdr', 'u2l', 'qr-go'])}.${end}`
    case 'free':
      return `${invented(random)}${random.int(1, 99)}.${random.pick(['freesites', 'web-pages', 'my-storage', 'formhost', 'static-app', 'notion-pages', 'docs-share'])}.${end}`
  }
}

export function cheapHost(random: Random): string {
  return random.chance(0.45)
    ? `${invented(random)}.${random.pick(RESERVED_ENDS)}`
    : `${invented(random)}${random.chance(0.3) ? '-' : ''}${random.pick(SYLLABLES)}${random.int(1000, 99_999)}.${random.pick(CHEAP_ENDS)}`
}

/** A host that wants to be taken for the brand's. */
export function lookalike({ brand, language }: About, random: Random): string {
  const bait = random.pick(BAIT[language] ?? BAIT['en'] ?? [])
  const plain = slug(brand) || 'service'
  const name = random.chance(0.35) ? swapped(plain, random) : plain
  const label = random.pick([
    `${name}-${bait}`,
    `${bait}-${name}`,
    `${name}${bait}`,
    `${bait}.${name}`,
    `${name}.${bait}-${invented(random)}`,
    `${name}-${bait}-${random.int(10, 9999)}`,
  ])
  return random.chance(0.6)
    ? `${label}.${random.pick(RESERVED_ENDS)}`
    : `${label}-${invented(random)}${random.int(1000, 99_999)}.${random.pick(CHEAP_ENDS)}`
}

function addressOf(random: Random): string {
  const port = random.chance(0.3) ? `:${random.pick([8080, 8000, 8443, 81])}` : ''
  return `${random.pick(['192.0.2', '198.51.100', '203.0.113'])}.${random.int(1, 254)}${port}`
}

const SWAPS: [string, string][] = [['l', '1'], ['o', '0'], ['m', 'rn'], ['i', 'l'], ['e', '3'], ['w', 'vv'], ['a', 'aa']] // prettier-ignore

function swapped(name: string, random: Random): string {
  const possible = SWAPS.filter(([letter]) => name.includes(letter))
  if (possible.length === 0) return `${name}s`
  const [letter, by] = random.pick(possible)
  return name.replace(letter, by)
}

/** As part of a host or an address: small Latin letters and digits. */
export function slug(name: string): string {
  return name
    .replaceAll('ł', 'l')
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '')
}

export function invented(random: Random): string {
  return Array.from({ length: random.int(2, 3) }, () => random.pick(SYLLABLES)).join('')
}

export function token(random: Random, length: number): string {
  const signs = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'
  return Array.from({ length }, () => signs.charAt(random.int(0, signs.length - 1))).join('')
}

/** An address at a provider where everybody can have one. */
export function freeAddress(stem: string, random: Random): string {
  const local = random.pick([`${stem}${invented(random)}${random.int(10, 9999)}`, `${stem}.${invented(random)}`, `${invented(random)}.${random.pick(['desk', 'office', 'mail', 'private', 'trust', 'info'])}${random.int(1, 999)}`, `${stem}_${random.int(10_000, 999_999)}`]) // prettier-ignore
  return `${local}@${random.pick(FREE_MAIL)}`
}
