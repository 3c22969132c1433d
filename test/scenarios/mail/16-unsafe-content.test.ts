/** What strangers put into mail to harm who reads it, as it leaves the real daemon: over HTTP, and in the words of MCP. */
import t from 'tap'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { approvedAgent, type Agent } from '../../support/agent.js'
import { startClamd } from '../../support/peers/clamd.js'
import { run, startDaemon, type Daemon } from '../../support/daemon.js'
import { peer } from '../../support/peers/peers.js'
import { deliver, type TestMail } from '../../support/peers/smtp.js'

const HTML = `<!DOCTYPE html><html><head><title>t</title><base href="https://evil.test/">
<meta http-equiv="refresh" content="0; url=https://evil.test/"><link rel="stylesheet" href="https://evil.test/x.css">
<style>@import url(https://evil.test/y.css); p { background: url(https://evil.test/z.png) }</style></head>
<body background="https://evil.test/bg.png" onload="alert(1)">
<p id="top" class="x" style="position:fixed; top:0; color:red; background:url(https://evil.test/a.png)">Kept <b>words</b></p>
<script>alert(1)</script><svg onload="alert(1)"><image href="https://evil.test/b.svg"/></svg>
<img src="https://tracker.test/pixel.gif?who=ada" width="1" height="1"><img srcset="https://tracker.test/2x.png 2x">
<img src="cid:logo@peer.test" alt="logo" onerror="alert(1)">
<img src="data:image/svg+xml;base64,PHN2Zz48L3N2Zz4="><video src="https://tracker.test/v.mp4" poster="https://tracker.test/p.png"></video>
<a href="javascript:alert(1)">run</a> <a href="jav&#x09;ascript:alert(1)">tab</a> <a href="https://good.test/?a=1" target="_top">go</a>
<form action="https://evil.test/"><input name="password"><button>Send</button></form><iframe src="https://evil.test/f"></iframe>
<div style="width:expression(alert(1)); margin:-999px; display:block; opacity:0; list-style-image:url(https://tracker.test/l.png)">after</div>
</body></html>`

async function receive(daemon: Daemon, agent: Agent, mail: Omit<TestMail, 'to'>) {
  const reply = await deliver(daemon.smtpPort, { ...mail, to: [agent.address] })
  t.match(reply, /^250/)
  const [thread] = (await agent.call('GET', '/v1/threads?include_spam=1')).body.data
  return (await agent.call('GET', `/v1/messages/${thread.last_message_id}`)).body
}

t.test('HTML comes as it was sent and as a copy that runs, loads and covers nothing', async (t) => {
  const daemon = await startDaemon()
  t.teardown(() => daemon.remove())
  const agent = await approvedAgent(daemon, 'html.agent')
  const message = await receive(daemon, agent, { subject: 'html', html: HTML })

  t.equal(message.html.replace(/\r\n/g, '\n').trim(), HTML, 'untouched')
  const safe: string = message.html_safe
  t.match(safe, /Kept <b>words<\/b>/)
  t.match(safe, /color:red/)
  t.match(safe, /after/)
  t.match(safe, /<a href="https:\/\/good\.test\/\?a=1" rel="noopener noreferrer nofollow">go<\/a>/)
  t.match(safe, /<img [^>]*src="cid:logo@peer\.test"/)
  t.notMatch(safe, /evil\.test|tracker\.test/, 'nothing is fetched from anywhere')
  t.notMatch(safe, /alert|javascript|expression/i)
  t.notMatch(safe, /<(?:script|style|svg|form|input|button|iframe|meta|link|base|video|body)/i)
  t.notMatch(safe, /position|url\(|opacity|-999|srcset|svg\+xml/i)
  t.notMatch(safe, /\s(?:on\w+|id|class|target)=/i)
  const [thread] = (await agent.call('GET', `/v1/threads/${message.thread_id}`)).body.messages
  t.notOk(thread.html_safe, 'made for who reads this one message')

  const raw = await agent.call('GET', `/v1/messages/${message.id}/raw`)
  t.equal(raw.headers.get('content-type'), 'message/rfc822')
  t.match(raw.headers.get('content-disposition'), /^attachment; filename="msg_\w+\.eml"$/)
  t.match(raw.headers.get('content-security-policy'), /sandbox/)
  t.equal(raw.headers.get('x-content-type-options'), 'nosniff')
})

/** A ZIP as anybody's tools make it, with a program inside. */
async function zipWith(name: string): Promise<Buffer> {
  const script = `import base64, io, zipfile
made = io.BytesIO()
with zipfile.ZipFile(made, 'w', zipfile.ZIP_DEFLATED) as archive: archive.writestr('${name}', 'MZ' * 100)
print(base64.b64encode(made.getvalue()).decode())`
  const made = await run('/usr/bin/python3', ['-c', script])
  return Buffer.from(made.stdout, 'base64')
}

const FILES = (zip: Buffer) => [
  { filename: 'invoice.pdf.exe', content: 'MZ', contentType: 'application/x-msdownload' },
  { filename: 'page.html', content: '<script>alert(1)</script>', contentType: 'text/html' },
  { filename: 'reports.zip', content: zip, contentType: 'application/zip' },
  { filename: 'Löhne "März"\r\n.csv', content: 'a;b', contentType: 'text/csv' },
]

t.test('an attachment is a download that no browser shows, and says what is risky in it', async (t) => {
  const daemon = await startDaemon()
  t.teardown(() => daemon.remove())
  const agent = await approvedAgent(daemon, 'files.agent')
  const attachments = FILES(await zipWith('run me.js'))
  const message = await receive(daemon, agent, { subject: 'files', text: 'See these.', attachments })
  const download = (id: string) => agent.call('GET', `/v1/messages/${message.id}/attachments/${id}`)
  const expected = [
    ['double_extension', /^attachment; filename="invoice\.pdf\.exe"$/, 'application/x-msdownload'],
    ['html_attachment', /^attachment; filename="page\.html"$/, 'text/html'],
    ['program_in_archive', /^attachment; filename="reports\.zip"$/, 'application/zip'],
    [null, /^attachment; filename="L_hne _M_rz_\.csv"; filename\*=UTF-8''L%C3%B6hne%20_M%C3%A4rz_\.csv$/, 'text/csv'],
  ] as const
  t.equal(message.attachments.length, expected.length)
  for (const [i, [risk, disposition, type]] of expected.entries()) {
    const attachment = message.attachments[i]
    t.equal(attachment.scan, 'unscanned')
    const answer = await download(attachment.id)
    t.equal(answer.status, 200)
    t.match(answer.headers.get('content-disposition'), disposition)
    t.equal(answer.headers.get('content-type'), type)
    t.equal(answer.headers.get('x-content-type-options'), 'nosniff')
    t.equal(answer.headers.get('content-security-policy'), "default-src 'none'; sandbox; frame-ancestors 'none'")
    t.equal(answer.headers.get('cross-origin-resource-policy'), 'same-origin')
    t.equal(answer.headers.get('x-restante-scan'), 'unscanned')
    t.equal(answer.headers.get('x-restante-risk'), risk)
    t.same(
      attachment.risk.map(({ code }: { code: string }) => code),
      risk === null ? [] : [risk],
    )
  }

  const client = new Client({ name: 'test', version: '1' })
  const requestInit = { headers: { authorization: `Bearer ${agent.key}` } }
  await client.connect(new StreamableHTTPClientTransport(new URL(`${daemon.url}/mcp`), { requestInit }))
  t.teardown(() => client.close())
  const read = await client.callTool({ name: 'read_conversation', arguments: { thread_id: message.thread_id } })
  const [content] = read.content
  const said = content?.type === 'text' ? content.text : ''
  const [risky, page, zip] = message.attachments
  const ours = said.replace(/^<<<mail (\w+)>>>\n[\s\S]*?^<<<end \1>>>/gm, '')
  t.match(said, /invoice\.pdf\.exe/)
  t.notMatch(ours, /invoice\.pdf\.exe/, 'outside of the fence there is nothing of theirs')
  for (const [{ id, size_bytes: bytes }, risk] of [
    [risky, 'double_extension'],
    [zip, 'program_in_archive'],
    [page, 'html_attachment'],
  ])
    t.match(ours, `Attachment ${id}, ${bytes} bytes: unscanned, ${risk}; leave it closed unless your human wants it.`)
  t.match(ours, /Scan: virus=unscanned /)
  t.match(read.structuredContent, {
    messages: [{ scan: /virus=unscanned/, attachments: [{ warnings: ['unscanned', 'double_extension'] }] }],
  })
})

t.test('what clamd has looked at is called clean', peer('clamav-daemon', '/usr/sbin/clamd'), async (t) => {
  const clamd = await startClamd()
  t.teardown(() => clamd.stop())
  const daemon = await startDaemon({ 'scan.clamav': clamd.socket })
  t.teardown(() => daemon.remove())
  const agent = await approvedAgent(daemon, 'clean.agent')
  const attachments = [{ filename: 'notes.txt', content: 'words', contentType: 'text/plain' }]
  const message = await receive(daemon, agent, { subject: 'clean', text: 'See this.', attachments })
  const answer = await agent.call('GET', `/v1/messages/${message.id}/attachments/${message.attachments[0].id}`)
  t.equal(answer.headers.get('x-restante-scan'), 'clean')
  t.equal(answer.headers.get('x-restante-risk'), null)
})
