/** Changes from the inbox, by forms alone: what each button does, to what is selected, and by whom. */
import t from 'tap'
import { makeInbox, TOKEN } from './world.js'

t.test('each button does to the selected conversations what the API does', async (t) => {
  const world = await makeInbox(t)
  const second = await world.addMailbox('second')
  const one = await world.deliver()
  const two = await world.deliver({ mailboxId: second })
  const item = [`${world.id}/${one.thread_id}`, `${second}/${two.thread_id}`]
  const state = async () =>
    Promise.all(
      [one, two].map(async ({ mailbox_id: mailboxId, id }) => {
        const { labels, unread } = await world.mailboxes.reading.message(mailboxId, id)
        return [...labels, ...(unread ? ['(unread)'] : [])].join(' ')
      }),
    )
  const done: [act: string, expected: string, more?: Record<string, string>][] = [
    ['read', 'inbox'],
    ['unread', 'inbox (unread)'],
    ['archive', '(unread)'],
    ['inbox', 'inbox (unread)'],
    ['label', 'inbox to-do (unread)', { label: ' To-Do ' }],
    ['unlabel', 'inbox (unread)', { label: 'to-do' }],
    ['spam', 'spam (unread)'],
    ['ham', 'inbox (unread)'],
  ]
  for (const [act, expected, more] of done) {
    const { status, headers } = await world.post('/inbox/act', { item, do: act, back: '/inbox?view=unread', ...more })
    t.equal(status, 303, act)
    t.equal(headers['Location'], `/inbox?view=unread&done=${act}`)
    t.same(await state(), [expected, expected], act)
  }
  await world.post('/inbox/act', { item, do: 'delete' })
  for (const { mailbox_id: mailboxId, id } of [one, two])
    t.ok((await world.mailboxes.reading.message(mailboxId, id)).deleted_at)
})

t.test('nothing selected, no label, something gone, something on its way: it says so', async (t) => {
  const world = await makeInbox(t)
  const to = async (form: Record<string, string | string[]>) =>
    (await world.post('/inbox/act', form)).headers['Location']
  t.equal(await to({ do: 'delete' }), '/inbox?done=nothing')
  t.equal(await to({ do: 'delete', item: ['x', 'mbx_1/evt_1', '__proto__/thr_1'] }), '/inbox?done=nothing')
  const { thread_id: threadId } = await world.deliver()
  const item = `${world.id}/${threadId}`
  t.equal(await to({ do: 'label', item, label: 'not a label' }), '/inbox?done=nolabel')
  t.equal(await to({ do: 'read', item: [item, `${world.id}/thr_GONE`] }), '/inbox?done=some')
  const sent = await world.send()
  t.equal(await to({ do: 'delete', item: [item, `${world.id}/${sent.thread_id}`] }), '/inbox?done=some')
  t.ok((await world.get('/inbox?done=some')).text.includes('Not all could be done'))
  t.equal((await world.post('/inbox/act', { do: 'purge', item })).status, 400)
})

t.test('a change leads to pages of the inbox only', async (t) => {
  const world = await makeInbox(t)
  for (const back of [
    '//evil.example',
    'https://evil.example',
    '/account/delete',
    '/inboxes',
    '/inbox/../account',
    '\\\\x',
  ])
    t.equal((await world.post('/inbox/act', { do: 'read', back })).headers['Location'], '/inbox?done=nothing', back)
})

t.test('a form is taken only with the mark of the session, and from our own pages', async (t) => {
  const world = await makeInbox(t)
  const message = await world.deliver()
  const item = `${world.id}/${message.thread_id}`
  for (const path of ['/inbox/act', `/inbox/${world.id}/${message.id}/withdraw`]) {
    t.equal((await world.open(path, { session: TOKEN, form: { item, do: 'delete' } })).status, 400, 'no mark')
    t.equal((await world.open(path, { session: TOKEN, form: { item, do: 'delete', mark: 'x' } })).status, 400)
    t.equal((await world.open(path, { form: { item, do: 'delete' } })).status, 401, 'signed out')
  }
  t.equal((await world.mailboxes.reading.message(world.id, message.id)).deleted_at, undefined)
})
