/** Phishing in English: mailboxes, accounts, documents and files. */
import type { Template } from '../template.js'
import { templatesIn } from './draft.js'

const { phishing } = templatesIn('en')

export const phishingEnglish: Template[] = [
  phishing('account-suspended', {
    from: 'brand <brand> {Support|Security|Team|Service|}',
    brands: ['PayPal', 'Amazon', 'Apple', 'Netflix', 'Paylumo', 'Trovacart', 'Monvero', 'eBay'],
    subject:
      "{Your <brand> account has been {suspended|limited|locked}|Action required: {restore|confirm} your account|<brand>: unusual activity [Case <ref>]|We{’|'}ve limited access to your account}",
    body: `
      # {Your account is {on hold|limited}|Account {suspended|restricted}}
      {Dear {Customer|Client|Member|<user>}|Hello <to>|Hello}{,|}
      {We noticed {unusual|suspicious} activity {in|on} your <brand> account|Someone tried to sign in to your <brand> account from <city> ({IP |}<ip>)|Our system detected an unauthorised {log-in|payment attempt} on <date>}{, so we have temporarily limited it|. For your protection the account has been {suspended|placed on hold}}.
      ~ {To restore access|To lift the limitation}, {please confirm your {identity|billing details|information}|we need you to verify some information}{ within <n 12-72> hours|}.
      ~ ? {Until then you will not be able to send or withdraw money.|You won't be able to place new orders until this is resolved.}
      ~ ? {If you do not respond|Failure to do so}{ in time|}, your account will be {permanently closed|terminated}{ and any pending balance held for 180 days|}.
      @ {Restore my account|Verify now|Confirm my identity|Review activity|Log in to <brand>}
      ? * Case ID: <ref>
      ? * Location: <city>
      {Thank you{ for your cooperation|},|Sincerely,|Regards,}<br>{The <brand> Team|<brand> {Security Department|Customer Protection}}
      ? % Please do not reply to this email. {This mailbox is not monitored.|© <year> <brand>. All rights reserved.}
    `,
  }),
  phishing('mailbox-quota', {
    from: 'own {Mail {Administrator|Delivery System}|IT {Help Desk|Support}|<domain> Webmail}',
    subject:
      '{Mailbox {full|almost full|quota exceeded}|Your mailbox <user> {is|has reached} <n 95-99>%{ full|}|Warning: storage limit {reached|exceeded}|[<domain>] Storage notice}',
    body: `
      {Dear {user|email user|<local>|<user>}|Attention <user>}{,|:}
      {Your mailbox has {exceeded|reached} its storage limit|Your mailbox storage is {98|99|97}% full|You have used <n 4-49>.<n 1-9> GB of your quota}{, and you may not be able to send or receive {new messages|mail} until you {re-validate|upgrade} it|. Incoming mail is {on hold|being rejected}}.
      ? * Current usage: <n 95-99>%
      ? * Account: <user>
      @ {Upgrade storage|Increase quota now|Re-validate mailbox|Click here to add more space|Clean up mailbox}
      ~ ? There is no charge for {this upgrade|the additional storage}.
      ~ ? {Messages in the queue will be {deleted|lost}|Your mailbox will be deactivated} {after <soon>|within <n 12-48> hours} if {no action is taken|you ignore this notice}.
      {System Administrator|Mail Support Team|<domain> IT Service}{<br>© <year> <domain>|}
    `,
  }),
  phishing('mailbox-validation-reply', {
    from: 'odd {Webmail Technical Support|System Administrator|E-mail Upgrade Team|ICT Help Desk}',
    replyTo: 'free',
    many: true,
    looks: ['plain'],
    subject:
      '{Dear Account {User|Owner}|Webmail {maintenance|upgrade} notice|VERIFY YOUR EMAIL ACCOUNT|Email quota alert}',
    body: `
      {Dear Webmail {User|Subscriber}|Attention: Account Owner},
      {We are currently {upgrading our data base and e-mail centre|performing maintenance on all mailboxes}|A DGTFX virus has been detected in your folders|Your mailbox has exceeded the limit set by the administrator}. {All unused accounts will be deleted to create space for new ones|You will not be able to send or receive mail until you re-validate}.
      To {prevent your account from closing|complete the process|keep your account active}, you {must|are required to} reply to this {mail|e-mail} immediately and provide the {information|details} below:
      Full name: ............<br>Email user name: ............<br>{EMAIL |}Password: ............<br>{Confirm password|Date of birth|Telephone}: ............
      ? Warning!!! {Account owner that refuses to update|Any user who fails to update} his or her account within {seven days|48 hours|three days of receiving this warning} will lose {it|the account} permanently.
      Thank you for your {understanding|cooperation}.<br>{Warning code|Ref}: <code><br>{Technical Support Team|The Webmail Administrator}
    `,
  }),
  phishing('password-expires', {
    from: 'own {IT Support|<domain> Security|Microsoft 365 Admin|Password {Service|Reminder}|}',
    subject:
      '{Password expir{y|ation} notice|Your password {expires|is set to expire} {today|in <n 1-3> day(s)}|Action Required: password for <user> expires <date>|{Re: |}Keep your current password}',
    body: `
      {Hi|Hello|Dear} {<local>|<to>|<user>},
      {The password {for|to} {your mailbox|<user>|your Office account} {expires {today|on <soon>|in 24 hours}|has expired}.|Your {email|network} password will expire {today|soon}. After that you will be {logged out|locked out of your email}.}
      {You can {continue with|keep} your current password|To keep using the same password} {by using the button below|click below}.
      @ {Keep current password|Keep same password|Continue with current password|Keep my password}
      ? {Note: your mailbox will be {disabled|blocked} if {this is not completed|no action is taken}.|{Do nothing|Ignore this} and a new password will be generated by the system at <time>.}
      ? * User: <user>
      {<domain> {support|IT team}|Microsoft Account Team|IT department}
      ? % This message was sent from an unmonitored e-mail address. {Privacy statement|}
    `,
  }),
  phishing('shared-document', {
    from: 'robbed {<name> via {SharePoint|OneDrive|Dropbox}|<name>|<company>}',
    brands: ['SharePoint', 'OneDrive', 'Dropbox', 'Google Drive', 'Cloudry', 'Filevane'],
    subject:
      '{<name> shared "{Q<n 1-4> Proposal|Contract <year>|Payment schedule|Scan_<n 100-999>}" with you|{New|You have a new} {document|file} {shared|received} via <brand>|{Project|RFP} document from <company>}',
    body: `
      # {<name> shared a {file|document} with you|A document was shared with you}
      ? {Here{\'|’}s the {document|file} that <name> shared with you.|Please {see|review} the {attached|shared} {proposal|document} and {advise|let me know your thoughts}.}
      ? {This link {only|will only} works for {<user>|the direct recipients of this message}.|You{\'|’}ll be asked to {sign in with your email to view|verify your email password}.}
      * File: {Proposal|Agreement|Statement|RFQ|Bid}_<n 1000-9999>.pdf
      ? * Size: <n 120-980> KB
      @ {Open|Open document|View file|Access shared file|Review document}
      ? {<first> <last><br>{Managing Director|Accounts|Procurement Manager}<br><company>|Best regards,<br><name>}
      ? % <brand> {Team|file sharing}. {Link expires on <soon>.|Sent securely.}
    `,
  }),
  phishing('voicemail', {
    from: 'odd {Voice {Mail|Message} {Service|Center}|VM <phone>|<domain> PBX}',
    looks: ['plain', 'letter', 'card'],
    subject:
      '{New voice message from <phone>|Voicemail ({00:<n 10-59>|<n 14-58> seconds}) for <local>|Missed call - {VM|Audio} received <time>|📞 1 new voicemail}',
    attach: '{VM_<n 1000-9999>.html|Audio-<phone>.htm|voicemail_<date>.shtml|Play_<n 100-999>.html}',
    body: `
      {Hi|Hello} <local>,
      You {have|received} {a new voice message|1 new voicemail}{ in your mailbox|}.
      * {From|Caller}: <phone>
      * {Duration|Length}: 00:<n 10-59>
      ? * Received: <date>, <time>
      @ {Listen to message|Play voicemail|▶ Play audio}
      ? {The message will be {deleted|removed from the server} after {24|48} hours.|Open the attachment and sign in with your email to listen.}
      ? % Voice services for <domain>
    `,
  }),
  phishing('fax', {
    from: 'odd {eFax|Fax {Service|Gateway}|Scanner@<domain>|Xerox Scan}',
    subject:
      '{Incoming fax|You have received a <n 2-7>-page fax|Fax from <phone>|Scanned document from {Xerox|MFP|HP} <n 10-99>}',
    attach: '{Fax_<n 1000-9999>.htm|Scan<n 10000-99999>.html|FAX-<n 100-999>.pdf}',
    body: `
      {You have received|A new} {<n 1-9> page(s) fax|scanned document} {at|on} <date> <time>{ from <phone>|}.
      * {Reference|Fax ID}: <ref>
      * Pages: <n 1-9>
      ? {Please open the attached file {with your email credentials|to view the fax}.|The document is protected. Enter your {email password|mailbox password} to open it.}
      ? @ {View fax|Preview document|Download PDF}
      {Thank you for using {our|the} fax service.|% This is an automatic delivery, please do not reply.}
    `,
  }),
  phishing('e-signature', {
    from: 'brand {<name> via <brand>|<brand> {System|eSignature}|{HR|Legal|Accounts} via <brand>}',
    brands: ['DocuSign', 'Adobe Sign', 'Signova', 'Dropbox Sign', 'InkPledge'],
    looks: ['card', 'card', 'letter', 'plain'],
    subject:
      '{Complete with <brand>: {Agreement|Settlement|Remittance|Wire} {doc|document} <n 100-9999>|Signature {requested|required}: {contract|NDA|approval form}|<company> sent you a document to {review and sign|sign}}',
    body: `
      # {<name>|<company>} sent you a document to review and sign
      ? {Hello|Dear} {<to>|<user>},
      {Please {review|DocuSign|sign} {the|this} {document|agreement|settlement statement}{ at your earliest convenience|}.|All parties have {completed|signed}. {Please review your copy.|You are the last signer.}}
      @ {REVIEW DOCUMENT|Review and sign|VIEW COMPLETED DOCUMENT|Open document}
      ? Security code: <code>
      ? <name><br>{accounts@<domain>|Accounts Payable|Closing department}
      % Do not share this email: it contains a secure link {to <brand>|}. {If you have trouble signing, forward this to your administrator.|}
    `,
  }),
  phishing('invoice-attached', {
    from: 'firm {<name>|Accounts - <company>|<company>}',
    subject:
      '{Invoice <ref>|{FW|RE}: overdue {invoice|payment} <ref>|Remittance advice <date>|Payment copy - <company>|New order PO<n 1000-99999>}',
    attach:
      '{Invoice_<n 1000-9999>.html|Remittance_<n 100-999>.htm|PO-<n 10000-99999>.shtml|Payment_Swift.pdf.html|INV<n 1000-9999>.svg}',
    looks: ['plain', 'plain', 'letter'],
    body: `
      {Good {day|morning|afternoon}|Dear Sir/Madam|Hello|Hi}{,|}
      {Please find attached {the|our} {invoice|remittance advice|payment confirmation|purchase order}{ for your {records|perusal}|}.|Kindly {see|check} the attached {swift copy|proof of payment} {of the {transfer|payment} made today|and confirm receipt}.|Attached is {invoice <ref>|the statement}, which {is now overdue|we need to settle before <soon>}.}
      ~ ? {The {file|document} is {encrypted|password protected}: use your {email|office} {password|login} to {open|view} it.|Open the attachment in your browser{ and log in|} to view.}
      ~ ? {Let me know {if|when} you {get|receive} it.|Please confirm the bank details {and send proforma|before we proceed}.}
      {Regards|Best regards|Thanks|Kind regards},<br><name><br>{Accounts {Payable|Receivable}|Finance {Dept.|Department}}{<br><company>|}
    `,
  }),
  phishing('parcel-fee', {
    from: 'brand <brand> {Delivery|Parcel|Express|Customer Service|}',
    brands: ['DHL', 'USPS', 'FedEx', 'Royal Mail', 'UPS', 'Evri', 'Swiftcrate', 'Parcelio', 'Canada Post'],
    subject:
      '{Your parcel {is waiting|could not be delivered|is on hold}|<brand>: {delivery|shipment} {problem|pending} <ref>|Action needed: {customs|shipping} fee {due|of <fee>}|📦 {We missed you|Delivery attempt failed}}',
    body: `
      # {Your package is {waiting|on hold}|Delivery {failed|suspended}}
      ? {Dear customer|Hello|Hi <to>},
      {Your {parcel|package|shipment} {<code> |}{could not be delivered|has been stopped at our {depot|distribution center}} {because {of an incomplete address|{the|a} {customs|shipping|redelivery} fee {of <fee> |}has not been paid|nobody was present to sign}|on <date>}.|We tried to deliver your package {today|on <date>} but {nobody was home|the house number is missing}.}
      * Tracking number: <code>
      ? * Amount due: <fee>
      ~ {To {receive|release} {it|your parcel}|For redelivery}, {please {confirm|update} your address|pay the {small |}fee of <fee>}{ within <n 24-72> hours|}.
      ~ ? {Otherwise|If not,} {the|your} {parcel|package} will be {returned to the sender|destroyed}.
      @ {Schedule redelivery|Pay <fee>|Confirm delivery|Track my package|Update address}
      ? % {Thank you for choosing <brand>.|The <brand> team wishes you a wonderful day.}
    `,
  }),
  phishing('parcel-short', {
    from: 'odd {<brand>|<brand>-Info|Delivery}',
    brands: ['USPS', 'DHL', 'Evri', 'UPS', 'Postlane'],
    looks: ['plain'],
    subject: '{|Delivery|<brand> notice|{Package|Parcel} <code>}',
    body: `
      {<brand>: {Your {parcel|package} {has arrived at the warehouse and|} cannot be delivered due to incomplete address {information|details}. Please confirm {it|your address} in the link within 12 hours.|your shipment is pending, {settle|pay} <fee> to {release|receive} it:|we could not deliver your parcel today. {Rebook|Rearrange} here:}}
      <link>
      ? (Please reply Y, then exit the message and open it again, or copy the link to your browser.)
    `,
  }),
  phishing('bank-security', {
    from: 'brand <brand> {Alerts|Online Banking|Security|}',
    brands: [
      'Chase',
      'Wells Fargo',
      'Barclays',
      'HSBC',
      'Kestrel Bank',
      'First Meridian',
      'Union Crest',
      'Harbourline Bank',
      'Lloyds',
    ],
    subject:
      '{<brand> {security alert|account alert}|Important{:| -} {your online access {is|has been} {suspended|locked}|unusual sign-in}|{New|Unrecognised} {payee|device} added {to your account|}|You have <n 1-3> new secure message{s|}}',
    body: `
      Dear {<brand> customer|valued customer|customer|<toname>},
      {As part of our security measures, we regularly screen activity in {the <brand> system|our online banking}. We recently {contacted you after noticing|noticed} an issue on your account.|A new payee ({Mr. |Ms. |}<person>) was added on <date> at <time>. If this was NOT you, cancel it {right away|immediately}.|A payment of <amount> to <client> is pending from your {current|checking} account.|Your online banking access was {locked|disabled} after {three|too many} failed attempts.}
      ~ {For your security|To avoid service interruption|To cancel the request}, {please {verify|update} your account {information|details}|confirm that you are the {rightful|legal} owner of the account}{ here|}.
      ~ ? {Have your card and PIN ready.|You will be asked for your {username, password and card number|online ID and passcode}.}
      @ {Log on to online banking|Cancel this payee|Verify my details|Unlock access|https://www.{online|secure}.<client>-bank.com/verify}
      ? {If this is not completed by <soon>, we will be forced to {suspend your account indefinitely|restrict your card}, as it may {have been used|be used} for fraudulent purposes.}
      {Thank you for {banking with us|your prompt attention}.|Sincerely,}<br><brand> {Security Department|Customer Care|Fraud Prevention}
      ? % <brand>, member FDIC. Please do not reply to this automatic message.
    `,
  }),
  phishing('card-blocked', {
    from: 'odd {<brand>|Card Services|<brand> Card Centre}',
    brands: ['Visa', 'Mastercard', 'American Express', 'Kestrel Card', 'Cardance'],
    subject:
      '{Your card ending in <n 1000-9999> {is|was} {blocked|declined|restricted}|<brand>: {transaction|purchase} of <amount> {declined|on hold}|Did you {make|authorise} this payment?}',
    body: `
      {Dear cardholder|Hello},
      {{A purchase|An attempted charge} of <amount> at <client>{, <city>,|} was {declined|put on hold} on your card ending <n 1000-9999>.|Your card has been temporarily {blocked|deactivated} because {we could not verify your details|of a new security regulation}.}
      * Merchant: <client>
      * Amount: <amount>
      ? * Date: <date>
      {If you {did not make|don't recognise} this {transaction|payment}|To reactivate {it|your card}}, {confirm|verify} {your card details|card number, expiry date and security code} {below|on our secure page}.
      @ {Reactivate card|This wasn't me|Verify card|Dispute charge}
      ? Ignoring this message will {result in permanent deactivation|make you liable for the charge}.
    `,
  }),
  phishing('tax-refund', {
    from: 'brand {<brand>|<brand> {Refunds|e-Services|Online}}',
    brands: ['IRS', 'HMRC', 'GOV.UK', 'CRA', 'ATO', 'Revenue Office'],
    subject:
      '{Tax refund {notification|pending}: <amount>|You are {eligible for|due} a {tax |}refund|<brand>: {final|second} notice of refund (<ref>)|Claim your <year> refund}',
    body: `
      {Dear taxpayer|Dear applicant|Notice for <user>},
      {After the last annual calculation{s|} of your fiscal activity we have determined that you are eligible to receive a tax refund of <amount>.|Our records show that you {have overpaid tax|are owed a refund} of <amount> for the year <year>.|A refund of <amount> could not be {credited|paid} because {we do not have your bank details on record|the account details were incorrect}.}
      ? * Reference: <ref>
      ~ Please {submit the tax refund request|complete the {refund form|application}} {and allow us <n 3-9> days to process it|before <soon>}.
      ~ ? A refund can be delayed for a variety of reasons, for example submitting invalid records or applying after the deadline.
      @ {Claim refund|Start your claim|Access your tax refund|Government Gateway sign in}
      {Yours {sincerely|faithfully},|Regards,}<br>{Tax Credit Office|<brand> {Refund|Customer} {Team|Unit}}
      ? % {Crown copyright <year>|Deliberately incorrect inputs will be prosecuted.}
    `,
  }),
  phishing('streaming-payment', {
    from: 'brand <brand>{ Billing| Team|}',
    brands: ['Netflix', 'Spotify', 'Disney+', 'Amazon Prime', 'Streamora', 'Vidlark', 'YouTube Premium'],
    looks: ['card', 'card', 'letter', 'plain'],
    subject:
      "{Your {subscription|membership} {has expired|is on hold|will be cancelled}|Payment {declined|failed}|{Update|Problem with} your payment {details|method}|<brand>: let's keep you watching}",
    body: `
      # {Your {membership|subscription} has {expired|been paused}|{Update|Please update} your payment {information|details}}
      Hi{ <to>| there| dear customer|},
      {We{\'|’}re having {some |}trouble with your current billing information.|We were unable to {validate|process} your {last |}payment {for the next billing cycle|of <price>}.|Sorry for the interruption: your {last payment was declined|bank rejected the charge}.}
      {{We{\'|’}ll try again, but in the meantime you may want to|Would you like to} update your payment {details|method}?|Update {your card|it} within <n 24-72> hours {to avoid cancellation|or you will lose {access|your playlists and history}}.|As part of our loyalty program you can {now |}extend for {90|30} days for free.}
      @ {Update {account|payment|card}|Retry payment|Restart membership|Extend for free}
      ? Need help? We{\'|’}re here if you need it. Visit the <a Help Center> or <a contact us> now.
      {Your friends at <brand>|The <brand> team}
      ? % Questions? Call <phone>. <a Unsubscribe> · <a Terms of Use> · <a Privacy>
    `,
  }),
  phishing('wallet-validation', {
    from: 'brand <brand> {Support|Wallet|Security|}',
    brands: ['MetaMask', 'Coinbase', 'Ledger', 'Trust Wallet', 'Binance', 'Coinvale', 'Vaultrix'],
    subject:
      '{{Verify|Validate|Synchronise} your {wallet|<brand> wallet}|{Mandatory|Required} {KYC|wallet} {verification|update}{ before <soon>|}|Withdrawal of <coins> {requested|initiated}|<brand> security notice: your assets {are|may be} at risk}',
    body: `
      # {Wallet verification required|Verify your wallet|Security incident}
      {Dear {customer|<brand> user}|Hello},
      {{Due to {new regulations|the recent {network upgrade|merge}|a data breach}|As of <date>}, all {users|holders} {must|are required to} {verify|validate|re-synchronise} their wallets.|A withdrawal of <coins> to <wallet> was requested from {a new device|<ip>, <city>}. If it wasn{\'|’}t you, secure your wallet now.|Your wallet {is not verified|will be {suspended|restricted}}. {Unverified wallets|It} will be {limited|frozen} on <soon>.}
      ~ {Import your wallet using|Enter|Have ready} your {12 or 24 word|Secret|} {recovery phrase|seed phrase} {to complete the process|on the next page}.
      ~ ? {The process takes less than {two|five} minutes.|Failure to comply may result in the loss of your {assets|funds|NFTs}.}
      @ {Verify wallet|Secure my assets|Validate now|Start verification|Cancel withdrawal}
      ? {Thanks|Best},<br>{The <brand> team|<brand> {Compliance|Support}}
      ? % You are receiving this because you use <brand>. 
    `,
  }),
  phishing('copyright-strike', {
    from: 'odd {<brand> {Copyright|Help|Business|} {Center|Support|Team}|Meta Business {Support|Help}|Page Policy}',
    brands: ['Facebook', 'Instagram', 'TikTok', 'YouTube', 'Meta', 'Picsprout'],
    subject:
      '{Copyright {infringement|violation} {notice|on your account}|Your page {is scheduled for deletion|goes against our {Community Standards|terms}}|<brand>: final {warning|notice} (Case #<n 100000-999999>)|Verified badge: {request approved|you are eligible}}',
    body: `
      {Hi|Hello|Dear} {<to>|Page admin|user|creator},
      {We{\'|’}ve received {reports|a complaint} that {a post on your {account|page}|your recent video} infringes {a third party{\'|’}s|someone{\'|’}s} copyright.|Recently we discovered a breach of our {Facebook|Instagram|}{ |}Community Standards on your fan page.|Your {account|page} has been scheduled for {permanent deletion|unpublishing} because it {shares fake content|violates trademark rights}.|Congratulations, your {account|profile} is eligible for the {blue|verified} badge.}
      ~ {If you {believe|think} this is a mistake|To {object|appeal}|To {submit|confirm} your application}, {please fill in the {appeal|feedback} form|verify your account}{ within <n 24-48> hours|}.
      ~ ? Otherwise your {account|page} will be {deleted|removed} from our {servers|platform}{ permanently|}.
      @ {Appeal form|Request review|Go to form|Copyright appeal|Submit an appeal}
      ? * Case number: #<n 100000000-999999999>
      {Thank you|Regards|Sincerely},<br>{The <brand> {Team|Support Team}|{Copyright|Legal} {Department|Team}}
      ? % © <brand>. {Menlo Park, CA 94025|1 Community Way}
    `,
  }),
  phishing('payroll-update', {
    from: 'own {HR {Department|Team}|Human Resources|Payroll|People & Culture|<name> (HR)}',
    subject:
      '{Payroll {update|adjustment|notice} - <month> <year>|Your {salary|pay} {review|increase} {letter|statement}|Action required: {benefits|direct deposit} {enrolment|confirmation}|{Updated|New} {employee handbook|vacation policy|bonus schedule}}',
    attach: '{Payroll_<month>.html|Salary_Review_<year>.htm|Handbook_<year>.pdf}',
    body: `
      {Dear {employee|colleague|all|team}|Hi <to>|Hello},
      {Following {the annual review|our end-of-quarter assessment}, your {salary|pay} has been adjusted{ effective <date>|}.|{HR|The payroll team} has {shared|posted} {an updated|the} {payroll|benefits|compensation} document {for your {review|acknowledgement}|with you}.|All {staff|employees} are {required|expected} to {review and sign|acknowledge} the {new|revised} {policy|handbook} {before close of business|by <soon>}.}
      ~ ? {{Failure|Staff who fail} to {complete|confirm} may {experience delays in|miss} the next {payroll|pay run}.|Your signature is still missing.}
      ~ ? {Log in with your {work|company} email and password to view it.|You may be asked to authenticate.}
      @ {View document|Acknowledge|Review salary letter|Open payroll portal|Sign in to view}
      {Regards|Thank you|Kind regards},<br>{Human Resources|HR Department|<name><br>HR {Business Partner|Manager}}{<br><domain>|}
      ? % {This e-mail is confidential and intended for <user> only.|}
    `,
  }),
  phishing('qr-code', {
    from: 'own {Microsoft Authenticator|IT Security|MFA Service|Security Team|HR Documents}',
    subject:
      '{{2FA|MFA|Authenticator} {setup|expiry|re-enrolment} {required|for <user>}|Scan to {keep|restore} access{: action by <soon>|}|{Security|Multi-factor} update for <local>|Your {authenticator|security} {session|token} is expired}',
    attach: '{qr_<n 100-999>.png|Authenticator_<local>.pdf|MFA-Setup.png|Document_QR.pdf}',
    looks: ['letter', 'card', 'plain'],
    body: `
      # {Authenticator update|Multi-factor authentication|Security update required}
      {Hello|Hi|Dear} <local>,
      {Your two-factor authentication {is about to expire|must be {set up|renewed} {today|before <soon>}}.|{As part of|Due to} our {security upgrade|new policy}, every {user|employee} must re-enrol {in|for} multi-factor authentication.}
      {{Scan|Please scan} the {attached |}QR code {below |}with your {phone|phone{\'|’}s camera|mobile device} {and {sign in|follow the steps}|to {keep|maintain} access to your {mailbox|account}}.|1. Open your phone camera<br>2. Scan the QR code in the attachment<br>3. Sign in to confirm {your identity|it is you}}
      ? {{Do not|Don\'t} use a computer for this step.|The code {expires|is valid} for {24 hours|one day}{ and works once|}.}
      ? You will be {logged out|locked out} of {all|your} {devices|services} after <soon>.
      {IT Security|<domain> {Service Desk|IT}|Microsoft 365 Security}
    `,
  }),
  phishing('release-messages', {
    from: 'own {Mail {Quarantine|Delivery|Server}|Quarantine {Report|Notification}|<domain> Mail Gateway|Postmaster}',
    subject:
      '{{You have|} <n 2-14> {undelivered|pending|quarantined|blocked} {messages|emails}{ for <user>|}|Quarantine {summary|digest}|Delivery failure: {incoming messages {on hold|suspended}|action required}|{Sync|Server} error: <n 3-12> messages not delivered}',
    body: `
      # {Message delivery failure|Quarantine notification|Pending messages}
      {Hello <user>|Dear <local>|For <user>},
      {<n 2-14> {incoming |}messages {could not be|were not} delivered to your {inbox|mailbox} {because of {a synchronisation|a server|an IMAP/POP} error|due to {low storage|a system delay}}.|{The following|Some} messages {have been|were} {held|blocked} by {your administrator|the mail server} {on|since} <date>.}
      ? * Subject: {Re: Payment|Purchase order|Contract|Invoice} <ref>
      ? * From: {sales|accounts}@<client>.example
      ? * Status: {Pending|Blocked|On hold}
      @ {Release messages|Release all|Deliver messages to inbox|Review pending mail|Retrieve messages|Fix error}
      ? {Messages {are|will be} {deleted|removed} automatically after {<n 3-7> days|<soon>}.|This issue will {persist|remain} until you {validate|confirm} your {mailbox|account}.}
      ? % {Mail server {notification|report} for <domain>|Source: <domain> Support. You cannot unsubscribe from service messages.}
    `,
  }),
]
