/** The unwanted messages that the classifier learns from: whole, varied, and pointing nowhere that exists. */
import { isIP } from 'node:net'
import { getDomainWithoutSuffix } from 'tldts'
import t from 'tap'
import { sampleOf, splitOf } from '../../training/generated/template.js'
import { unwanted } from '../../training/generated/unwanted/index.js'

const VARIANTS = 12
const INDEXES = 50
const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'pl', 'ru', 'tr', 'ja', 'zh', 'sv', 'cs', 'ar', 'hi']
const SPLITS = ['train', 'held-out'] as const
/** Names under which somebody really answers. */
const REAL = new Set(
  `paypal microsoft apple google amazon netflix facebook instagram whatsapp linkedin docusign dropbox coinbase binance metamask fedex dhl usps
   wellsfargo bankofamerica citibank barclays revolut ups ebay spotify adobe chase hsbc visa mastercard irs gov bit tinyurl ow t weebly wixsite
   blogspot github pages vercel netlify web firebaseapp sharepoint onedrive icloud outlook gmail yahoo correos poste postnl inpost sparkasse`.split(
    /\s+/,
  ),
)
const RESERVED = /(^|\.)(example|test|invalid|example\.(com|net|org))$/
const RESERVED_ADDRESS = /^(192\.0\.2|198\.51\.100|203\.0\.113)\.\d+$/

const samples = unwanted.map((template) => ({
  template,
  made: Array.from({ length: INDEXES }, (_, index) => sampleOf(template, index)),
}))

t.test('there are at least 190 templates of unwanted mail, each with a name of its own', async (t) => {
  t.ok(unwanted.length >= 190, `${unwanted.length} templates`)
  t.equal(new Set(unwanted.map(({ id }) => id)).size, unwanted.length)
})

t.test('every template makes twelve messages that differ', async (t) => {
  for (const { template, made } of samples) {
    const seen = new Set(made.slice(0, VARIANTS).map(({ subject, text, html }) => `${subject}\n${text}\n${html ?? ''}`))
    t.equal(seen.size, VARIANTS, template.id)
  }
})

t.test('no message is empty or shows how it was made', async (t) => {
  const broken = samples.flatMap(({ template, made }) =>
    made
      .map(({ subject, text, html, from, replyTo, attachments }) =>
        [
          subject,
          text,
          html ?? '',
          from?.name,
          from?.address,
          ...replyTo.map(({ address }) => address),
          ...attachments.map(({ filename }) => filename),
        ].join('\n'),
      )
      .filter(
        (all) =>
          all.trim().length < 20 || /[{}]|undefined|^[?~] |<p>[?~] |\[object|\bNaN\b|<link>|<a (?!href)/m.test(all),
      )
      .map(() => template.id),
  )
  t.same([...new Set(broken)], [])
})

t.test('both splits have all languages and labels', async (t) => {
  for (const split of SPLITS) {
    const here = unwanted.filter((template) => splitOf(template) === split)
    t.same([...new Set(here.map(({ language }) => language))].sort(), [...LANGUAGES].sort(), split)
    t.same([...new Set(here.map(({ label }) => label))].sort(), ['phishing', 'scam', 'spam'], split)
  }
})

t.test('no link goes to a host that is a brand’s, and every link has one', async (t) => {
  const wrong = new Set<string>()
  for (const { target } of samples.flatMap(({ made }) => made.flatMap(({ links }) => links))) {
    const { hostname } = new URL(target)
    if (isIP(hostname)) {
      if (!RESERVED_ADDRESS.test(hostname)) wrong.add(hostname)
    } else if (
      !RESERVED.test(hostname) &&
      (REAL.has(getDomainWithoutSuffix(hostname) ?? '') || !/[a-z]+-?[a-z]*\d{4,}/.test(hostname))
    ) {
      wrong.add(hostname)
    }
  }
  t.same([...wrong], [])
})

t.test('a part of the messages has HTML, and answers go elsewhere in some', async (t) => {
  const all = samples.flatMap(({ made }) => made)
  const share = all.filter(({ html }) => html !== null).length / all.length
  t.ok(share > 0.3 && share < 0.5, `${share} with HTML`)
  t.ok(all.some(({ replyTo }) => replyTo.length > 0))
  t.ok(all.some(({ recipientCount }) => recipientCount >= 10))
})
