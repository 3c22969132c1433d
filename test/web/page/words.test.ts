import t from 'tap'
import { toText } from '../../../src/web/page/html.js'
import { browserName, count, exactly, moment, plain, size } from '../../../src/web/page/words.js'
import { DAY, HOUR, MINUTE } from '../../../src/lib/clock.js'

const NOW = Date.UTC(2026, 10, 21, 20, 45)
const words = (ms: number): string => toText(moment(ms, NOW)).replace(/<[^>]*>/g, '')

t.test('times are said as people say them, with the exact one in the markup', async (t) => {
  t.equal(words(NOW - 59_999), 'just now')
  t.equal(words(NOW - MINUTE), '1 minute ago')
  t.equal(words(NOW - 119 * MINUTE), '119 minutes ago')
  t.equal(words(NOW - 30 * HOUR), '30 hours ago')
  t.equal(words(NOW + DAY - 5), 'in 24 hours')
  t.equal(words(NOW + 7 * DAY - 5), 'in 7 days')
  t.match(toText(moment(NOW, NOW)), 'datetime="2026-11-21T20:45:00.000Z"')
  t.match(toText(exactly(NOW)), '>2026-11-21 20:45 UTC<')
})

t.test('sizes and counts have their unit', async (t) => {
  t.strictSame([0, 1023, 1024, 1536, 150 * 1024, 1024 ** 3].map(size), [
    '0 bytes',
    '1023 bytes',
    '1.0 KiB',
    '1.5 KiB',
    '150 KiB',
    '1.0 GiB',
  ])
  t.strictSame([count(1, 'message'), count(1200, 'message')], ['1 message', '1,200 messages'])
})

t.test('characters that hide or turn text around are seen to be there', async (t) => {
  t.equal(plain('a\u202eb\u0000c\r\nd\u200b'), 'a\ufffdb\ufffdc\nd\ufffd')
})

t.test('a browser has the name that its owner knows it by', async (t) => {
  const names = {
    'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0': 'Firefox on Linux',
    'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36 Edg/140.0':
      'Edge on Windows',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18 Safari/605.1.15':
      'Safari on macOS',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 CriOS/140 Mobile/15E148 Safari/604.1':
      'Chrome on iPhone',
    'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Mobile Safari/537.36':
      'Chrome on Android',
    'curl/8.0': 'Unknown browser',
    '': 'Unknown browser',
  }
  for (const [userAgent, name] of Object.entries(names)) t.equal(browserName(userAgent), name)
})
