/** What every page stands on: escaping, cookies, forms, and where a visitor may be sent. */
import fc from 'fast-check'
import t from 'tap'
import { cookieOf, setCookie } from '../../src/web/page/cookies.js'
import { markOf, readForm, requireMark } from '../../src/web/page/form.js'
import { STYLE_PATH, errorPage, framed, page } from '../../src/web/page/frame.js'
import { html, toText } from '../../src/web/page/html.js'
import { localPath } from '../../src/web/page/local-path.js'
import { openSignIn, sealSignIn } from '../../src/web/sign-in/sign-in-cookie.js'
import type { HttpRequest } from '../../src/http/message.js'
import { createRouter } from '../../src/http/routing/router.js'
import { ServiceError } from '../../src/lib/errors.js'
import { BRAND, visitTo } from './page-visit.js'

t.test('text in a page cannot become markup, in an element or in an attribute', async (t) => {
  const evil = `"><script>alert('1')</script>&`
  t.equal(
    toText(html`<p title="${evil}">${evil}</p>`),
    '<p title="&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;">&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;</p>',
  )
  t.equal(toText(html`${[1, null, undefined, false, html`<b>${'<'}</b>`, ['&']]}`), '1<b>&lt;</b>&amp;')
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => !/[<>"']/.test(toText(html`${text}`))),
    { numRuns: 300 },
  )
  const forged: unknown = JSON.parse('{"text":"<b>"}')
  t.throws(() => toText(html`${forged as string}`), 'an object is no markup because it looks like it')
})

t.test('a page has no script, loads only its style, and is not framed, kept or indexed', async (t) => {
  const { headers, body } = framed(page({ title: '<b>', body: html`<p>x</p>`, cookies: ['a=1', 'b=2'] }), {
    name: 'A & B <x>',
  })
  const csp = String(headers?.['Content-Security-Policy'])
  for (const part of [
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ])
    t.match(csp, part)
  t.notMatch(csp, 'unsafe')
  t.match(headers, {
    'X-Frame-Options': 'DENY',
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-store',
    'X-Robots-Tag': 'noindex, nofollow',
    'Set-Cookie': ['a=1', 'b=2'],
  })
  t.match(body, '<title>&lt;b&gt; · A &amp; B &lt;x&gt;</title>')
  t.match(body, 'class="brand"')
  t.match(body, `href="${STYLE_PATH}"`)
  t.notMatch(body, '<script')
})

t.test('an error page says what happened and what to do, escaped, and when to come again', async (t) => {
  const error = new ServiceError('rate_limited', '<too many>', 'Wait.', { retryAfterSeconds: 7 })
  const { status, headers, body } = framed(errorPage(error, 'req_1'), BRAND)
  t.equal(status, 429)
  t.equal(headers?.['Retry-After'], '7')
  t.match(body, '&lt;too many&gt;')
  t.match(body, 'req_1')
})

t.test('a cookie is for this host alone, out of reach of scripts, and gone when it is ended', async (t) => {
  t.equal(
    setCookie('__Host-restante_session', 'x', 5),
    '__Host-restante_session=x; Path=/; Max-Age=5; Secure; HttpOnly; SameSite=Lax',
  )
  t.match(setCookie('__Host-restante_session', '', 0), 'Max-Age=0')
})

t.test('a cookie that is there twice, or in a header too long, is none', async (t) => {
  const of = (cookie: string): string | undefined => cookieOf({ cookie }, '__Host-restante_session')
  t.equal(of('a=b; __Host-restante_session=token; c=d'), 'token')
  t.equal(of('__Host-restante_session=a; __Host-restante_session=b'), undefined)
  t.equal(of('x__Host-restante_session=a'), undefined)
  t.equal(of(`__Host-restante_session=a; b=${'x'.repeat(9000)}`), undefined)
  t.equal(cookieOf({}, '__Host-restante_session'), undefined)
})

const ORIGIN = 'https://mail.example.com'

function posted(body: string, headers: Record<string, string>): HttpRequest {
  return {
    method: 'POST',
    path: '/x',
    query: '',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    remoteAddress: '192.0.2.1',
    requestId: 'req_1',
    arrivedAt: 0,
    signal: new AbortController().signal,
    holdSignal: new AbortController().signal,
    readBody: async () => Buffer.from(body),
    onEnd: () => undefined,
  }
}

t.test('a form is taken from a page of ours and from nowhere else', async (t) => {
  const good = await readForm(posted('a=1&b=%3Cx%3E', { origin: ORIGIN, 'sec-fetch-site': 'same-origin' }), ORIGIN)
  t.equal(good.get('b'), '<x>')
  const foreign: Record<string, string>[] = [
    { origin: 'https://elsewhere.example' },
    { origin: 'null' },
    { origin: 'http://mail.example.com' },
    { origin: `${ORIGIN}.evil.example` },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site', origin: ORIGIN },
    { 'sec-fetch-site': 'none' },
  ]
  for (const headers of foreign)
    await t.rejects(readForm(posted('a=1', headers), ORIGIN), { code: 'invalid_request' }, JSON.stringify(headers))
  for (const type of ['text/plain', 'application/json', 'multipart/form-data; boundary=x', ''])
    await t.rejects(readForm(posted('a=1', { 'content-type': type }), ORIGIN), { code: 'unsupported_media_type' }, type)
})

t.test('the mark of a form fits one session only', async (t) => {
  const [key, other] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]
  const mark = markOf(key, 'token')
  const form = new URLSearchParams({ mark })
  t.doesNotThrow(() => requireMark(form, mark))
  t.throws(() => requireMark(form, markOf(key, 'another token')), { code: 'invalid_request' })
  t.throws(() => requireMark(form, markOf(other, 'token')), { code: 'invalid_request' })
  t.throws(() => requireMark(new URLSearchParams(), mark), { code: 'invalid_request' })
})

t.test('after signing in a visitor goes to a path of ours', async (t) => {
  for (const path of ['/', '/claim/abc', '/account?tab=keys&x=%2F', '/a//b', '/a?next=//x'])
    t.equal(localPath(path, ORIGIN), path)
  t.equal(localPath('/a/../b', ORIGIN), '/b')
  t.equal(localPath('/ü', ORIGIN), '/%C3%BC')
  t.equal(localPath('/a#part', ORIGIN), '/a')
})

t.test('after signing in nobody is sent elsewhere', async (t) => {
  const elsewhere = [
    null,
    undefined,
    '',
    'claim',
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    '\t//evil.example',
    ' //evil.example',
    '/ /evil.example',
    '/.//evil.example',
    '/x/..//evil.example',
    '/%2e//evil.example',
    '/%2e%2e//evil.example',
    'https://evil.example',
    'https:/evil.example',
    'https:evil.example',
    'javascript:alert(1)',
    'data:text/html,x',
    `${ORIGIN}/claim`,
    `${ORIGIN}@evil.example`,
    '/\u200b/evil.example',
    '/a\r\nSet-Cookie: x=y',
    `/${'x'.repeat(1536)}`,
  ]
  for (const text of elsewhere) t.equal(localPath(text, ORIGIN), undefined, JSON.stringify(text))
})

t.test('whatever is asked for, a browser that follows it stays with us', async () => {
  const piece = fc.constantFrom(
    '/',
    '\\',
    '.',
    '%2e',
    '%2f',
    '%5c',
    ':',
    '@',
    '?',
    '#',
    '\t',
    '\n',
    ' ',
    'evil.example',
    'http',
    'a',
    'ü',
    '\u0000',
    '\u202e',
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
      const path = localPath(`/${pieces.join('')}`, ORIGIN)
      return path === undefined || (new URL(path, ORIGIN).origin === ORIGIN && /^\/(?!\/)[!-~]*$/.test(path))
    }),
    { numRuns: 3000 },
  )
})

t.test('a sign-in under way can be read and changed by us alone', async (t) => {
  const key = Buffer.alloc(32, 1)
  const signIn = { provider: 'p', state: 's', nonce: 'n', verifier: 'v', next: '/', endsAt: 5 }
  const sealed = sealSignIn(key, signIn)
  t.same(openSignIn(key, sealed), signIn)
  t.not(sealSignIn(key, signIn), sealed, 'no two look alike')
  t.notMatch(Buffer.from(sealed, 'base64url').toString('latin1'), 'verifier')
  t.equal(openSignIn(Buffer.alloc(32, 2), sealed), undefined, 'another key')
  const bytes = Buffer.from(sealed, 'base64url')
  for (let at = 0; at < bytes.length; at++) {
    const changed = Buffer.from(bytes)
    changed[at] = (changed[at] ?? 0) ^ 1
    if (openSignIn(key, changed.toString('base64url')) !== undefined) t.fail(`byte ${at} can be changed`)
  }
  for (const length of [0, 5, 12, 28, 29, bytes.length - 1])
    t.equal(openSignIn(key, bytes.subarray(0, length).toString('base64url')), undefined, `cut at ${length}`)
  t.equal(openSignIn(key, '%%%'), undefined)
})

t.test(
  'a fault of ours behind a page is a page too, tells nothing of its inside, and is told to the operator',
  async (t) => {
    const told: unknown[] = []
    const fault = new Error('secret inside')
    const router = createRouter({
      routes: [],
      mounts: [],
      pages: [
        {
          method: 'GET',
          path: '/broken',
          refuse: (error, requestId) => framed(errorPage(error, requestId), BRAND),
          answer: async () => {
            throw fault
          },
        },
      ],
      accounts: { authenticate: async () => undefined },
      rates: undefined,
      baseUrl: 'https://mail.example',
      onError: (error) => told.push(error),
    })
    const { status, headers, body } = await router(visitTo('/broken'))
    t.equal(status, 500)
    t.match(headers?.['Content-Type'], 'text/html')
    t.match(body, 'req_test')
    t.notMatch(body, 'secret inside')
    t.same(told, [fault])
  },
)
