/** The guide that the daemon serves: what it says is run as it stands, and it can be read by programs, browsers and people without eyes. */
import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { randomUUID } from 'node:crypto'
import { promisify } from 'node:util'
import t from 'tap'
import { browserPeer, inspect, newHuman, startBrowser } from '../support/browser.js'
import { approvedAgent, request, waitForEvent } from '../support/agent.js'
import { startDaemon } from '../support/daemon.js'

const shellIn = (markdown: string) => [...markdown.matchAll(/```sh\n([\s\S]*?)\n```/g)].map(([, text]) => text ?? '')

t.test('the guide', async (t) => {
  const daemon = await startDaemon({ 'limits.claim_difficulty': '10' })
  t.teardown(() => daemon.remove())
  const agent = await approvedAgent(daemon, 'ada.agent')
  const ben = await approvedAgent(daemon, 'ben.agent')
  await ben.call('POST', '/v1/send', { to: agent.address, subject: 'Lunch', text: 'Shall we meet at noon on Monday?' })
  const { data } = await waitForEvent(agent, (event) => event.type === 'message.received')
  const index = (await request(`${daemon.url}/llms.txt`, 'GET')).body
  const pages: string[] = [...index.matchAll(/\]\((\S+\/docs\/\w+\.md)\)/g)].map(([, url]) => url)

  await t.test('every command of every page works as it stands', async (t) => {
    t.ok(pages.length >= 6)
    const dir = t.testdir({ '.curlrc': 'silent\nshow-error\nfail-with-body\n' })
    const challenge = (await request(`${daemon.url}/v1/claim/challenge`, 'GET')).body
    const variables: Record<string, string> = {
      KEY: agent.key,
      THREAD: data.thread_id,
      MESSAGE: data.message_id,
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
        const ran = await promisify(execFile)('/bin/sh', ['-eu', file], { env, cwd: dir }).catch((error) => error)
        t.equal(ran.code, undefined, `${url}: ${script}\n${ran.stdout}${ran.stderr}`)
        if (script.startsWith('node')) variables['NONCE'] = String(ran.stdout).trim()
      }
    }
    t.ok(count >= 15)
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
