/** Mail as it comes: ten conversations with names, subjects and previews of 150 characters. */
import { MAILBOX } from '../support/fakes.js'
import { derivedId } from '../../../src/lib/ids.js'
import type { Thread } from '../../../src/mailbox/objects/objects.js'

const MAILS: readonly [name: string, address: string, subject: string, preview: string][] = [
  ['Grace Hopper', 'grace.hopper@navalresearch.example', 'Re: Compiler review on Thursday', 'Thursday at ten works for me. Could you bring the printouts of the last three runs and the list of open questions, so that we can go through them one by one before lunch?'],
  ['Example Billing', 'billing@example-hosting.example', 'Your invoice INV-2026-10442 for November', 'Dear customer, your invoice for November 2026 over EUR 148.75 is attached. The amount will be charged to the card ending in 4242 on 1 December. No action is needed from you.'],
  ['Jürgen Müller', 'j.mueller@maschinenbau-mueller.example', 'Angebot Nr. 8831 – Rückfrage zur Lieferzeit', 'Guten Tag, vielen Dank für Ihre Anfrage. Die Teile sind ab Lager lieferbar, die Sonderanfertigung dauert etwa sechs Wochen. Sollen wir beides zusammen schicken oder getrennt?'],
  ['Priya Raman', 'priya@raman-logistics.example', 'Shipment 77120 delayed at customs', 'Hi, a short update: the container is still at customs because one form lacks a signature. I have sent it to your broker this morning; we expect a release by Monday at the latest.'],
  ['GitForge', 'notifications@gitforge.example', '[acme/widgets] Fix rounding in invoice totals (#482)', '@lin commented on this pull request: I think the rounding has to happen once, at the end, and not for each line. See the example in the description for the difference it makes.'],
  ['Ana Sofia Oliveira', 'anasofia.oliveira@viagens.example', 'Reserva confirmada: Lisboa, 12 a 15 de janeiro', 'Olá! A sua reserva está confirmada: duas noites no Hotel Avenida com pequeno-almoço incluído. O cancelamento é gratuito até 48 horas antes da chegada. Boa viagem!'],
  ['Sam Taylor', 'sam@taylorandsons.example', 'Quote for the kitchen', 'Following our call yesterday I have put together a quote for the worktop and the two wall units. It is valid until the end of the month; fitting would take about a day and a half.'],
  ['山田 太郎', 'taro.yamada@yamada-seisakusho.example', '打ち合わせの日程について', 'お世話になっております。来週の打ち合わせの日程ですが、火曜日の午後または木曜日の午前でご都合はいかがでしょうか。場所は弊社の会議室を予定しております。よろしくお願いいたします。'],
  ['Support', 'support@cloudthings.example', 'Ticket #55021: We need one more piece of information', 'Thank you for getting in touch. To look into this we need the request id of a call that failed and the time at which you made it. You can find both in the log of your client.'],
  ['Maria Rossi', 'maria.rossi@studiorossi.example', 'Documents for the notary', 'Good morning, attached you find the two documents that the notary asked for. Please have a look at page three, where the date of birth seems to be wrong, and tell me if I may send them.'],
] // prettier-ignore

const AT = Date.parse('2026-11-22T09:00:00Z')

export function tenConversations(): Thread[] {
  return MAILS.map(([name, address, subject, preview], i) => ({
    id: derivedId('thr', subject, AT + i),
    object: 'thread',
    mailbox_id: MAILBOX,
    subject,
    preview: Array.from(preview).slice(0, 150).join(''),
    participants: [{ address, name }],
    labels: i % 4 === 1 ? ['inbox', 'invoices'] : ['inbox'],
    unread_count: 1,
    message_count: i % 3 === 0 ? 3 : 1,
    has_attachments: i % 4 === 1,
    last_message_id: derivedId('msg', subject, AT + i),
    last_direction: 'inbound',
    last_message_at: `2026-11-22T0${i}:4${i}:1${i}.123Z`,
    created_at: '2026-11-20T09:00:00.000Z',
  }))
}
