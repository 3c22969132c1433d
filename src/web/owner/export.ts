/** Account export: request, progress, download. */
import type { ExportRecord } from '../../lifecycle/export/types.js'
import { html, type Html } from '../page/html.js'
import { count, exactly, moment, size } from '../page/words.js'
import { form, notice, ownerAction, ownerView, PATHS, type OwnerDeps, type OwnerPage } from '../page/person-frame.js'

const view = ownerView(PATHS.export, 'Export', async ({ query, visitor }, deps) => {
  const all = await deps.exports.list(visitor.session.accountId)
  const isUnderWay = all.some(({ state }) => state === 'queued' || state === 'building')
  return html`${notice(query, { started: 'The archive is being made. Reload this page to see its progress.' })}
    <p>
      A zip archive with all mail of all your mailboxes (mbox files, which mail programs can import) and what belongs to
      it: threads, events and settings as JSON. It is kept for 7 days.
    </p>
    ${
      isUnderWay
        ? html`<p><a class="button" href="${PATHS.export}">Reload</a></p>`
        : form(visitor, PATHS.export, html`<button>Make an archive</button>`)
    }
    ${
      all.length === 0
        ? html`<p class="empty">No archive yet. One that you have made is listed here, to be downloaded.</p>`
        : html`<ul>
            ${all.map((each) => item(each, deps))}
          </ul>`
    }`
})

const start = ownerAction(PATHS.export, async ({ visitor, audit }, { exports }) => {
  await audit(
    { action: 'export.asked' },
    () => exports.request(visitor.session.accountId),
    ({ id }) => ({ subject: { export_id: id } }),
  )
  return `${PATHS.export}?done=started`
})

export const exportPages: readonly OwnerPage[] = [view, start]

function item(record: ExportRecord, { exports, clock }: Pick<OwnerDeps, 'exports' | 'clock'>): Html {
  return html`<li class="card">
    <strong>${exactly(record.createdAt)}</strong>
    <div>${state(record, exports, clock.now())}</div>
  </li>`
}

function state(record: ExportRecord, exports: OwnerDeps['exports'], now: number): Html {
  const { messages, messagesTotal } = record.progress
  switch (record.state) {
    case 'queued':
      return html`Waiting in line.`
    case 'building':
      return html`<label
        >${messages} of ${count(messagesTotal, 'message')}
        <progress max="${Math.max(1, messagesTotal)}" value="${messages}"></progress
      ></label>`
    case 'failed':
      return html`<span class="bad">It could not be made.</span> ${record.problem}`
    case 'expired':
      return html`<span class="small">It was removed after its 7 days.</span>`
    case 'ready': {
      const link = exports.linkTo(record)
      if (link === undefined) return html`<span class="small">It was removed after its 7 days.</span>`
      return html`${count(messages, 'message')}, ${size(record.sizeBytes ?? 0)}.
        <a class="button" href="/export/${link}" download>Download</a>
        ${record.expiresAt !== null && html`<span class="small">It is removed ${moment(record.expiresAt, now)}.</span>`}`
    }
  }
}
