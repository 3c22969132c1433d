import t from 'tap'
import { startApi } from '../api/support/api-server.js'

t.test('a number in a query is decimal digits and nothing else', async (t) => {
  const api = await startApi(t)
  for (const path of ['/v1/threads?limit=', '/v1/events?limit=', '/v1/events?after=', '/v1/events?wait=']) {
    t.equal((await api.call('GET', `${path}1`)).status, 200, path)
    for (const text of [
      '0x10',
      '1e1',
      '%205',
      '5%20',
      '1.0',
      '+5',
      '-1',
      '',
      'five',
      encodeURIComponent('٣'),
      '9'.repeat(16),
    ]) {
      const answer = await api.call('GET', path + text)
      t.match([answer.status, answer.json], [400, { error: { code: 'invalid_request' } }], path + text)
    }
  }
  t.match((await api.call('GET', '/v1/threads?limit=0')).json, {
    error: { fields: [{ field: 'limit', problem: 'It must be at least 1.' }] },
  })
  t.match((await api.call('GET', '/v1/threads?limit=101')).json, {
    error: { fields: [{ field: 'limit', problem: 'It must be at most 100.' }] },
  })
  t.same(api.errors, [])
})
