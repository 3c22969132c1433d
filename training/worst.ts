/** Texts of the greatest length that is read, made to take long: of marks that begin something and don't end it, and of all that is rare. */
import { MAX_CHARS } from '../src/guard/text/text.js'
import type { GuardSubject } from '../src/guard/types.js'

const PARTS: Record<string, string> = {
  'plain words': 'please find attached the report of last week and tell me by friday what you think of it. ',
  'accents and quotes':
    'Votre compte a été suspendu, veuillez vérifier vos coordonnées « immédiatement ». Größe ändern für Müller.\n',
  russian: 'Ваш счёт будет заблокирован, подтвердите ваши данные немедленно по ссылке ниже.\n',
  chinese: '您的账户已被暂停,请立即验证您的身份信息。请在24小时内点击以下链接。',
  'look-alike letters': 'Plеаsе vеrify yоur ассоunt, ог it will bе сlоsеd tоdаy. ',
  'zero-width characters': 'Pl\u200bease ver\u200bify your ac\u200bcount within 24 ho\u200burs. ',
  'beginnings of addresses': 'http://www. @ a@ www.a. https:// ',
  addresses: 'see https://www.example.com/a/b?c=d and write to ana@example.com or b.c@example.org. ',
  'lines of dates': 'On Mon, 3 Nov 2025 at 10:30, Ana Example\n',
  'answered lines': '> On Mon, 3 Nov 2025 at 10:30, Ana Example <ana@example.com> wrote:\n> yes\nno\n',
  'all that lures':
    'verify your account password within 24 hours, claim your prize of $ 5,000,000 us dollars, wire the payment to our new bank account, buy gift cards and send the codes, click here now!! ',
  'torn signs': "i ' d pay $ 5 , 000 ( now ) . you ' ll see ; it ' s free ! ",
}

export function worstCases(): [name: string, subject: GuardSubject][] {
  return Object.entries(PARTS).flatMap(([name, part]) => {
    const text = part.repeat(Math.ceil(MAX_CHARS / part.length)).slice(0, MAX_CHARS)
    const html = `<html><body>${text.replace(/\n/g, '<br>\n')}</body></html>`
    return [
      [name, subjectOf(text, null)],
      [`${name} in HTML`, subjectOf(text, html)],
    ] satisfies [string, GuardSubject][]
  })
}

function subjectOf(text: string, html: string | null): GuardSubject {
  return {
    kind: 'outbound',
    subject: text.slice(0, 80),
    text,
    html,
    links: [],
    recipientCount: 1,
    newRecipientCount: 0,
    attachments: [],
    trust: 0,
  }
}
