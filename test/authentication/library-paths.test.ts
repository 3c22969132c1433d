import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'

/** mailauth has no `exports`; its docs/dmarc.md names `mailauth/lib/dmarc`. nodemailer exports its paths. */
const PUBLIC = new Set([
  'mailauth',
  'mailauth/lib/dmarc/index.js',
  'nodemailer',
  'nodemailer/lib/addressparser',
  'nodemailer/lib/mail-composer',
  'nodemailer/lib/qp',
  'smtp-server',
])
const MAIL_LIBRARY = /['"]((?:mailauth|nodemailer|smtp-server|mailsplit|@zone-eu\/mailsplit)(?:\/[^'"]*)?)['"]/g

t.test('the mail libraries are used by their public interfaces only', async (t) => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))
  const used = new Set(
    files.flatMap((name) =>
      [...readFileSync(join('src', name), 'utf8').matchAll(MAIL_LIBRARY)].map(([, path = '']) => path),
    ),
  )
  t.strictSame(
    [...used].filter((path) => !PUBLIC.has(path)),
    [],
  )
  t.ok(used.has('mailauth/lib/dmarc/index.js'))
})
