import { execFileSync } from 'node:child_process'
import t from 'tap'
import { sanitiseHtml } from '../../../src/mime/html/sanitise.js'
import { peer } from '../../support/peers/peers.js'
import { ATTACKS } from './attacks.js'

const PIXEL = 'data:image/gif;base64,R0lGODlhAQABAAAAACw='

const ELEMENTS = new Set(
  (
    'a abbr address article aside b bdi bdo big blockquote br caption center cite code col colgroup dd del dfn div dl dt em figcaption ' +
    'figure font footer h1 h2 h3 h4 h5 h6 header hr i img ins kbd li main mark ol p pre q rp rt ruby s samp section small span strike ' +
    'strong sub sup table tbody td tfoot th thead time tr tt u ul var wbr'
  ).split(' '),
)
const ATTRIBUTES = new Set(
  (
    'align alt bgcolor border cellpadding cellspacing color colspan dir face height href lang noshade nowrap rel rowspan size span src start ' +
    'style title type valign value width'
  ).split(' '),
)

/** Nothing but text without `<`, and tags in the one form in which every parser reads them the same. */
function problems(html: string): string[] {
  const found: string[] = []
  const rest = html.replace(
    /<(\/?)([a-z][a-z0-9]*)((?: [a-z]+(?:="[^"<>]*")?)*)( ?\/?)>/g,
    (_, _end, name: string, attributes: string) => {
      if (!ELEMENTS.has(name)) found.push(`element ${name}`)
      for (const [, attribute = '', value = ''] of attributes.matchAll(/ ([a-z]+)(?:="([^"<>]*)")?/g))
        found.push(...badAttribute(attribute, value))
      return ''
    },
  )
  if (/[<>]/.test(rest.replaceAll('&gt;', ''))) found.push(`markup in ${rest}`)
  return found
}

function badAttribute(name: string, value: string): string[] {
  if (!ATTRIBUTES.has(name)) return [`attribute ${name}`]
  if (name === 'href' && !/^(?:https?:\/\/|mailto:)/.test(value)) return [`href ${value}`]
  if (name === 'src' && !/^(?:cid:|data:image\/(?:png|jpe?g|gif|webp|bmp);base64,)/.test(value)) return [`src ${value}`]
  if (name === 'style' && /url|expression|import|position|behavior|binding|\\|\/\*|-\d/i.test(value))
    return [`style ${value}`]
  return []
}

t.test('whatever is written into a message, nothing of it acts or is fetched when it is read', async (t) => {
  const active: [string, string[]][] = []
  const unstable: string[] = []
  for (const attack of ATTACKS) {
    for (const html of [
      attack,
      `<p>before${attack}after`,
      `<table><tr><td>${attack}`,
      `<div title='${attack}'>${attack}</div>`,
    ]) {
      const safe = sanitiseHtml(html)
      if (problems(safe).length > 0) active.push([html, problems(safe)])
      if (sanitiseHtml(safe) !== safe) unstable.push(safe)
    }
  }
  t.strictSame(active, [])
  t.strictSame(unstable, [], 'and it stays as it is when it is sanitised once more')
})

t.test('another parser finds nothing active in it either', peer('python3', '/usr/bin/python3'), async (t) => {
  const program = `
import html.parser, json, sys
class P(html.parser.HTMLParser):
    def handle_starttag(self, tag, attrs): seen.append([tag, [[k, v or ''] for k, v in attrs]])
    def handle_comment(self, data): seen.append(['!--', []])
    def handle_decl(self, data): seen.append(['!', []])
    def handle_pi(self, data): seen.append(['?', []])
    def unknown_decl(self, data): seen.append(['![', []])
seen = []
for text in json.load(sys.stdin):
    p = P(); p.feed(text); p.close()
json.dump(seen, sys.stdout)
`
  const input = JSON.stringify(ATTACKS.map((attack) => sanitiseHtml(`<p>x${attack}<i>y`)))
  const seen: [string, [string, string][]][] = JSON.parse(
    execFileSync('/usr/bin/python3', ['-c', program], { input, encoding: 'utf8' }),
  )
  t.ok(seen.length >= 2 * ATTACKS.length)
  t.strictSame(
    seen.flatMap(([tag, attributes]) => [
      ...(ELEMENTS.has(tag) ? [] : [tag]),
      ...attributes.flatMap(([name, value]) => badAttribute(name, value)),
    ]),
    [],
  )
})

t.test('text, its shape, links and own images stay', async (t) => {
  const html = [
    '<h1 style="color:#333;text-align:center">Hello</h1>',
    '<table width="600" cellpadding="0"><tr><td style="padding:10px 20px;font-size:14px" colspan="2">cell</td></tr></table>',
    '<a href="https://shop.example/?a=1&amp;b=2">shop</a>',
    '<a href="mailto:a@x.example">mail</a>',
    '<img src="cid:pic@x" alt="chart" width="10" />',
    `<img src="${PIXEL}" />`,
    '<img src="https://elsewhere.example/x.png" alt="logo" />',
  ]
  const safe = sanitiseHtml(html.join('\n')).split('\n')
  t.equal(safe[0], html[0])
  t.match(safe[1], /padding:10px 20px;font-size:14px.*cell/)
  t.equal(safe[2], '<a href="https://shop.example/?a=1&amp;b=2" rel="noopener noreferrer nofollow">shop</a>')
  t.equal(safe[3], '<a href="mailto:a@x.example" rel="noopener noreferrer nofollow">mail</a>')
  t.match(safe[4], /src="cid:pic@x"/)
  t.equal(safe[5], html[5])
  t.equal(safe[6], '<img alt="logo" />')
})

t.test('pictures of other servers stay when they are asked for, and nothing else that is fetched', async (t) => {
  const html = [
    '<img src="https://elsewhere.example/x.png?a=1&amp;b=2" srcset="https://elsewhere.example/y.png 2x" alt="logo" onload="x()" />',
    '<img src="http://elsewhere.example/x.png" />',
    '<img src="cid:pic@x" />',
    '<img src="//elsewhere.example/x.png" />',
    '<img src="javascript:alert(1)" />',
    '<img src="https:x.example" />',
    '<p style="background:url(https://elsewhere.example/z.png)" background="https://elsewhere.example/z.png">x</p>',
    '<video src="https://elsewhere.example/v.mp4" poster="https://elsewhere.example/p.png"></video>',
  ]
  const safe = sanitiseHtml(html.join('\n'), true).split('\n')
  t.equal(safe[0], '<img alt="logo" src="https://elsewhere.example/x.png?a=1&amp;b=2" />')
  t.equal(safe[1], html[1])
  t.equal(safe[2], html[2])
  t.same(safe.slice(3, 6), ['<img />', '<img />', '<img />'])
  t.equal(safe[6], '<p>x</p>')
  t.equal(safe[7], '')
})
