/** Thunderbird as a person uses it: set up by address and app password alone, mail is read, starred, deleted and replied to. What it does is seen in the API. */
import t from 'tap'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { approvedAgent, waitForEvent } from '../../support/agent.js'
import { SCREENSHOTS } from '../../support/peers/browser.js'
import { opensslPeer } from '../../support/peers/certificates.js'
import { allPeers } from '../../support/peers/peers.js'
import { startThunderbird, thunderbirdPeer } from '../../support/peers/thunderbird.js'
import { freePort } from '../../support/ports.js'
import { HOST, SETTINGS_HOSTS } from '../../submission/world.js'
import { LABEL, startMailWorld } from './world.js'

const OPTIONS = allPeers(thunderbirdPeer(), opensslPeer())
/** Its first start takes long. */
const TIMEOUT_MS = 240_000

/** Fills in its dialog for a new account, up to the end. */
const SET_UP = `
  const [name, address, password] = args
  const step = (form) => until(() => find(form) && !find(form).hidden, form)
  const goOn = async () => (await until(() => { const button = find('account-hub-footer #forward'); return !button.disabled && button }, 'button')).click()
  await step('email-auto-form')
  type('email-auto-form #realName', name)
  type('email-auto-form #email', address)
  await goOn()
  await step('email-config-found')
  const found = find('email-config-found').textContent.replace(/\\s+/g, ' ')
  await goOn()
  await step('email-password-form')
  type('email-password-form #password', password)
  await goOn()
  await step('email-added-success')
  await goOn()
  await until(() => !find('account-hub-container')?.modal?.open, 'end of the dialog')
  return found
`

/** Opens the inbox unless it is open, and waits for so many messages in it, without asking the server. @returns the subjects, sorted, and the names of folders */
const INBOX = `
  const [count] = args
  const { MailServices } = ChromeUtils.importESModule('resource:///modules/MailServices.sys.mjs')
  const root = MailServices.accounts.defaultAccount.incomingServer.rootFolder
  const inbox = root.getFolderWithFlags(Ci.nsMsgFolderFlags.Inbox)
  if (pane().gFolder !== inbox) pane().displayFolder(inbox.URI)
  await until(() => pane().gDBView?.rowCount === count, count + ' messages')
  const subjects = Array.from({ length: count }, (_, row) => pane().gDBView.getMsgHdrAt(row).subject)
  return { subjects: subjects.sort(), folders: root.descendants.map((folder) => folder.name).sort() }
`

/** Selects the message with a subject, and waits for its text. @returns the text */
const OPEN = `
  const [subject] = args
  const rows = Array.from({ length: pane().gDBView.rowCount }, (_, row) => pane().gDBView.getMsgHdrAt(row).subject)
  pane().threadTree.selectedIndex = rows.indexOf(subject)
  const shown = () => pane().messageBrowser.contentWindow
  await until(() => shown()?.gMessage?.subject === subject && shown().msgLoaded, 'message')
  return shown().getMessagePaneBrowser().contentDocument.body.textContent
`

/** Stars the open message, and waits until all of it is drawn. */
const STAR = `
  const { gMessage: message } = pane().messageBrowser.contentWindow
  message.folder.markMessagesFlagged([message], true)
  await until(() => message.isRead && message.isFlagged, 'star')
  for (let frames = 0; frames < 3; frames++) await new Promise((resolve) => main.requestAnimationFrame(resolve))
`

const DELETE = `main.goDoCommand('cmd_delete')`

/** Writes above the quoted text and sends. @returns whom it is for */
const REPLY = `
  const [text] = args
  main.goDoCommand('cmd_reply')
  const window = await until(() => Services.wm.getMostRecentWindow('msgcompose'), 'window')
  const editor = await until(() => window.gMsgCompose?.editor, 'editor')
  await until(() => editor.document.body?.textContent.includes('wrote:'), 'quoted text')
  editor.beginningOfDocument()
  editor.insertText(text)
  const recipients = [...window.document.querySelectorAll('mail-address-pill')].map((pill) => pill.emailAddress)
  window.goDoCommand('cmd_sendNow')
  await until(() => window.closed, 'sent')
  return recipients
`

t.test('Thunderbird', { ...OPTIONS, timeout: TIMEOUT_MS }, async (t) => {
  const https = await freePort()
  const world = await startMailWorld(t, { 'server.https': `127.0.0.1:${https}` })
  const { agent, daemon, imapPort, tlsPort } = world
  const carol = await approvedAgent(daemon, 'carol.agent', 'human@example.org')
  const { text: password } = await world.appPassword({ scopes: ['imap', 'submission'] })
  await world.arrive('mail', 2, 1)
  const message = { to: [agent.address], subject: 'Lunch?', text: 'At noon, in the usual place?' }
  t.match((await carol.call('POST', '/v1/send', message)).status, 202)
  const { data: received } = await waitForEvent(
    agent,
    ({ type, data }) => type === 'message.received' && data.subject === message.subject,
  )
  const [imap, submission] = [`${HOST}:${imapPort}`, `${HOST}:${tlsPort}`]
  const [autoconfig = '', autodiscover = ''] = SETTINGS_HOSTS.map((host) => `${host}:443`)
  const thunderbird = await startThunderbird(t, {
    dir: world.dir,
    caFile: world.caFile,
    ports: { [autoconfig]: https, [autodiscover]: https, [imap]: imapPort, [submission]: tlsPort },
  })
  const updated = (id: unknown, label: string): Promise<unknown> =>
    waitForEvent(
      agent,
      ({ type, data }) => type === 'message.updated' && data.message_id === id && data.labels.includes(label),
    )

  t.test('is set up by address and app password', async (t) => {
    const found = await thunderbird.run(SET_UP, 'Ada Lovelace', agent.address, password)
    t.match(found, new RegExp(`${HOST}.*${imapPort}.*${HOST}.*${tlsPort}`))
    t.same(await thunderbird.run(INBOX, 3), {
      subjects: ['Lunch?', 'mail 0', 'mail 1'],
      folders: ['Archive', 'Drafts', 'INBOX', 'Junk', 'Sent', 'Trash'],
    })
  })

  t.test('reads, stars and replies', async (t) => {
    t.match(await thunderbird.run(OPEN, message.subject), message.text)
    await thunderbird.run(STAR)
    mkdirSync(SCREENSHOTS, { recursive: true })
    await thunderbird.screenshot(join(SCREENSHOTS, 'thunderbird.png'))
    t.same(await thunderbird.run(REPLY, 'Gern, bis später!'), [carol.address])
    for (const label of ['$flagged', '$answered']) await updated(received.message_id, label)
    const { unread, thread_id: thread } = (await agent.call('GET', `/v1/messages/${received.message_id}`)).body
    t.equal(unread, false)
    const reply = await waitForEvent(
      carol,
      ({ type, data }) => type === 'message.received' && data.subject === 'Re: Lunch?',
    )
    const arrived = (await carol.call('GET', `/v1/messages/${reply.data.message_id}`)).body
    t.match(arrived, { from: { name: 'Ada Lovelace', address: agent.address }, text: /^Gern, bis später!/ })
    const sent = (await agent.call('GET', '/v1/messages?label=sent')).body.data
    t.match(sent, [{ subject: 'Re: Lunch?', thread_id: thread }])
    t.equal(sent.length, 1, 'it is in Sent once')
  })

  t.test('sees at once what comes and goes; what it deletes is in the trash', async (t) => {
    const ids = await world.ids()
    await world.arrive('later', 1)
    t.match(await thunderbird.run(INBOX, 4), { subjects: ['Lunch?', 'later 0', 'mail 0', 'mail 1'] })
    await world.change(ids.get('mail-0@peer.test'), { remove_labels: ['inbox'], add_labels: [LABEL] })
    t.match(await thunderbird.run(INBOX, 3), { subjects: ['Lunch?', 'later 0', 'mail 1'] })
    t.match(await thunderbird.run(OPEN, 'mail 1'), 'This is number 1 of mail.')
    await thunderbird.run(DELETE)
    const id = ids.get('mail-1@peer.test')
    await waitForEvent(agent, ({ type, data }) => type === 'message.deleted' && data.message_id === id)
    t.match((await agent.call('GET', '/v1/trash')).body.data, [{ id }])
  })

  t.test('has asked for its settings, and reached nothing but its server', (t) => {
    const { reached } = thunderbird.proxy
    t.same([...reached].filter((each) => each !== autodiscover).sort(), [autoconfig, imap, submission].sort())
    t.end()
  })
})
