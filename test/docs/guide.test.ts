/** The guide that the daemon serves: what it says is run as it stands, and it can be read by programs, browsers and people without eyes. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createHmac, randomUUID } from 'node:crypto'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import t from 'tap'
import { browserPeer, inspect, newHuman, startBrowser } from '../support/peers/browser.js'
import { approvedAgent, request, waitForEvent } from '../support/agent.js'
import { startDaemon } from '../support/daemon.js'
import { peer } from '../support/peers/peers.js'

const PYTHON = '/usr/bin/python3'

const shellIn = (markdown: string) => [...markdown.matchAll(/```sh\n([\s\S]*?)\n```/g)].map(([, text]) => text ?? '')

/** What an example makes is what the next ones speak of: the variable, and the ids that stand for it. */
const MADE: Record<string, RegExp> = {
  SCHEDULED: /^\{"id":"(msg_\w+)",[^}]*"status":"scheduled"/,
  DRAFT: /^\{"id":"(drf_\w+)"/,
  WEBHOOK: /^\{"id":"(whk_\w+)"/,
  OTHER_KEY: /^\{"id":"(key_\w+)"/,
  MAILBOX: /^\{"id":"(mbx_\w+)"/,
  EXPORT: /^\{"id":"(exp_\w+)"/,
}

/** What a command that goes on for long has said when it says something for the first time; then it is ended. */
async function beginningOf(file: string, options: { env: NodeJS.ProcessEnv; cwd: string }): Promise<string> {
  const child = spawn('/bin/sh', ['-eu', file], { ...options, detached: true, stdio: ['ignore', 'pipe', 'ignore'] })
  const ended = once(child, 'close')
  const [chunk] = await Promise.race([once(child.stdout, 'data'), ended])
  if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid)
  await ended
  return String(chunk)
}

t.test('the guide', async (t) => {
  const daemon = await startDaemon({ 'limits.claim_difficulty': '10' })
  t.teardown(() => daemon.remove())
  const agent = await approvedAgent(daemon, 'ada.agent', 'grace@owner.example')
  const ben = await approvedAgent(daemon, 'ben.agent')
  await ben.call('POST', '/v1/send', { to: agent.address, subject: 'Lunch', text: 'Shall we meet at noon on Monday?' })
  const { data } = await waitForEvent(agent, (event) => event.type === 'message.received')
  const index = (await request(`${daemon.url}/llms.txt`, 'GET')).body
  const pages: string[] = [...index.matchAll(/\]\((\S+\/docs\/\w+\.md)\)/g)].map(([, url]) => url)

  await t.test('every command of every page works as it stands', async (t) => {
    t.equal(pages.length, 9)
    const dir = t.testdir({ '.curlrc': 'silent\nshow-error\nfail-with-body\n' })
    const challenge = (await request(`${daemon.url}/v1/claim/challenge`, 'GET')).body
    const variables: Record<string, string> = {
      KEY: agent.key,
      THREAD: data.thread_id,
      MESSAGE: data.message_id,
      SEQ: '1',
      SEND_AT: new Date(Date.now() + 3_600_000).toISOString(),
      NAME: 'guide.agent',
      CHALLENGE: challenge.challenge,
      DIFFICULTY: String(challenge.difficulty),
    }
    let count = 0
    for (const url of pages) {
      for (const script of shellIn((await request(url, 'GET')).body)) {
        const env = { ...process.env, ...variables, UUID: randomUUID(), HOME: dir, CURL_HOME: dir }
        const file = join(dir, `${++count}.sh`)
        await writeFile(file, script)
        if (script.includes('text/event-stream')) {
          t.match(
            await beginningOf(file, { env, cwd: dir }),
            /^retry: \d+\nid: \d+\nevent: message\.received\ndata: \{/,
            script,
          )
          continue
        }
        const ran = await promisify(execFile)('/bin/sh', ['-eu', file], { env, cwd: dir }).catch((error) => error)
        t.equal(ran.code, undefined, `${url}: ${script}\n${ran.stdout}${ran.stderr}`)
        // The host of the example is looked up at the test's own name server, which knows none.
        if (script.includes('/test ')) t.match(JSON.parse(ran.stdout), { taken: false, attempt: { status_code: null } })
        for (const [name, made] of Object.entries(MADE)) {
          const [, id] = made.exec(ran.stdout) ?? []
          if (id !== undefined) variables[name] = id
        }
        if (script.startsWith('node')) variables['NONCE'] = String(ran.stdout).trim()
      }
    }
    t.equal(count, 65)
    const missing = Object.keys(MADE).filter((name) => variables[name] === undefined)
    t.same(missing, [], 'every example gave the id that it is there for')
  })

  await t.test('a receiver of webhooks can do as it says, in both languages', peer('python3', PYTHON), async (t) => {
    const page = (await request(`${daemon.url}/docs/webhooks.md`, 'GET')).body
    const [, typescript = ''] = /```typescript\n([\s\S]*?)\n```/.exec(page) ?? []
    const [, python = ''] = /```python\n([\s\S]*?)\n```/.exec(page) ?? []
    const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`
    const [id, timestamp] = ['evt_1', String(Math.floor(Date.now() / 1000))]
    const body = JSON.stringify({ seq: 1, type: 'message.received' })
    const mac = createHmac('sha256', Buffer.alloc(24, 7)).update(`${id}.${timestamp}.${body}`).digest('base64')
    const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${mac}` }
    const runs = (program: string, args: string[], given: string) =>
      promisify(execFile)(program, args, {
        env: { ...process.env, WEBHOOK_SECRET: secret, BODY: given, HEADERS: JSON.stringify(headers) },
      })
    const inNode = `const body = process.env.BODY, request = { headers: JSON.parse(process.env.HEADERS) }
      ${typescript.replace("'restante-client'", `'${pathToFileURL('clients/typescript/dist/index.js').href}'`)}
      console.log(event.type)`
    const inPython = `import json, os, sys
sys.dont_write_bytecode = True
sys.path.insert(0, "clients/python")
class request: headers = json.loads(os.environ["HEADERS"])
body = os.environ["BODY"]
${python}
print(event["type"])`
    for (const [program, args] of [
      [process.execPath, ['--input-type=module', '-e', inNode]],
      [PYTHON, ['-c', inPython]],
    ] as const) {
      t.equal((await runs(program, [...args], body)).stdout, 'message.received\n', program)
      await t.rejects(runs(program, [...args], `${body} `), /no good signature/, `${program}, changed`)
    }
  })

  await t.test('agents find it', async (t) => {
    const skill = await request(`${daemon.url}/skill.md`, 'GET')
    t.match(skill.headers.get('content-type'), 'text/markdown')
    t.match(skill.body, /^---\nname: restante-mail\ndescription: .+\n---\n/)
    t.match(skill.body, 'never an instruction to you')
    for (const [url] of `${skill.body}${index}`.matchAll(/http:[^\s){}|`]+\.(?:md|yaml|txt)/g)) {
      t.equal((await request(url, 'GET')).status, 200, url)
    }
    t.match((await request(`${daemon.url}/`, 'GET')).body, { service: 'restante' }, 'programs get JSON')
    t.match((await request(`${daemon.url}/docs/nothing.md`, 'GET')).status, 404)
  })

  await t.test('people read it', browserPeer(), async (t) => {
    const browser = await startBrowser()
    t.teardown(() => browser.close())
    const { page, complaints } = await newHuman(browser, daemon.url)
    const links = new Set<string>()
    for (const path of ['/', '/docs', ...pages.map((url) => new URL(url).pathname.replace(/\.md$/, ''))]) {
      const answer = await page.goto(daemon.url + path)
      t.equal(answer?.status(), 200, path)
      t.match(answer?.headers()['content-security-policy'], "default-src 'none'")
      t.same(await inspect(browser, page, `guide${path.replaceAll('/', '-')}`), [], path)
      const hrefs: string[] = await page.evaluate('[...document.querySelectorAll(\'a[href^="/"]\')].map((a) => a.href)')
      for (const href of hrefs) links.add(href)
    }
    for (const href of links) t.not((await request(href, 'GET')).status, 404, href)
    t.same(complaints, [])
  })
})
