/** Ordinary mail of agents and of those who write to them. None of it may wait for a person. */
import type { GuardSubject } from '../../src/guard/types.js'

export type Sample = [what: string, subject: Partial<GuardSubject> & { subject: string; text: string }]

const pdf = (filename: string) => ({ filename, contentType: 'application/pdf', sizeBytes: 48_000 })

// prettier-ignore
export const LEGITIMATE: Sample[] = [
  ['a receipt', { subject: 'Your receipt #2041', text: 'Thanks for your payment of $24.00. View it at https://billing.shop.example/r/2041' }],
  ['an invoice with a PDF', { subject: 'Invoice 2026-014', text: 'Please find our invoice attached. Payment is due within 14 days.', attachments: [pdf('invoice-2026-014.pdf')] }],
  ['a reminder of an invoice', { subject: 'Reminder: invoice 88 is overdue', text: 'Please pay invoice 88 by Friday: https://pay.vendor.example/88', attachments: [pdf('invoice.88.pdf')] }],
  ['scheduling', { subject: 'Meeting on Tuesday?', text: 'Would 10:00 or 14:00 suit you? Book at https://cal.example/ana' }],
  ['a calendar file', { subject: 'Invitation: planning', text: 'See the attached invitation.', attachments: [{ filename: 'invite.ics', contentType: 'text/calendar', sizeBytes: 900 }] }],
  ['a code review', { subject: 'Re: [PATCH] fix the parser', text: 'Looks good, but README.md line 12 needs an update. See https://git.example/p/1/files', html: '<p>Looks good, but <a href="https://git.example/p/1/README.md">README.md</a></p>', links: [{ target: 'https://git.example/p/1/README.md', text: 'README.md' }] }],
  ['a patch', { subject: '[PATCH v2] store: retry', text: 'diff attached', attachments: [{ filename: '0001-store-retry.patch', contentType: 'text/x-diff', sizeBytes: 2100 }] }],
  ['a failed build', { subject: 'Build #512 failed on main', text: 'Tests failed immediately after start. Log: https://ci.example/builds/512' }],
  ['a dashboard on the own network', { subject: 'Dashboard moved', text: 'It is now at http://10.0.0.5:3000/d/abc and http://localhost:8080/' }],
  ['a password reset', { subject: 'Reset your password', text: 'Someone asked to reset the password of your account. Open https://app.example/reset?token=9f2c within 24 hours to enter your new password. If it was not you, ignore this mail.' }],
  ['confirming an address', { subject: 'Confirm your email address', text: 'Welcome! Please confirm your email address: https://app.example/confirm/1a2b' }],
  ['confirming an account', { subject: 'Welcome to Acme', text: 'Please confirm your account: https://acme.example/confirm/1a2b' }],
  ['a one-time code', { subject: '482913 is your code', text: 'Your code is 482913. Never share your password or code with anybody.' }],
  ['a notice of a sign-in', { subject: 'New sign-in from Firefox on Linux', text: 'We noticed a new sign-in to your account. If this was you, nothing is to be done. Otherwise change your password at https://app.example/security' }],
  ['the end of a trial', { subject: 'Your trial ends tomorrow', text: 'Your trial workspace will be deleted within 24 hours. Export your data or choose a plan: https://app.example/plans' }],
  ['a newsletter', { subject: 'The week in distributed systems', text: 'Three papers, one talk. Read online: https://news.example/42. Unsubscribe: https://news.example/u/1', recipientCount: 1, newRecipientCount: 1 }],
  ['a newsletter with words as links', { subject: 'Spring sale: 20% off', text: 'Shop the sale', html: '<p><a href="https://click.mailer.example/c/1">Shop the sale</a> - limited time offer</p>', links: [{ target: 'https://click.mailer.example/c/1', text: 'Shop the sale' }] }],
  ['a link to a host below the one it names', { subject: 'Docs', text: 'See example.com', html: '<a href="https://www.example.com/docs">example.com/docs</a>', links: [{ target: 'https://docs.example.com/', text: 'example.com/docs' }] }],
  ['a shipping notice', { subject: 'Your parcel is on its way', text: 'Your parcel leaves today and arrives on Monday. Track it: https://track.carrier.example/JD014' }],
  ['a support answer', { subject: 'Re: [#4411] cannot log in', text: 'Your account was locked after five wrong passwords. It opens by itself after an hour; sorry for the trouble.' }],
  ['an urgent page', { subject: 'URGENT: disk almost full on db-3', text: 'Disk is at 94 %. Please act immediately. https://alerts.example/inc/71' }],
  ['a team announcement', { subject: 'Office closed on Friday', text: 'Dear all, the office is closed on Friday.', recipientCount: 18, newRecipientCount: 3 }],
  ['an announcement to a whole company', { subject: 'All hands on Thursday', text: 'Agenda: https://wiki.example/allhands', recipientCount: 45, newRecipientCount: 4 }],
  ['a job application', { subject: 'Application: backend engineer', text: 'Please find my CV attached. My work is at https://github.com/ana', attachments: [pdf('CV_Ana_v2.1.pdf')] }],
  ['a contract under discussion', { subject: 'NDA', text: 'Please keep this confidential. The signed agreement is attached.', attachments: [{ filename: 'NDA.final.docx', contentType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document', sizeBytes: 21_000 }] }],
  ['new bank details, said plainly', { subject: 'Our new bank details', text: 'Our bank details have changed from 1 March. Please call us on the number you know to confirm before you pay.' }],
  ['a refund that was made', { subject: 'Refund issued', text: 'We refunded $12.50 to your card; it arrives within 5 days. https://shop.example/orders/7' }],
  ['a research report with units', { subject: 'Latency results', text: 'Median 12 μs, p99 80 μs, Δt = 3 μs over 10 μm of fibre. Raw data: https://lab.example/r/3' }],
  ['mail in Russian', { subject: 'Встреча завтра', text: 'Добрый день! Подтверждаю встречу завтра в 10:00. Ссылка: https://почта.рф/встреча' }],
  ['mail in German with an umlaut domain', { subject: 'Rechnung 17', text: 'Die Rechnung finden Sie unter https://müller.example/rechnung/17', attachments: [pdf('Rechnung.17.pdf')] }],
  ['mail in Japanese', { subject: 'ご確認ください', text: '添付の資料をご確認ください。https://例え.jp/資料' }],
  ['mail in Persian with joiners', { subject: 'سلام', text: 'می\u200cخواهم جلسه را به فردا می\u200cبرم. https://example.ir/' }],
  ['a payment by a well-known service', { subject: 'You sent a payment', text: 'You sent 20 EUR to Ana with PayPal. Details: https://www.paypal.com/activity/1' }],
  ['a forwarded storage link', { subject: 'Backup of static.example.com', text: 'It is at https://static.example.com.s3.amazonaws.com/backup.tar.gz' }],
  ['a database export', { subject: 'Export', text: 'The export you asked for.', attachments: [{ filename: 'export.2026-01-01.csv', contentType: 'text/csv', sizeBytes: 800_000 }] }],
  ['an archive of logs', { subject: 'Logs', text: 'As discussed.', attachments: [{ filename: 'logs.tar.gz', contentType: 'application/gzip', sizeBytes: 800_000 }] }],
  ['gift cards for the team', { subject: 'Team gifts', text: 'We get gift cards for everybody this year. Which shop do you like?' }],
  ['a git remote with a user', { subject: 'Clone URL', text: 'git clone https://deploy@git.example/acme/app.git' }],
]
