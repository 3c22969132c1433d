import t from 'tap'
import { extractReply } from '../../../src/mime/reply/reply.js'

const answer = 'Yes, Tuesday works.\n\nBring the 3 files.'

t.test('the history is left out, in the dialects of mail programs', async (t) => {
  const histories: Record<string, string> = {
    Gmail: 'On Mon, Jan 5, 2026 at 10:00 AM Ada <ada@example.com> wrote:\n\n> Does Tuesday work?\n> Ada',
    'Gmail, folded':
      'On Mon, Jan 5, 2026 at 10:00 AM A Very Long Name <\nada.with.a.long.name@example.com> wrote:\n\n> Does it?',
    'Apple Mail': '> On 5 Jan 2026, at 10:00, Ada <ada@example.com> wrote:\n> \n> Does Tuesday work?',
    unmarked: 'On 5 Jan 2026, at 10:00, Ada <ada@example.com> wrote:\nDoes Tuesday work?',
    'Thunderbird, German': 'Am 05.01.26 um 10:00 schrieb Ada Lovelace:\n> Passt Dienstag?',
    French: 'Le lun. 5 janv. 2026 à 10:00, Ada <ada@example.com> a écrit :\n> Mardi ?',
    Spanish: 'El lun, 5 ene 2026 a las 10:00, Ada (<ada@example.com>) escribió:\n> ¿Martes?',
    Portuguese: 'Em seg., 5 de jan. de 2026 às 10:00, Ada <ada@example.com> escreveu:\n> Terça?',
    Dutch: 'Op ma 5 jan 2026 om 10:00 schreef Ada <ada@example.com>:\n> Dinsdag?',
    Swedish: 'Den mån 5 jan. 2026 kl 10:00 skrev Ada <ada@example.com>:\n> Tisdag?',
    Polish: 'pon., 5 sty 2026 o 10:00 Ada <ada@example.com> napisał(a):\n> Wtorek?',
    Russian: 'пн, 5 янв. 2026 г. в 10:00, Ada <ada@example.com>:\n> Вторник?',
    Japanese: '2026年1月5日(月) 10:00 Ada <ada@example.com>:\n> 火曜日?',
    Outlook:
      'From: Ada <ada@example.com>\nSent: Monday, January 5, 2026 10:00 AM\nTo: Bot\nSubject: Tuesday\n\nDoes it?',
    'Outlook with a rule': '________________________________\nFrom: Ada\nSent: Monday\nTo: Bot\nSubject: x\n\nDoes it?',
    'Outlook, German':
      'Von: Ada <ada@example.com>\nGesendet: Montag, 5. Januar 2026 10:00\nAn: Bot\nBetreff: Dienstag\n\nPasst es?',
    'Outlook, bold': '*From:* Ada\n*Sent:* Monday\n*To:* Bot\n*Subject:* x\n\nDoes it?',
    'original message': '-----Original Message-----\nFrom: Ada\n\nDoes it?',
    'original message, French': '-------- Message d’origine --------\nDe : Ada\n\nMardi ?',
    'a forward below': '---------- Forwarded message ---------\nFrom: Ada\nSubject: x\n\nSee below',
    'a signature': '-- \nBot\nExample Corp.',
    'a phone': 'Sent from my iPhone',
    'a phone and history':
      'Gesendet von meinem Handy\n\nAm 5. Januar 2026 10:00 schrieb Ada <a@example.com>:\nPasst es?',
  }
  for (const [dialect, history] of Object.entries(histories))
    t.equal(extractReply(`${answer}\n\n${history}\n`), answer, dialect)
})

t.test('answers between the quoted lines stay', async (t) => {
  const text = 'On 5 Jan 2026, at 10:00, Ada <ada@example.com> wrote:\n> Tuesday?\n\nYes.\n\n> Noon?\n\nNo.\n\n-- \nBot'
  t.equal(extractReply(text), 'Yes.\n\nNo.')
})

t.test("a person's own words stay, whatever they look like", async (t) => {
  const texts = [
    'On Monday I wrote: it is late.\n\nOn the other hand, 2026 is young.',
    'From: the desk of Ada\nwith love',
    'I sent from my phone the 3 files, as promised.',
    'List:\n- one\n- two\n\n---\n\nEnd',
    'From 9 to 5:\nwork',
    'The dates are\n2026-01-05 10:00\nand mine.',
    'To: do\nDate: soon',
    'Best regards,\nAda',
  ]
  for (const text of texts) t.equal(extractReply(text), text)
})

t.test('a bare forward is shown whole', async (t) => {
  const text = '---------- Forwarded message ---------\nFrom: Ada <ada@example.com>\nSubject: x\n\nSee this'
  t.equal(extractReply(text), text)
})

t.test('nothing new is nothing', async (t) => {
  t.equal(extractReply('> only\n> quotes'), '')
  t.equal(extractReply(''), '')
})

t.test('hostile text ends soon', async (t) => {
  const pieces = [
    'On 1 ',
    'On 1\n',
    '> ',
    '-- \n',
    '\n',
    'From: ',
    'a@b 10:00 ',
    '-',
    '<',
    'On 1 May 2024 10:00\n',
    'a <a@b.example> wrote:\n',
    '--\n> \n',
    'Sent from ',
  ]
  for (const piece of pieces) {
    const text = piece.repeat(Math.ceil(1_000_000 / piece.length))
    const started = process.cpuUsage()
    t.ok(extractReply(text).length <= text.length, JSON.stringify(piece))
    t.ok(
      process.cpuUsage(started).user < 1_500_000,
      `${JSON.stringify(piece)} took ${process.cpuUsage(started).user} µs`,
    )
  }
})

t.test('an answer behind a hundred thousand characters of history is found', async (t) => {
  const history = '> Does Tuesday work?\n'.repeat(10_000)
  t.equal(extractReply(`On Mon, Ada wrote:\n${history}\nYes, it does.`), 'Yes, it does.')
})

t.test('signatures end where the author goes on', async (t) => {
  t.equal(extractReply('Yes.\n-- \nBot\nP.S. Bring the 3 files.'), 'Yes.\nP.S. Bring the 3 files.')
  t.equal(extractReply('Yes.\n-- \nBot\n\n> Noon?\n\nNo, at two.'), 'Yes.\n\nNo, at two.')
  t.equal(
    extractReply('Cheap\n--\nI prefer the second, because it lasts.'),
    'Cheap\n--\nI prefer the second, because it lasts.',
  )
})
