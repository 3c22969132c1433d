/** Hosts and links of scenes: the sender's own, hosts of no repute, imitations. All are invented or reserved but those of large providers. */
import type { Random } from '../generated/template.js'
import { cheapHost, freeAddress, invented, lookalike, slug, token } from '../generated/unwanted/hosts.js'

const OWN_ENDS = [
  'com',
  'com',
  'com',
  'net',
  'org',
  'io',
  'co',
  'eu',
  'app',
  'dev',
  'example',
  'test',
  'example.net',
  'example.org',
  'invalid',
]
const SHORT = ['bit.ly', 'tinyurl.com', 't.co', 'is.gd', 'cutt.ly', 'rb.gy', 'shorturl.at', 't.ly']
const FILE_HOSTS = [
  'drive.google.com/file/d/',
  'www.dropbox.com/scl/fi/',
  'wetransfer.com/downloads/',
  'www.mediafire.com/file/',
  'mega.nz/file/',
  'we.tl/t-',
  '1drv.ms/b/',
]
const PAGES = ['orders', 'account', 'invoice', 'docs', 'help', 'portal', 'status', 'news', 'start', 'view', 'my', 'c']
const OWN_STEMS = ['works', 'group', 'hq', 'online', '', '', '', '']

export type Maker = (given: string | undefined) => string

/** Makers of the slots whose value is a host, a link or an address. */
export function createHosts(random: Random): Record<string, Maker> {
  const own = `${invented(random)}${random.pick(OWN_STEMS)}.${random.pick(OWN_ENDS)}`
  const odd = cheapHost(random)
  const path = (given: string | undefined): string =>
    given ??
    `${random.pick(PAGES)}${random.pick(['', `/${token(random, random.int(5, 12))}`, `?id=${token(random, 8)}`])}`
  const like = (name: string | undefined): string =>
    lookalike({ label: 'phishing', language: 'en', brand: name ?? '' }, random)
  return {
    own: () => own,
    link: (given) => `https://${random.chance(0.3) ? 'www.' : ''}${own}/${path(given)}`,
    odd: () => odd,
    oddlink: () => `http${random.chance(0.8) ? 's' : ''}://${odd}/${path(undefined)}`,
    short: () => `https://${random.pick(SHORT)}/${token(random, random.int(5, 8))}`,
    filelink: () => `https://${random.pick(FILE_HOSTS)}${token(random, random.int(12, 24))}`,
    like,
    likelink: (given) => `https://${like(given)}/${path(undefined)}`,
    free: () => freeAddress(slug(invented(random)), random),
    readerhost: () => `${invented(random)}.example`,
    readeraddress: () =>
      `${random.pick(['info', 'office', 'agent', 'inbox', 'hello', invented(random)])}@${invented(random)}.example`,
  }
}
