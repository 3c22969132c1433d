/** Mail that a person should look at before it goes, or that should never go. */
import type { GuardSubject } from '../../src/guard/types.js'
import type { Sample } from './legitimate.js'

const link = (target: string, text: string): Pick<GuardSubject, 'links'> => ({ links: [{ target, text }] })
const file = (filename: string, contentType = 'application/octet-stream'): Pick<GuardSubject, 'attachments'> => ({
  attachments: [{ filename, contentType, sizeBytes: 10_000 }],
})

/** With the code of a reason that has to be given. */
// prettier-ignore
export const BAD: [...Sample, reason: string][] = [
  ['a link that names another host', { subject: 'Statement', text: 'See your statement', ...link('https://evil.example/x', 'https://www.mybank.com/login') }, 'link_text_mismatch'],
  ['a link that names another host with invisible characters', { subject: 'Statement', text: 'See', ...link('https://evil.example/x', 'my\u200bbank.com') }, 'link_text_mismatch'],
  ['a host before an at sign', { subject: 'Invoice', text: 'Pay at https://paypal.com@evil.example/pay' }, 'user_info_in_link'],
  ['an encoded host before an at sign', { subject: 'Invoice', text: 'Pay here', ...link('https://secure%2Ebank%2Ecom@evil.example/', 'here') }, 'user_info_in_link'],
  ['an address in decimal notation', { subject: 'Photos', text: 'Look: http://3405803786/photos' }, 'disguised_address'],
  ['an address in hexadecimal notation', { subject: 'Photos', text: 'Look', ...link('http://0xcb007103/', 'photos') }, 'disguised_address'],
  ['a sign-in on a bare address', { subject: 'Sign in', text: 'Please verify your account within 24 hours: http://203.0.113.9/login' }, 'ip_address_link'],
  ['a Cyrillic look-alike in punycode', { subject: 'Your Apple ID', text: 'Log in at https://xn--80ak6aa92e.com/' }, 'lookalike_host'],
  ['a host of two scripts', { subject: 'Docs', text: 'https://gооgle.com/doc' }, 'lookalike_host'],
  ['a brand with a digit', { subject: 'Payment', text: 'See https://www.paypa1.com/' }, 'lookalike_host'],
  ['a brand with rn for m', { subject: 'Teams', text: 'Join at https://rnicrosoft.com/teams' }, 'lookalike_host'],
  ['a brand as bait with a threat', { subject: 'Action needed', text: 'Your account has been limited. Log in: https://paypal-secure-login.example/' }, 'brand_in_host'],
  ['a threat in a brand\u2019s name', { subject: 'Netflix: payment declined', text: 'Your account will be suspended. Update your payment details: https://bill.example/n' }, 'brand_without_its_host'],
  ['a domain in a subdomain', { subject: 'Security alert', text: 'Unusual sign-in. Verify your identity: https://mybank.com.account.evil.example/' }, 'domain_in_subdomain'],
  ['a script as a link', { subject: 'Open me', text: 'Open', ...link('javascript:alert(1)', 'Open') }, 'active_link'],
  ['a threat, a request and haste', { subject: 'Final notice', text: 'Your mailbox will be deactivated. Verify your mailbox password within 24 hours: https://upgrade.example/' }, 'credential_request'],
  ['the same with look-alike letters', { subject: 'Final notice', text: 'Your account wіll be suspеnded. Verіfy yоur accоunt within 24 hours: https://upgrade.example/' }, 'credential_request'],
  ['the same with invisible characters', { subject: 'Final notice', text: 'Your acc\u200bount has been sus\u200bpended. Ver\u200bify your ac\u200bcount immediately: https://upgrade.example/' }, 'credential_request'],
  ['the same in full-width letters', { subject: 'Final notice', text: 'Your account has been suspended. Ｖｅｒｉｆｙ ｙｏｕｒ ａｃｃｏｕｎｔ: https://upgrade.example/' }, 'credential_request'],
  ['the same in the HTML only', { subject: 'Hello', text: 'Hello', html: '<p>Your account has been <b>suspended</b>.</p><p>Verify your account <a href="https://up.example/">now</a>, act now</p>', ...link('https://up.example/', 'now') }, 'account_threat'],
  ['the same with words cut by tags and references', { subject: 'Hello', text: 'Hello', html: '<p>Your acc<b></b>ount has been sus<!-- x -->pended. Veri&#102;y your <i>account</i> immediately: <a href="https://up.example/">log in</a></p>', ...link('https://up.example/', 'log in') }, 'credential_request'],
  ['a password asked for by mail', { subject: 'IT support', text: 'For the migration, reply with your user name and send us your mailbox password.' }, 'secret_by_mail'],
  ['a wallet phrase', { subject: 'Wallet migration', text: 'Validate your recovery phrase at https://wallet.example/ to keep access.' }, 'wallet_phrase_request'],
  ['a password field', { subject: 'Sign in', text: 'Sign in', html: '<form action="https://x.example"><input name=p type="password"></form>' }, 'password_field'],
  ['a parcel fee in a hurry', { subject: 'Final notice', text: 'Your parcel waits for a customs fee of 1.99. Pay within 24 hours: https://post.example/p' }, 'parcel_fee'],
  ['an inheritance', { subject: 'Dear friend', text: 'I am the barrister of your late relative, who left 10.5 million US dollars. You are next of kin.' }, 'advance_fee'],
  ['a lottery', { subject: 'Congratulations', text: 'Your address won the lottery: $2,500,000. Contact our agent.' }, 'advance_fee'],
  ['gift card codes', { subject: 'Quick task', text: 'Are you free? I need you to buy five gift cards. Scratch them and send me the codes.' }, 'gift_cards'],
  ['extortion', { subject: 'I know your secret', text: 'I hacked your computer and recorded you by the webcam. Send 900 USD in Bitcoin or I publish the video to all your contacts.' }, 'extortion'],
  ['a changed account, in secret and in haste', { subject: 'Wire today', text: 'Use our new bank details for the wire. It is urgent, and strictly confidential: do not call, I am in a meeting.' }, 'changed_bank_details'],
  ['profit without risk', { subject: 'Invest', text: 'Double your Bitcoin with guaranteed daily returns.' }, 'guaranteed_profit'],
  ['pills, and haste to order', { subject: 'Cheap pills', text: 'Viagra with no prescription. Order now! https://pills.example/' }, 'pills'],
  ['an online casino', { subject: 'FREE SPINS FOR YOU TODAY', text: 'Online casino, free spins, limited time offer!! Now!! Go!! https://win.example/' }, 'gambling'],
  ['ranks in search engines', { subject: 'First page of Google', text: 'We offer SEO services and backlinks, 100% free trial, no obligation. Make money online.' }, 'list_selling'],
  ['counterfeits', { subject: 'Replica watches', text: 'Rolex replica at 90% off https://w.example/' }, 'counterfeit'],
  ['a program', { subject: 'Update', text: 'Install this.', ...file('setup.exe') }, 'program_attached'],
  ['a program by its type', { subject: 'Update', text: 'Install this.', ...file('setup', 'application/x-msdownload') }, 'program_attached'],
  ['a program posing as a document', { subject: 'Invoice', text: 'See attached.', ...file('invoice.pdf.exe', 'application/pdf') }, 'double_extension'],
  ['a program behind many spaces', { subject: 'Invoice', text: 'See attached.', ...file('invoice.pdf          .scr') }, 'double_extension'],
  ['a name turned around', { subject: 'Invoice', text: 'See attached.', ...file('invoice\u202efdp.exe') }, 'reversed_file_name'],
  ['a disk image', { subject: 'Documents', text: 'See attached.', ...file('documents.iso') }, 'program_attached'],
  ['one link to many strangers', { subject: 'Our product', text: 'Have a look: https://product.example/', recipientCount: 15, newRecipientCount: 15 }, 'many_new_recipients'],
]
