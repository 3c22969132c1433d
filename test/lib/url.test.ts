import t from 'tap'
import { parseUrl } from '../../src/lib/url.js'

t.test('a link is read as a browser reads it', async (t) => {
  t.equal(parseUrl('HTTP://user@Bücher.example:80/a b')?.href, 'http://user@xn--bcher-kva.example/a%20b')
  t.equal(parseUrl(' ht\ntps://a.example')?.hostname, 'a.example')
  t.equal(parseUrl('javascript:alert(1)')?.protocol, 'javascript:')
  t.equal(parseUrl(`data:text/html,${'x'.repeat(5000)}`)?.protocol, 'data:')
  t.equal(parseUrl(`https://${'u'.repeat(5000)}@evil.example/${'p'.repeat(5000)}`)?.hostname, 'evil.example')
  t.equal(parseUrl('no link'), undefined)
  t.equal(parseUrl('http://a b.example'), undefined)
})

t.test('a host longer than any is none, however it is written', async (t) => {
  const host = `a${'\u0315\u0300'.repeat(200_000)}.example`
  for (const link of [`http://${host}/`, `\u0001 h\tttps:/\\u@${host}?x`, `ftp:${host}`, `http://a\n@${host}:80#x`]) {
    t.equal(parseUrl(link), undefined)
  }
})
