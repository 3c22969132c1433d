/**
 * From the first 401 to a sent mail, and to the end of the connection: the official MCP clients of both generations over the real daemon, humans in
 * Chromium who sign in at a real OpenID provider, and a client that lies.
 */
import t, { type Test } from 'tap'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import { join } from 'node:path'
import { Client as NewClient, StreamableHTTPClientTransport as NewTransport } from '@modelcontextprotocol/client'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { approvedAgent, request, type Answer } from '../../support/agent.js'
import { browserPeer, inspect, newHuman, startBrowser } from '../../support/peers/browser.js'
import { startCallback } from '../../support/peers/callback-server.js'
import { createAuthority, opensslPeer } from '../../support/peers/certificates.js'
import { startDaemon } from '../../support/daemon.js'
import { startDnsServer } from '../../support/peers/dns-server.js'
import { passProvider } from '../../support/humans.js'
import { clientMemory, rawClient, type ClientMemory } from '../../support/oauth-client.js'
import { oidcPeer } from '../../support/peers/oidc-provider.js'
import { startPeer } from '../../support/peers/peer-server.js'
import { allPeers } from '../../support/peers/peers.js'
import { listenAnywhere } from '../../support/ports.js'

interface Connected {
  names(): Promise<string[]>
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  call(name: string, args?: Record<string, unknown>): Promise<any>
  /** Goes on where the human came back from. */
  finish(back: URLSearchParams): Promise<void>
  close(): Promise<void>
}

/** An official client up to the point where it needs its human, or further when it has tokens. */
type Connect = (url: URL, memory: ClientMemory) => Promise<Connected>

const connectNew: Connect = async (url, memory) => {
  const client = new NewClient({ name: 'test', version: '1' })
  const transport = new NewTransport(url, { authProvider: memory })
  const self: Connected = {
    names: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: (name, args = {}) => client.callTool({ name, arguments: args }),
    // Checks `state` no further than we do, and `iss` against the metadata (RFC 9207).
    finish: (back) => transport.finishAuth(back),
    close: () => client.close(),
  }
  if (memory.tokens()) await client.connect(transport)
  else await client.connect(transport).then(() => Promise.reject(new Error('no 401 came')), unlessUnauthorized)
  return self
}

const connectOld: Connect = async (url, memory) => {
  const client = new OldClient({ name: 'test', version: '1' })
  const transport = new OldTransport(url, { authProvider: memory })
  const self: Connected = {
    names: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: (name, args = {}) => client.callTool({ name, arguments: args }),
    finish: (back) => transport.finishAuth(back.get('code') ?? ''),
    close: () => client.close(),
  }
  if (memory.tokens()) await client.connect(transport)
  else await client.connect(transport).then(() => Promise.reject(new Error('no 401 came')), unlessUnauthorized)
  return self
}

function unlessUnauthorized(error: unknown): void {
  if (!(error instanceof Error) || !/unauthorized/i.test(`${error.constructor.name} ${error.message}`)) throw error
}

const { skip } = allPeers(browserPeer(), opensslPeer())

t.test('programs are connected by their humans, and liars are not', { skip }, async (t) => {
  const oidc = await oidcPeer()
  const folder = t.testdir()
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }
  const authority = createAuthority(folder)
  const dns = await startDnsServer({ 'client.test': { A: ['127.0.0.1'] } })
  const peer = await startPeer()
  const provider = `{ id = "test", kind = "oidc", name = "Example ID", issuer = "${oidc.issuer}", client_id = "${oidc.clientId}", client_secret_file = "${file('secret', oidc.clientSecret)}" }`
  const daemon = await startDaemon(
    {
      'identity.providers': `[${provider}]`,
      'server.dns': dns.address,
      'relay.smarthost': `127.0.0.1:${peer.port}`,
      'oauth.allow_private_addresses': 'true',
    },
    { env: { NODE_EXTRA_CA_CERTS: file('authority.pem', authority.ca) } },
  )
  t.teardown(async () => {
    await daemon.remove()
    await Promise.all([peer.close(), dns.close(), oidc.stop()])
  })
  await oidc.start(`${daemon.url}/signin/test/callback`)
  const browser = await startBrowser()
  t.teardown(() => browser.close())
  const callback = await startCallback()
  t.teardown(() => callback.close())
  const redirectUri = `http://127.0.0.1:${callback.port}/callback`
  const endpoint = new URL(`${daemon.url}/mcp`)
  const agent = await approvedAgent(daemon, 'ada.agent', 'ada@example.org')

  const { page, complaints } = await newHuman(browser, daemon.url)
  page.setDefaultTimeout(20_000)
  const looksGood = async (t: Test, name: string): Promise<void> => {
    t.same(await inspect(browser, page, name), [], `${name}: accessible in both themes, and on a phone`)
  }
  const arrived = async (to: string): Promise<string> => {
    for (let n = 1; ; n++) {
      await peer.count(n)
      const mail = peer.mail[n - 1]
      if (mail?.to.includes(to)) return mail.raw
    }
  }
  const secrets: string[] = []
  /** The human opens the link and allows what is asked for. @returns with what the browser came to the client */
  async function allow(url: string | URL): Promise<URLSearchParams> {
    await page.goto(String(url))
    await page.click('button:has-text("Allow")')
    const back = (await callback.next()).searchParams
    secrets.push(back.get('code') ?? '')
    return back
  }
  const listTools = (token: string): Promise<Answer> => {
    secrets.push(token)
    return request(
      endpoint.href,
      'POST',
      { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} },
      { authorization: `Bearer ${token}`, accept: 'application/json, text/event-stream' },
    )
  }

  await t.test('the client of the 2.x SDK, by the document of its metadata', async (t) => {
    const document = createServer(authority.issue(['client.test']), (_request, response) => {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(metadata))
    })
    const documentUrl = `https://client.test:${await listenAnywhere(document)}/client.json`
    t.teardown(() => document.close())
    const memory = clientMemory('Research desk', redirectUri, documentUrl)
    const metadata = { client_id: documentUrl, ...memory.clientMetadata }

    const first = await connectNew(endpoint, memory)
    t.same(memory.clientInformation()?.client_id, documentUrl, 'nothing was registered')
    await page.goto(memory.takeUrl().href)
    t.match(await page.textContent('main'), /client\.test[\s\S]*calls itself Research desk/)
    await looksGood(t, 'oauth-signed-out')
    await page.click('text=Continue with Example ID')
    await passProvider(page, 'ada')
    t.match(await page.textContent('main'), 'You are signed in as ada@example.org')
    t.match(await page.textContent('main'), agent.address)
    await looksGood(t, 'oauth-consent')
    for (const scope of ['mail:send', 'mail:write']) await page.uncheck(`input[value="${scope}"]`)
    await page.click('button:has-text("Allow")')
    const back = (await callback.next()).searchParams
    t.equal(back.get('iss'), daemon.url)
    const forged = new URLSearchParams(back)
    forged.set('iss', 'https://evil.example')
    await t.rejects(first.finish(forged), 'an answer of another server is not taken')
    await first.finish(back)
    t.equal(memory.tokens()?.scope, 'mail:read')
    await first.close()

    const client = await connectNew(endpoint, memory)
    t.ok((await client.names()).includes('send_email'))
    t.notOk((await client.call('check_inbox')).isError)

    const mail = { to: 'carol@peer.test', subject: 'From a program', text: 'Sent by the 2.x client.' }
    await t.rejects(client.call('send_email', mail), 'more is needed, so it asks again')
    const asked = memory.takeUrl()
    t.same(
      asked.searchParams.get('scope')?.split(' ').sort(),
      ['mail:read', 'mail:send'],
      'for what it has and what is missing',
    )
    await client.finish(await allow(asked))
    const sent = await client.call('send_email', mail)
    t.notOk(sent.isError, JSON.stringify(sent))
    t.match(await arrived('carol@peer.test'), /^From: .*ada\.agent@agents\.test/m)
    const told = await arrived('ada@example.org')
    t.match(told, /^Subject: A program may now use ada\.agent@agents\.test/m, 'the owner hears of what was connected')
    t.match(told, 'Research desk')

    const before = memory.tokens()
    memory.saveTokens({ ...before, token_type: 'Bearer', access_token: `${before?.access_token}x` })
    t.notOk((await client.call('check_inbox')).isError, 'a token that is no good is renewed without the human')
    t.not(memory.tokens()?.refresh_token, before?.refresh_token, 'with another for the next time')

    await page.goto(`${daemon.url}/account/connections`)
    t.match(await page.textContent('main'), /ada\.agent@agents\.test[\s\S]*Research desk of client\.test/)
    await looksGood(t, 'owner-connections')
    t.equal(await page.locator('main li.card').count(), 2, 'the first, and the one that may send')
    const token = memory.tokens()?.access_token ?? ''
    t.equal((await listTools(token)).status, 200)
    while ((await page.locator('details').count()) > 0) {
      await page.locator('summary').first().click()
      await page.locator('button:has-text("End it")').first().click()
      t.match(await page.textContent('[role=status]'), 'That connection has ended')
    }
    t.match(await page.textContent('main'), 'None is connected.')
    const over = await listTools(token)
    t.equal(over.status, 401)
    t.match(over.headers.get('www-authenticate'), /^Bearer error="invalid_token".*resource_metadata="/)
    await t.rejects(client.call('check_inbox'), 'and the client has to ask anew')
    t.equal(memory.takeUrl().pathname, '/oauth/authorize')
    await client.close()
  })

  await t.test('the client of the 1.x SDK, which registers itself', async (t) => {
    const memory = clientMemory('Old desk', redirectUri)
    const first = await connectOld(endpoint, memory)
    t.ok(memory.clientInformation()?.client_id, 'it is registered')
    const url = memory.takeUrl()
    await page.goto(url.href)
    t.match(await page.textContent('main'), /Old desk[\s\S]*name is not verified/)
    const back = await allow(url)
    t.equal(back.get('iss'), daemon.url)
    t.equal(back.get('state'), url.searchParams.get('state'))
    await first.finish(back)
    t.same(memory.tokens()?.scope?.split(' ').sort(), ['mail:read', 'mail:send', 'mail:write'])
    await first.close()

    const client = await connectOld(endpoint, memory)
    t.ok((await client.names()).includes('send_email'))
    const sent = await client.call('send_email', {
      to: 'dora@peer.test',
      subject: 'Hello',
      text: 'Sent by the 1.x client.',
    })
    t.notOk(sent.isError, JSON.stringify(sent))
    t.match(await arrived('dora@peer.test'), /^From: .*ada\.agent@agents\.test/m)

    const before = memory.tokens()
    memory.saveTokens({ ...before, token_type: 'Bearer', access_token: `${before?.access_token}x` })
    t.notOk((await client.call('check_inbox')).isError)
    t.not(memory.tokens()?.refresh_token, before?.refresh_token)

    await page.goto(`${daemon.url}/account`)
    await page.click(`text=${agent.address}`)
    t.match(await page.textContent('main'), 'Old desk')
    await page.click('summary:has-text("End this connection")')
    await page.click('button:has-text("End it")')
    t.equal((await listTools(memory.tokens()?.access_token ?? '')).status, 401)
    await t.rejects(client.call('check_inbox'))
    t.equal(memory.takeUrl().pathname, '/oauth/authorize')
    await client.close()
  })

  await t.test('a link of the operator’s is a way to sign in too', async (t) => {
    const made = await daemon.cli('account', 'sign-in', agent.address)
    t.equal(made.code, 0, made.stderr)
    const url = made.stdout.trim()
    t.match(url, /^http:\/\/127\.0\.0\.1:\d+\/signin-link\/[0-9A-Za-z]{43}$/)
    t.match(made.stderr, /signs in to ada@example\.org, once, until/)
    secrets.push(url.split('/').at(-1) ?? '')
    const other = await newHuman(browser, daemon.url)
    await other.page.goto(url)
    await other.page.click('button:has-text("Sign in")')
    await other.page.click('text=Your mailboxes')
    t.match(await other.page.textContent('main'), agent.address)
    const client = await rawClient(daemon.url, redirectUri)
    await other.page.goto(client.authorizeUrl())
    await other.page.click('button:has-text("Allow")')
    const back = (await callback.next()).searchParams
    t.equal((await client.token({ grant_type: 'authorization_code', code: back.get('code') ?? '' })).status, 200)
    t.same(other.complaints, [])
    await other.context.close()
  })

  await t.test('who refuses is believed', async (t) => {
    const client = await rawClient(daemon.url, redirectUri)
    await page.goto(client.authorizeUrl())
    await page.click('button:has-text("Refuse")')
    const back = (await callback.next()).searchParams
    t.match(Object.fromEntries(back), { error: 'access_denied', state: 'st', iss: daemon.url })
    t.equal(back.get('code'), null)
  })

  t.same(complaints, [], 'nothing that the policy of the pages forbids was tried')

  await t.test('a client that lies gets nowhere', async (t) => {
    const liar = await rawClient(daemon.url, redirectUri)
    const code = async (client = liar): Promise<string> => (await allow(client.authorizeUrl())).get('code') ?? ''
    const redeem = (code: string, change: Record<string, string | undefined> = {}, client = liar) =>
      client.token({ grant_type: 'authorization_code', code, ...change })
    const refused = (t: Test, answer: Answer, error: string | RegExp): void => {
      t.equal(answer.status, 400)
      t.match(answer.body.error, error)
      t.equal(answer.body.access_token, undefined)
    }

    await t.test('with a changed redirect: the human is told, and the browser goes nowhere', async (t) => {
      const visits = callback.visits.length
      for (const changed of [
        'https://evil.example/callback',
        `http://127.0.0.1:${callback.port}/other`,
        `http://127.0.0.1:${callback.port}/callback/`,
        `http://127.0.0.1.evil.example/callback`,
        `http://localhost:${callback.port}/callback`,
        'javascript:alert(1)',
      ]) {
        await page.goto(liar.authorizeUrl({ redirect_uri: changed }))
        t.equal(await page.textContent('h1'), 'This program cannot be connected', changed)
        t.match(page.url(), daemon.url)
      }
      await looksGood(t, 'oauth-changed-redirect')
      t.equal(callback.visits.length, visits)
      refused(t, await redeem(await code(), { redirect_uri: `${redirectUri}?x=1` }), 'invalid_grant')
    })

    await t.test('for another audience', async (t) => {
      await page.goto(liar.authorizeUrl({ resource: 'https://evil.example/mcp' }))
      t.equal((await callback.next()).searchParams.get('error'), 'invalid_target')
      refused(t, await redeem(await code(), { resource: 'https://evil.example/mcp' }), 'invalid_target')
      const good = await redeem(await code())
      t.equal(good.status, 200)
      t.equal((await listTools(good.body.access_token)).status, 200)
      const api = await request(`${daemon.url}/v1/threads`, 'GET', undefined, {
        authorization: `Bearer ${good.body.access_token}`,
      })
      t.equal(api.status, 401, 'what is for /mcp opens nothing else')
      t.equal((await listTools(good.body.refresh_token)).status, 401, 'and a refresh token opens nothing at all')
    })

    await t.test('with PKCE that is weaker, or not its own', async (t) => {
      for (const weaker of [
        { code_challenge: undefined, code_challenge_method: undefined },
        { code_challenge: liar.verifier, code_challenge_method: 'plain' },
        { code_challenge_method: undefined },
      ]) {
        await page.goto(liar.authorizeUrl(weaker))
        t.equal((await callback.next()).searchParams.get('error'), 'invalid_request', JSON.stringify(weaker))
      }
      refused(t, await redeem(await code(), { code_verifier: undefined }), /invalid_(grant|request)/)
      refused(t, await redeem(await code(), { code_verifier: 'x'.repeat(43) }), 'invalid_grant')
    })

    await t.test('with a code of another, or one that was used', async (t) => {
      const honest = await rawClient(daemon.url, redirectUri, 'An honest one')
      const stolen = await code(honest)
      refused(t, await redeem(stolen), 'invalid_grant')
      refused(t, await redeem(stolen, { client_id: honest.id }), 'invalid_grant')

      const used = await code(honest)
      const good = await redeem(used, {}, honest)
      t.equal((await listTools(good.body.access_token)).status, 200)
      refused(t, await redeem(used, {}, honest), 'invalid_grant')
      t.equal((await listTools(good.body.access_token)).status, 401, 'what came of the code has ended')
    })

    await t.test('with a refresh token that was stolen: its second use ends the connection', async (t) => {
      const good = await redeem(await code())
      const refresh = (token: string) =>
        liar.token({
          grant_type: 'refresh_token',
          refresh_token: token,
          redirect_uri: undefined,
          code_verifier: undefined,
        })
      const renewed = await refresh(good.body.refresh_token)
      t.equal(renewed.status, 200)
      t.equal((await listTools(renewed.body.access_token)).status, 200)
      const more = await liar.token({
        grant_type: 'refresh_token',
        refresh_token: renewed.body.refresh_token,
        scope: 'mail:read account:manage',
      })
      refused(t, more, 'invalid_scope')
      refused(t, await refresh(good.body.refresh_token), 'invalid_grant')
      t.equal((await listTools(renewed.body.access_token)).status, 401)
      refused(t, await refresh(renewed.body.refresh_token), 'invalid_grant')
    })
  })

  t.ok(secrets.length > 10)
  for (const secret of secrets) if (daemon.output().includes(secret)) t.fail('a code or a token is in the log')
})
