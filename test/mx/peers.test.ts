import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import t from 'tap'
import { peer } from '../support/peers/peers.js'
import { startReceiver } from './receiver.js'

const run = promisify(execFile)
const SWAKS = '/usr/bin/swaks'
const SMTP_SOURCE = '/usr/sbin/smtp-source'

t.test('swaks delivers', peer('swaks', SWAKS), async (t) => {
  const mx = await startReceiver()
  t.teardown(() => mx.close())
  const { stdout } = await run(SWAKS, [
    ...['--server', `127.0.0.1:${mx.port}`, '--from', 'carol@peer.test', '--to', 'alice@agents.test,bob@agents.test'],
    ...['--helo', 'client.peer.test', '--header', 'Subject: swaks was here', '--body', '.\nGood morning.\n'],
  ])
  t.match(stdout, /<-  250 2\.0\.0 accepted as rcp_/)
  t.equal(mx.world.delivered.length, 2)
  t.equal(mx.world.delivered[0]?.parsed.subject, 'swaks was here')
})

t.test('smtp-source delivers over many connections at once', peer('smtp-source', SMTP_SOURCE), async (t) => {
  const mx = await startReceiver()
  t.teardown(() => mx.close())
  const counts = ['-s', '10', '-m', '200', '-l', '4096', '-d']
  await run(SMTP_SOURCE, [...counts, '-f', 'carol@peer.test', '-t', 'alice@agents.test', `127.0.0.1:${mx.port}`])
  t.equal(mx.world.delivered.length, 200)
})
