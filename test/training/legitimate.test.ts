/** Wanted mail made from templates: what the classifier is trained on has to be sound itself. */
import t from 'tap'
import { legitimate } from '../../training/generated/legitimate/index.js'
import { sampleOf, splitOf } from '../../training/generated/template.js'

const LANGUAGES = ['ar', 'cs', 'de', 'en', 'es', 'fr', 'hi', 'it', 'ja', 'nl', 'pl', 'pt', 'ru', 'sv', 'tr', 'zh']

/** Hosts of services that exist, to which mail of others may link. */
const REAL_HOSTS =
  /^(github\.com|[a-z0-9.-]+\.github\.io|dashboard\.stripe\.com|invoice\.stripe\.com|us\d+web\.zoom\.us|zoom\.us|docs\.google\.com|meet\.google\.com|maps\.google\.com|calendly\.com|teams\.microsoft\.com|www\.npmjs\.com|nvd\.nist\.gov|en\.wikipedia\.org|www\.youtube\.com|arxiv\.org|www\.openstreetmap\.org)$/
/** Services that send for others and count clicks. */
const SENDING_SERVICES = /\.(ct\.sendgrid\.net|list-manage\.com|awstrack\.me|sendibm1\.com)$/
const BRANDS =
  /(paypal|microsoft|apple|google|amazon|netflix|facebook|instagram|whatsapp|linkedin|docusign|dropbox|fedex|dhl|usps|ups|revolut|stripe|github|zoom)\./

const samples = legitimate.map((template) => ({
  template,
  made: Array.from({ length: 50 }, (_, index) => sampleOf(template, index)),
}))

t.test('there are at least 220 templates of wanted mail, each with an id of its own', async (t) => {
  t.ok(legitimate.length >= 220, `${legitimate.length} templates`)
  t.equal(new Set(legitimate.map(({ id }) => id)).size, legitimate.length)
})

t.test('both splits hold all languages, and about one in seven templates is wanted bulk mail', async (t) => {
  for (const split of ['train', 'held-out'] as const) {
    const languages = legitimate.filter((template) => splitOf(template) === split).map(({ language }) => language)
    t.strictSame([...new Set(languages)].sort(), LANGUAGES, split)
  }
  const bulk = legitimate.filter(({ label }) => label === 'bulk').length / legitimate.length
  t.ok(bulk > 0.1 && bulk < 0.2, `${bulk}`)
})

t.test('twelve messages of one template differ', async (t) => {
  for (const { template, made } of samples) {
    const texts = made.slice(0, 12).map(({ text, html }) => text || html)
    t.equal(new Set(texts).size, 12, template.id)
  }
})

t.test('the same number makes the same message', async (t) => {
  for (const { template, made } of samples) t.strictSame(sampleOf(template, 3), made[3], template.id)
})

t.test('no message has a gap where a word should be', async (t) => {
  for (const { template, made } of samples) {
    const faulty = made.filter(({ subject, text, html, from, links }) => {
      const all = [subject, text, from?.name, from?.address, ...links.map(({ target }) => target)].join('\n')
      const broken = /undefined|\bNaN\b|\[object|[{}]|<<|>>|->|^[?%] | ,|,\.|[^.]\.\.(?!\.)/m
      return broken.test(all) || /undefined|\[object|&lt;&lt;/.test(html ?? '') || (text === '' && html === null)
    })
    t.strictSame(faulty.slice(0, 1), [], template.id)
    const bad = made.filter(({ text }) => /\[[^\]]*\|/.test(text))
    t.strictSame(bad.slice(0, 1), [], template.id)
  }
})

t.test('addresses and links are well formed', async (t) => {
  for (const { template, made } of samples) {
    for (const { from, replyTo, links } of made) {
      for (const { address } of [...(from ? [from] : []), ...replyTo]) {
        if (!/^[a-z0-9._+-]+@[a-z0-9-]+(\.[a-z0-9-]+)+$/i.test(address)) t.fail(`${template.id}: ${address}`)
      }
      for (const { target } of links) if (!URL.canParse(target)) t.fail(`${template.id}: ${target}`)
    }
  }
})

t.test('a link goes to the domain of a brand only in its own mail or where its service is used', async (t) => {
  for (const { template, made } of samples) {
    for (const { from, links } of made) {
      const own = from?.address.split('@')[1] ?? ''
      for (const { target } of links) {
        if (!/^https?:/.test(target)) continue
        const { hostname } = new URL(target)
        const expected = hostname.endsWith(own) || REAL_HOSTS.test(hostname) || SENDING_SERVICES.test(hostname)
        if (!expected && BRANDS.test(hostname)) t.fail(`${template.id}: ${hostname}`)
      }
    }
  }
})
