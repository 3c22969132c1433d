/**
 * The commands of README.md, docs/accounts.md, docs/queue.md, docs/receiving.md, docs/reports.md and docs/tls.md, run as they stand there on one daemon:
 * what one prints is what the next ones speak of. Other than there are the ports, the folder, and names of the reader's.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { approvedAgent, claim } from '../support/agent.js'
import { run, startDaemon } from '../support/daemon.js'
import { startDnsServer } from '../support/peers/dns-server.js'
import { freePort } from '../support/ports.js'

async function blocksOf(name: string): Promise<string[]> {
  const text = await readFile(join(process.cwd(), name), 'utf8')
  return [...text.matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, block = '']) => block.trim())
}

t.test('the story of the pages', async (t) => {
  const dns = await startDnsServer({})
  t.teardown(() => dns.close())
  const admin = `127.0.0.1:${await freePort()}`
  const daemon = await startDaemon({
    'server.dns': dns.address,
    'server.admin': admin,
    'domains.names': 'agents.localhost',
    'domains.hostname': 'mx.agents.localhost',
    // Nobody listens there, so that what leaves has to wait.
    'relay.smarthost': `127.0.0.1:${await freePort()}`,
  })
  t.teardown(() => daemon.remove())
  const dir = t.testdir({ bin: {}, '.curlrc': 'silent\nshow-error\nfail-with-body\n' })
  const sets = `--set server.data_dir=${daemon.dataDir} --set server.admin=${admin} --set domains.names=agents.localhost`
  const wrapper = `#!/bin/sh\nexec '${process.execPath}' '${process.cwd()}/bin/restante' "$@" ${sets}\n`
  await writeFile(join(dir, 'bin', 'restante'), wrapper, { mode: 0o755 })
  const variables: Record<string, string> = { URL: daemon.url, PATH: `${join(dir, 'bin')}:${process.env.PATH ?? ''}` }
  const others: [string, string][] = [
    ['http://127.0.0.1:8080', daemon.url],
    ['127.0.0.1:2525', `127.0.0.1:${daemon.smtpPort}`],
  ]

  /** @returns what it printed @param own further words that stand for others in this block */
  async function runs(script: string, own: [string, string][] = []): Promise<string> {
    const text = [...others, ...own].reduce((all, [from, to]) => all.replaceAll(from, to), script)
    const set = Object.entries({ ...variables, HOME: dir, CURL_HOME: dir }).map(([name, value]) => `${name}='${value}'`)
    const { code, stdout, stderr } = await run('/bin/sh', ['-euc', `cd '${dir}'; export ${set.join(' ')}\n${text}`])
    t.equal(code, 0, `${script}\n${stdout}${stderr}`)
    return stdout
  }

  await t.test('README.md', async (t) => {
    const blocks = await blocksOf('README.md')
    const [start, test, demo, ...steps] = blocks
    t.equal(start, 'npm ci && bin/restante start', 'which the daemon of this test is')
    t.equal(test, 'npm ci && npm test', 'which this test is of')
    t.equal(demo, 'npm run demo')
    t.match(await run(process.execPath, ['dist/cli/demo.js']), { code: 0 })
    // As they are pasted: in order, into one shell.
    t.equal(steps.length, 7)
    const said = (await runs([...steps, 'echo; echo "KEY=$KEY"'].join('\n'))).replace(/\r/g, '')
    t.match(said, /ada\.agent@agents\.localhost is approved/)
    t.match(said, /"type":"message\.received"/, 'the wait is answered by mail')
    t.notMatch(said, /"type":"claim\.claimed"/, 'and by nothing else')
    t.match(said, /"subject":"Hello"/)
    variables['KEY'] = /KEY=(\S+)/.exec(said)?.[1] ?? ''
    t.match(variables['KEY'], /^rst_/)
    variables['SENT'] = /"id":"(msg_\w+)","object":"message","thread_id"[^}]*"status":"queued"/.exec(said)?.[1] ?? ''
    t.match(variables['SENT'], /^msg_/, 'the answer is accepted')
  })

  await t.test('docs/queue.md', async (t) => {
    const [block = '', ...more] = await blocksOf('docs/queue.md')
    t.same(more, [])
    const said = await runs(block, [
      ['ada@agents.example.com', 'ada.agent@agents.localhost'],
      ['msg_01J9Z6Y2V5C7Q3H8K4M0N1P2R3', variables['SENT'] ?? ''],
    ])
    t.match(said, /example\.com[^]*their MX loses mail/)
  })

  await t.test('docs/deliverability.md', async (t) => {
    const [checks, ...others] = await blocksOf('docs/deliverability.md')
    t.match(checks, 'restante dns --check', 'which end with 1 here: test/docs/deliverability.test.ts')
    t.equal(others.length, 2)
    const own: [string, string][] = [
      [' --config /etc/restante', ''],
      ['msg_01J9Z6Y2V5C7Q3H8K4M0N1P2R3', variables['SENT'] ?? ''],
    ]
    const said: string[] = []
    for (const block of others) said.push(await runs(block, own))
    t.match(said.at(-1), new RegExp(`Message +${variables['SENT']}[^]*message\\.status queued`), 'its whole story')
  })

  await t.test('docs/receiving.md', async (t) => {
    const [block = '', ...more] = await blocksOf('docs/receiving.md')
    t.same(more, [])
    t.match(await runs(block, [['bob@example.org', 'you@example.org']]), /250[^\n]*you@example\.org/)
  })

  await t.test('docs/reports.md', async (t) => {
    const [block = '', ...more] = await blocksOf('docs/reports.md')
    t.same(more, [])
    await runs(block)
  })

  await t.test('docs/tls.md', async (t) => {
    const [script = '', ...more] = await blocksOf('docs/tls.md')
    t.same(more, [])
    const [program, nsupdate] = [join(dir, 'acme-dns'), join(dir, 'bin', 'nsupdate')]
    await writeFile(program, `${script}\n`, { mode: 0o755 })
    // In the place of the one that asks a name server.
    await writeFile(nsupdate, '#!/bin/sh\necho "$@"\ncat\n', { mode: 0o755 })
    const record = "_acme-challenge.mx.agents.example.com 'a value'"
    t.equal(
      await runs(`'${program}' present ${record}\n'${program}' cleanup ${record}`),
      [
        'update add _acme-challenge.mx.agents.example.com. 60 TXT "a value"',
        'update delete _acme-challenge.mx.agents.example.com. TXT "a value"',
      ]
        .map((change) => `-k /etc/restante/acme.key\n${change}\nsend\n`)
        .join(''),
    )
  })

  await t.test('docs/accounts.md', async (t) => {
    const [approve = '', domains = '', exports = '', ...more] = await blocksOf('docs/accounts.md')
    t.same(more, [])
    await claim(daemon, 'grace.agent')
    const said = await runs(approve, [['ada.agent@agents.example.com', 'grace.agent@agents.localhost']])
    t.match(said, /grace\.agent@agents\.localhost is approved[^]*http:\/\/\S+\/\S+/)

    variables['KEY'] = (await approvedAgent(daemon, 'henry.agent', 'henry@owner.example')).key
    const [add = '', verify = '', mailbox = '', remove = '', ...others] = domains.split('\n')
    t.same(others, [])
    const added = JSON.parse(await runs(add))
    for (const { type, name, value } of added.records) {
      const [priority = '', exchange = ''] = value.split(' ')
      if (type === 'MX') dns.set(name, 'MX', [{ priority: Number(priority), exchange: exchange.replace(/\.$/, '') }])
      else dns.set(name, 'TXT', [value])
    }
    t.match(JSON.parse(await runs(verify)), { domain: 'example.org' })
    t.match(JSON.parse(await runs(mailbox)), { address: 'sales@example.org' })
    t.match(
      await runs(`${remove.replace('curl', 'curl --no-fail-with-body')}`),
      /"code":"/,
      'it is refused, as the page says',
    )

    const [ask = '', list = '', fetched = '', ...rest] = exports.split('\n')
    t.same(rest, [])
    await runs(ask)
    for (let state = ''; state !== 'ready';) {
      const [entry] = JSON.parse(await runs(list)).data
      ;({ state, download_url: variables['DOWNLOAD_URL'] } = entry)
    }
    await runs(fetched)
    t.equal((await readFile(join(dir, 'export.zip'))).toString('latin1', 0, 2), 'PK')
  })
})
