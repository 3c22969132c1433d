/** Links to programs, to programs of the reader's computer, and brands in paths. */
import t from 'tap'
import { createGuard } from '../../../src/guard/verdict/guard.js'
import { findingsOf } from '../../../src/guard/verdict/findings.js'
import { subjectWith } from '../subject.js'

const codesOf = (target: string): string[] =>
  findingsOf(subjectWith({ text: 'See this.', links: [{ target, text: 'this' }] })).map(({ code }) => code)

const FOUND: [target: string, code: string][] = [
  ['https://downloads.unknown.example/setup.exe', 'program_link'],
  ['https://cdn.discordapp.com/attachments/1/2/update.exe', 'program_at_free_host'],
  ['https://raw.githubusercontent.com/a/b/main/run.ps1', 'program_at_free_host'],
  ['http://203.0.113.9/invoice.zip', 'program_at_free_host'],
  ['https://x.trycloudflare.com/doc.lnk', 'program_at_free_host'],
  ['https://transfer.sh/get?file=report.hta', 'program_at_free_host'],
  ['search-ms:query=invoice&crumb=location:\\\\203.0.113.9\\share', 'handler_link'],
  ['ms-appinstaller:?source=https://x.example/a.msix', 'handler_link'],
  ['ms-msdt:/id PCWDiagnostic', 'handler_link'],
  ['file://203.0.113.9/share/invoice.js', 'handler_link'],
  ['https://shop.example/paypal/login.php', 'brand_in_path'],
  ['https://shop.example/wp/dhl-tracking/verify', 'brand_in_path'],
]
for (const [target, code] of FOUND)
  t.test(`a link to ${target} is told as ${code}`, async (t) =>
    t.ok(codesOf(target).includes(code), codesOf(target).join(', ')),
  )

const HONEST = [
  'https://github.com/a/b/releases/download/v1/tool.exe',
  'https://www.python.org/ftp/python/3.13.0/python-3.13.0-amd64.exe',
  'https://static.shop.example/assets/app.js',
  'https://news.example/paypal-results-2026',
  'https://docs.example/integrations/paypal/refunds',
  'file:///C:/Users/ana/report.txt',
  'https://sender.example/files/data.zip',
]
const NEW = new Set(['program_link', 'program_at_free_host', 'handler_link', 'brand_in_path'])
for (const target of HONEST)
  t.test(`nothing is told of a link to ${target}`, async (t) =>
    t.strictSame(
      codesOf(target).filter((code) => NEW.has(code)),
      [],
    ),
  )

const decisions = (text: string): string[] => findingsOf(subjectWith({ text })).map(({ code }) => code)

const ORDERS = [
  'To verify you are human, press Windows + R, paste the code with Ctrl+V and hit Enter.',
  'The document can not be displayed. Open PowerShell as administrator and paste this command to fix the problem.',
  'Um zu bestätigen, dass Sie kein Roboter sind, drücken Sie bitte die Windows-Taste + R und fügen Sie den Text ein.',
  'Pour vérifier que vous êtes humain, appuyez sur Windows + R et collez le texte dans votre fenêtre.',
  'Para verificar su cuenta, presione Windows + R y pegue el texto que se ha copiado.',
  'Om te bevestigen dat u een mens bent, druk op Windows + R en plak het in uw venster.',
  'Per verificare che sei umano, premi Windows + R e incolla il testo che hai copiato.',
  'Чтобы подтвердить, что вы не робот, нажмите Win + R и вставьте текст.',
  'ロボットではないことを確認するため、Windows + R を押して、テキストを貼り付けてください。',
  '请验证您不是机器人：按 Windows + R，然后粘贴文本。',
]
for (const text of ORDERS)
  t.test(`an order to run a command is told: ${text.slice(0, 40)}`, async (t) =>
    t.ok(decisions(text).includes('run_command_request'), decisions(text).join(', ')),
  )

const MANUALS = [
  'Install it with: curl -fsSL https://tool.example/install.sh | sh, then run tool --version in your terminal.',
  'The build failed in the terminal step. Fix: npm ci before npm test.',
  'I opened the terminal and saw the same error; can you display the log?',
]
for (const text of MANUALS)
  t.test(`words about commands are not: ${text.slice(0, 40)}`, async (t) =>
    t.notOk(decisions(text).includes('run_command_request')),
  )

t.test('mail of support that says how to run a command is sent', async (t) => {
  const text = 'Hi Tom, to fix the permissions open Terminal and paste this command: chmod 644 report.txt. Best, Ana'
  t.equal((await createGuard().check(subjectWith({ text }))).decision, 'send')
})

t.test('a charge that only a call can stop is told', async (t) => {
  const text =
    'Your subscription was renewed and $399.99 will be charged today. If you did not authorize this charge, call our team at +1 (808) 555-0142 within 24 hours.'
  t.ok(decisions(text).includes('callback_number'))
  t.notOk(
    decisions('Your invoice for May is attached. Call me if anything is unclear, +1 808 555 0142.').includes(
      'callback_number',
    ),
  )
})
