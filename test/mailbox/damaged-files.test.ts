/** A file of a message that was cut or changed on the disk is handed out by nobody who reads mail: the API, the relay, a draft that is sent. */
import { readdir, readFile, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { createStore } from '../../src/store/store.js'
import { memoryEngine } from '../support/store/memory-engine.js'
import { makeWorld, present } from './world.js'

const DAMAGES = {
  changed: async (path: string) => {
    const bytes = await readFile(path)
    bytes[60_000] = 0x21
    await writeFile(path, bytes)
  },
  cut: (path: string) => truncate(path, 60_000),
}

for (const [name, damage] of Object.entries(DAMAGES))
  void t.test(`a file that was ${name} is not handed out`, async (t) => {
    const blobsDir = join(t.testdir(), 'blobs')
    const { mailboxes, id, ...world } = await makeWorld(t, createStore(memoryEngine()), undefined, blobsDir)
    const attachments = [
      { filename: 'a.bin', contentType: 'application/octet-stream', content: Buffer.alloc(80_000, 'x') },
    ]
    const received = await world.deliver({ text: `${'y'.repeat(70)}\r\n`.repeat(2_000) })
    const sent = await world.send({ attachments })
    const draft = await mailboxes.drafts.create(id, { to: [{ address: 'x@y.example', name: '' }], attachments }, {})
    const [attachment] = (await mailboxes.reading.message(id, sent.id)).attachments
    await mailboxes.outbound.runCheck(id, sent.id)
    t.ok((await mailboxes.reading.raw(id, received.id)).length > 140_000)
    const files = await readdir(join(blobsDir, id))
    t.equal(files.length, 3)
    for (const file of files) await damage(join(blobsDir, id, file))

    const damaged = { name: 'DamagedBlobError' }
    for (const message of [received.id, sent.id]) {
      await t.rejects(mailboxes.reading.raw(id, message), damaged)
      await t.rejects(mailboxes.reading.parts(id, message), damaged)
    }
    await t.rejects(mailboxes.reading.attachment(id, sent.id, present(attachment).id), damaged)
    await t.rejects(mailboxes.outbound.message(id, sent.id), damaged, 'nothing of it is relayed')
    await t.rejects(mailboxes.sending.sendDraft(id, draft.id, {}), damaged)
    const forward = { to: [{ address: 'x@y.example', name: '' }], cc: [], bcc: [], text: '', includeAttachments: true }
    await t.rejects(mailboxes.sending.forward(id, sent.id, forward, {}), damaged)
  })
