/** Phishing in English, continued: offices, authorities, and messages of a line or two. */
import type { Template } from '../template.js'
import { templatesIn } from './draft.js'

const { phishing } = templatesIn('en')

export const phishingEnglishMore: Template[] = [
  phishing('two-factor-reset', {
    from: 'brand <brand>{ Security| Accounts|}',
    brands: ['Google', 'Microsoft', 'Apple', 'Coinbase', 'GitHub', 'Workdrift', 'Clavio'],
    subject:
      '{Two-{step|factor} {verification|authentication} {was turned off|reset requested}|Security code: <n 100-999> <n 100-999>|{Someone|A new device} {added|removed} a {phone number|recovery email}|Critical security alert for <user>}',
    body: `
      {A request {was received|has been made} to {turn off|reset} two-{step|factor} {verification|authentication} {for <user>|on your <brand> account}.|Your {recovery phone|recovery email|backup codes} {was|were} changed on <date> at <time> from <city>.}
      {If {this was you|you made this change}, {no action is needed|you can ignore this message}. |}{If {not|it wasn\'t you}|If you did not request this}, {cancel {it|the request}|secure your account} {immediately|now|within the next hour} {by signing in with your current password|below}.
      * Device: {Windows 10, Chrome|iPhone|Android, <city>|Linux, Firefox}
      ? * IP: <ip>
      @ {Cancel request|Secure account|Not me|Check activity|Deny and sign in}
      ? % {You received this email to let you know about important changes to your account and services.|<brand> will never ask for your password by email.}
    `,
  }),
  phishing('helpdesk', {
    from: 'own {Help Desk|Service Desk|IT Service Management|Ticketing}',
    looks: ['plain', 'plain', 'letter'],
    subject:
      '{Ticket <ref>: {mailbox migration|Outlook upgrade}|{Migration|Upgrade} to {Outlook {Web App|365}|the new mail server} {tonight|this weekend}|ITS: required {update|migration} for staff and {faculty|students}}',
    body: `
      {Dear {staff|user|colleague|staff and students}|Hello all|Attention all users},
      {We are {migrating|moving} all {mailboxes|e-mail accounts} to {the new|Outlook Web App|Microsoft Exchange} {platform|server} {for better security and {speed|anti-spam protection}|this week}.|The IT Help Desk is {currently |}{upgrading|updating} the e-mail {system|portal} {to the latest version|for all staff}.}
      {Please {click|follow} the link{ below|} and {log in|fill in the form} {with your {user name and password|e-mail and password}|to {start|complete} your {migration|upgrade}}.|Every active user is required to {verify and log in|update} using the {migration|help desk} page.}
      @ {ITS Help Desk|Migration portal|Click here to upgrade|Staff login}
      ? {If the {migration|upgrade} is not {completed|done} within 24 hours|If you fail to do so}, {your e-mail account will be {disabled|inactive}|you will not be able to send or receive mail}.
      {Thank you|Regards|Sincerely},<br>{IT Help Desk|Information Technology Services|ITS Service Desk}{<br>© <year>|}
    `,
  }),
  phishing('domain-expiry', {
    from: 'odd {Domain {Services|Registry|Renewal}|<domain> {expiry|renewal} notice|Web Hosting {Billing|Support}}',
    subject:
      '{Domain {renewal|expiration} notice: <domain>|Final notice: <domain> {expires|will be suspended} {on <soon>|today}|Your {hosting|web hosting} {invoice|payment} {<ref> |}{is unpaid|has failed}|<domain> SEO domain registration}',
    body: `
      {Dear {domain owner|customer|<domain> administrator}|Attention: <toname>},
      {{The domain|Your domain name} <domain> {expires|is set to expire} on <soon>.|Your {payment|renewal} for <domain> {was declined|could not be processed}.|This {letter|notice} is to inform you that it is time to {send in|renew} your {registration|search engine registration} for <domain>.}
      {If it is not renewed, your website and email {will stop working|may be lost to another owner}.|{Failure to complete|Act today to complete} your {order|renewal} {by the expiration date|} {may result in the {cancellation|loss} of your {online presence|offer}|to keep {your|the} domain}.}
      * Domain: <domain>
      * Term: 1 year
      ? * Amount: <price>
      @ {Renew now|Secure online payment|Pay invoice|Process renewal}
      ? % {This is not a bill.|We do not register or renew domain names.} If you wish to stop: <a unsubscribe>.
    `,
  }),
  phishing('unpaid-toll', {
    from: 'odd {<brand>|<brand> {Services|Tolls}|Toll {Services|Violations}}',
    brands: ['E-ZPass', 'SunPass', 'TxTag', 'Dart Charge', 'Tollway', 'RoadPay'],
    looks: ['plain', 'plain', 'card'],
    subject:
      '{Unpaid toll {notice|invoice}{ <ref>|}|<brand>: outstanding {balance|amount}|Final reminder: {toll|parking} {charge|violation}|Notice of {violation|penalty}}',
    body: `
      {<brand> {notice|reminder}:|Dear {driver|road user|vehicle owner},}
      {Our records {show|indicate} {that your vehicle has|} an unpaid toll {of <fee>|invoice}{ from <past>|}.|You have an outstanding {toll|parking charge} {balance|amount} of <fee>.|We have noticed an {outstanding|unpaid} toll amount of <fee> on your record.}
      To avoid {a late fee of <price>|additional penalties|suspension of your vehicle registration|legal action}{, please {settle|pay}| settle your balance} {before <soon>|within 12 hours|today}:
      @ {Pay toll|Settle balance|Pay now|View violation}
      ? {Thank you for {using our roads|your prompt attention}.|Drive safely!}
    `,
  }),
  phishing('court-fine', {
    from: 'odd {Traffic {Court|Police|Enforcement}|Municipal Court|Fines & Penalties|Department of Motor Vehicles}',
    subject:
      '{Notice {of|to} {appear|penalty}{ - case <ref>|}|Speeding ticket <ref>|Unpaid fine: {last|final} {notice|warning}|DMV final notice: enforcement begins <soon>}',
    attach: '{Notice_<n 1000-9999>.html|Ticket_<n 1000-9999>.pdf|Court_Notice.zip}',
    body: `
      {Hereby you are notified that|This is to inform you that} {you {are|have been} {scheduled|summoned} to appear for {your|a} hearing {in|at} the Court of <city> on <date>.|a {speeding|traffic} {violation|offence} was recorded {for your vehicle|against you} on <past>.}
      * Case: <ref>
      * {Fine|Penalty}: <price>
      ? {The {copy|photo evidence} of the {court notice|offence} is attached{ to this letter|}.|Photographic evidence is {available|kept} online for {7|14} days.}
      @ {View evidence|Pay fine|Read the notice|Contest or pay}
      ? {Note: {if you do not come|without payment}, the judge may {hear the case in your absence|double the penalty}.|Unpaid fines will be {reported|referred} to your credit agency {and your licence suspended|}.}
      {Yours truly,|Truly yours,|}<br>{<name><br>Clerk to the Court|{Enforcement|Collections} Office}
    `,
  }),
  phishing('government-benefit', {
    from: 'odd {{Social|Benefit} {Services|Payments}|Energy {Support|Bills} Scheme|Department {of|for} {Work|Social Security}|Medicare {Services|Enrollment}|GOV {Notify|Benefits}}',
    subject:
      '{You are eligible for {a|the} {cost of living|energy|relief|heating} {payment|rebate|grant}|{Your|Important:} {social security|benefit} {statement|number} {is available|has been suspended}|Claim <round> before <soon>|New {Medicare|health} card {ready|issued}}',
    body: `
      {Dear {citizen|beneficiary|resident|applicant}|Hello <toname>},
      {{According to|Based on} our records you {qualify|are eligible} for {a one-off|the} {payment|rebate|discount} of <round>{ under the <year> scheme|}.|Your {new|<year>} {benefit|social security} statement is {ready|now available} to download.|Your benefits {have been|will be} {paused|suspended} because your information is {out of date|incomplete}.}
      {{You can apply|Apply} {here|below}{: | }with your {national insurance|social security} number and bank {card|details}.|{Confirm|Update} your {personal|bank} details to receive {it|your payment}{ within 3 to 5 working days|}.}
      @ {Apply now|Claim payment|View statement|Update details|Check eligibility}
      ? The {deadline|offer} {is|ends on} <soon>.
      ? % {This message is sent on behalf of the government and is not marketing.|© Crown copyright|An official website of the government}
    `,
  }),
  phishing('bare-link', {
    from: 'robbed',
    looks: ['plain'],
    subject: '{|{Re|Fw|Fwd}: |hi|{Document|File|Photos|look}|{invoice|statement|urgent}|<to>}',
    body: `
      {{Please|Kindly} {check|review|see} {the|this} {document|file|attached}{ and get back to me|}|{Is this you|are these your pics}??|{I{\'|’}ve|I have} {shared|sent} you {a file|something} {via secure link|}|{Hi|Hello} <to>, {the file you asked for|have a look}|see below|your {payment|statement} is ready}{:|.|}
      <link>
      ? {Thanks|Regards|Sent from my {iPhone|Samsung}|<first>}
    `,
  }),
  phishing('reply-chain', {
    from: 'robbed',
    looks: ['plain', 'letter'],
    subject:
      '{Re|RE|Fwd}: {{meeting|project} {notes|update}|contract {draft|renewal}|<month> report|quote <ref>|your question}',
    attach: '{document_<n 10-99>.zip|notes.html|{contract|report}<n 10-99>.pdf}',
    body: `
      {Hello|Hi|Good {day|morning}}{ <to>|}{,|!}
      {{Please find|I{\'|’}ve placed} the {file|documents} {you asked for|we {discussed|talked about}} {at the link|below|here}.|{As agreed|Following up}, {the|here is the} {updated|corrected} {version|document}. {Take a look|Please check it} {and let me know|today}.|{Sorry for the late reply|I apologise for the delay}. {Everything|All the figures} {is|are} {in the document|here}.}
      @ {Download|{contract|report|document}_<n 10-99>.zip|View online}
      ? Password {for the archive|}: <code>
      {<first>|Best,<br><name>|Thank you,<br><first> <last><br><company>}
      ? ---
      ? On <past> <toname> wrote:<br>> {Could you send me the {figures|report} again?|Thanks, {see you|talk} {on Monday|next week}.|Please let us know {by Friday|when it is ready}.}
    `,
  }),
  phishing('sign-in-new-device', {
    from: 'brand <brand>{ account team| Security|}',
    brands: ['Microsoft', 'Google', 'Yahoo', 'Apple', 'LinkedIn', 'Teamlark', 'Postriver'],
    looks: ['card', 'letter', 'plain'],
    subject:
      '{<brand> account unusual sign-in activity|{New|Unusual} sign-in{ from <city>|}|Security alert|{Your password|Account} was used {from|on} a new device}',
    body: `
      # {Unusual sign-in activity|New sign-in}
      We detected something unusual about a recent sign-in to {the <brand> account <user>|your account}.
      * Country/region: <city>
      * IP address: <ip>
      * Date: <date> <time>
      ? * Platform: {Windows|Kali Linux|Android}
      {Please {go to your recent activity page|report the user} to let us know whether or not this was you. If this wasn{\'|’}t you, we{\'|’}ll help you secure your account.|A user from <city> just logged into your account from a new device. If this wasn{\'|’}t you, please report the user.}
      @ {Review recent activity|Report the user|Secure your account}
      ? To opt out or change where you receive security notifications, <a click here>.
      Thanks,<br>The <brand> account team
    `,
  }),
  phishing('account-closing-request', {
    from: 'own {Mail Admin|Account {Service|Closure}|Server Support|cPanel}',
    subject:
      '{{Request to|} {close|shut down|terminate} {your |}{mailbox|email} <user>|De-activation {request|of <user>} {received|in progress}|cPanel: {account|mailbox} {closure|termination}}',
    body: `
      {Hello|Dear} <user>,
      {{We|Our server} {received|has received} {a|your} request to {shut down|terminate|de-activate} {your mailbox|the email account <user>}{ on <date>|}.|Your request to {remove|delete} <user> from our server {was|is} {approved|being processed} and will {start|take effect} {in <n 1-3> hours|shortly}.}
      If {you did not make this request|this request was made accidentally|this is a mistake}, {please |}{cancel it now|kindly cancel below}.
      @ {Cancel {request|de-activation|now}|Stop {processing|termination}|Keep my account}
      ? {All your {mail|messages} and {contacts|files} will be {erased|lost permanently}.|If you {do not cancel|ignore this}, your account will be {shut down shortly|gone} and all your email data {lost permanently|erased}.}
      {Regards,|Thank you,|}<br>{Email Administrator|<domain> {server|mail} {admin|team}}
    `,
  }),
  phishing('antivirus-mail-upgrade', {
    from: 'own {Security {Center|Update}|Mail Security|<domain>}',
    subject:
      '{New {webmail|email} version {available|required}|{Your email|<user>} {is|was} {blacklisted|reported for spam}|{TLS|SSL|IMAP} {certificate|settings} {outdated|expired}|Terms of service update{: accept to continue|}}',
    body: `
      {Notice to <user>|Dear <local>}{:|,}
      {{Your account|<user>} {is using|still uses} an {old|outdated} version of {our webmail|the mail service} {which expires on <soon>|and has been {flagged|blacklisted}}.|{We|The server} noticed that {spam|a virus|Trojan mails} {is|are} {being sent|coming} from your {mailbox|IP}.|We have updated our terms of {use|service}. {You must accept|Accept} {them|the new terms} to {continue|go on} using your email.}
      {Sign in {below|here} {to {update|switch|clean}|and accept}{ automatically|}|{Confirm ownership|Re-confirm your account}{ now|} to {avoid|prevent} {suspension|disconnection}}.
      @ {Update now|Accept terms|Re-confirm|Remove from blacklist|Switch to new version}
      ? * Deadline: <soon>
      ? {We apologise for any inconvenience.|Thank you for helping us serve you better.}
      % {Mail Security {Gateway|Team}|Copyright © <year> {Webmail|<domain>} {Inc.|}}
    `,
  }),
  phishing('job-portal-applicant', {
    from: 'odd {<name>|Recruiting - <company>|LinkedIn {Jobs|Messages}}',
    brands: ['LinkedIn', 'Indeed', 'Hirelane'],
    subject:
      '{You appeared in <n 3-12> searches this week|New message from <name>|{Your application|Interview invitation}: <company>|{<name>|A recruiter} {wants to|would like to} {connect|do business with you}}',
    body: `
      {Hi|Hello|Dear} <to>,
      {<name>, {CEO|Head of Talent|Purchasing Manager} at <company>, {sent you a message|has invited you to connect|is waiting for your response}.|Your {profile|CV} {matches|was selected for} a position at <company>.}
      ? {"{We would like to place an order for your product. Please reply {today|soon}.|Please find our {requirements|job description} in the file.}"}
      {Sign in {with your e-mail and password|to <brand>} to {read|accept|respond}.|Log in with {Google|Facebook|your email account} to {book the interview|schedule a call}.}
      @ {Read message|Accept|View profile|Schedule interview|Reply}
      ? % This email was intended for <toname>. <a Unsubscribe> | <a Help>
    `,
  }),
  phishing('travel-booking', {
    from: 'brand <brand>{ Reservations| Partner|}',
    brands: ['Booking.com', 'Airbnb', 'Expedia', 'Staynest', 'Roamly'],
    subject:
      '{Your {reservation|booking} <ref> {is at risk|may be cancelled|needs confirmation}|{Guest|Partner} {complaint|message}{ - reply needed|}|<brand>: {verify|confirm} your card for {your stay in <city>|<city>}}',
    body: `
      {Dear {guest|partner|<toname>}|Hello},
      {Your {reservation|booking} <ref> {in|at a property in} <city> {could not be {confirmed|guaranteed}|will be cancelled} {because {your card was declined|we could not validate your payment method}|unless the card is verified}.|A guest has {left|sent} {a complaint|a negative review} about {your property|the stay} {and expects a reply|in <city>}.}
      {{Please confirm|Confirm} your card {details |}within <n 6-24> hours. {The amount will be {blocked|held} temporarily and {returned|released} automatically.|You will not be charged.}|Please {log in|view the complaint} in the {extranet|partner portal} and reply {today|within 24 hours}.}
      @ {Confirm reservation|Verify card|View complaint|Go to extranet}
      ? % © <brand>. {This e-mail was sent by the property.|}
    `,
  }),
  phishing('purchase-confirmation-cancel', {
    from: 'brand <brand>{ Orders| Store|}',
    brands: ['Amazon', 'Apple', 'Google Play', 'Walmart', 'Cartello', 'Shopmoor'],
    looks: ['card', 'letter', 'plain'],
    subject:
      '{Your {order|receipt} <ref>|Order confirmation: {iPhone|MacBook|gift card} ({<amount>|<price>})|{Invoice|Receipt} from <brand>|Thank you for your {order|purchase}}',
    attach: '{Receipt_<n 1000-9999>.pdf|Order.html|Invoice-<n 1000-9999>.pdf}',
    body: `
      # {Order confirmation|Receipt}
      Hello{ <to>| customer|},
      {Thank you for {shopping with us|your order}. Your {item|order} {will be shipped to|is on its way to} {<person>, <city>|a new address in <city>}.|You {recently |}purchased {a gift card|an in-app subscription|{1 year of|} premium} for <amount>.}
      * Order: <ref>
      * Total: <amount>
      ? * Shipping to: <person>, <city>
      {If you {did not|didn{\'|’}t} {make|authorise} this {order|purchase}, {cancel it|request a refund} {here|below} {within 24 hours|before it ships}|Not you? {Cancel|Dispute} {the|this} {order|charge} {now|below}}.
      @ {Cancel order|Refund {request|now}|Manage order|Cancel and refund}
      ? {You will need {to sign in and|} {your card|the card number} {for the refund|to receive the refund}.}
      % <brand> {Customer Service|}
    `,
  }),
  phishing('meeting-missed', {
    from: 'own {Microsoft Teams|Zoom|Teams {Notification|Activity}|{<name> in Teams|Calendar}}',
    subject:
      '{You have {<n 1-9>|a} {unread|missed} {message|chat}{s|} in Teams|{<name>|HR} is waiting for you in {a|the} {meeting|call}|{Missed|Urgent}: Zoom {meeting|call} {with HR|about your {contract|performance}}|{Termination|Performance review} meeting {- join now|<time>}}',
    body: `
      {Hi|Hello} <to>{,|}
      {{<name>|Your teammates} {sent|tried to reach} you {a message |}in Microsoft Teams{ while you were away|}.|You {have been|are} invited to {a|an urgent} {meeting|Zoom call} {regarding|about} {your {contract|position|performance review}|payroll}. Your presence is {crucial|required}.}
      ? "{Can you check the file before the meeting?|Please join, we are waiting.|Have you seen the new {bonus|pay} list?}"
      @ {Reply in Teams|Join meeting|Open chat|Join this live meeting}
      ? {You{\'|’}ll be asked to {sign in again|confirm your password} {as your session has expired|}.}
      ? % {Install the app for iOS and Android|© Microsoft Corporation|This message is kept for 48 hours only.}
    `,
  }),
  phishing('encrypted-message', {
    from: 'robbed {<name>|<company>|Secure Mail}',
    subject:
      '{{Secure|Encrypted|Protected} message from {<name>|<company>}|[Encrypted] {contract|statement|wire instructions}|{<name>|<company>} sent you a protected message}',
    body: `
      <name> ({<company>|{office|info}@<client>.example}) has sent you {a protected|an encrypted|a confidential} message.
      ? {Subject: {Closing statement|Wire instructions|Tender documents} <ref>}
      @ {Read the message|Open secure message|Click here to read your message}
      {Sign in with {your email address and password|Office 365 or other mail} to {read|decrypt} {it|the message}.|To view, enter {the|your} {mailbox|email} credentials {associated with <user>|}.}
      ? Message will be {deleted|available until} <soon>.
      % {Message encryption by {Microsoft Office 365|SecureVault}|Learn about messages protected by encryption: <a help>|}
    `,
  }),
  phishing('cloud-storage-full', {
    from: 'odd {Cloud {Storage|Service}|iCloud|<brand>{ Alert|}|Photo Storage}',
    brands: ['iCloud', 'Google One', 'Cloud+', 'Skybinder'],
    looks: ['card', 'letter', 'image'],
    subject:
      "{Your {photos and videos|files} will be {deleted|removed}{ on <soon>|}|{Your|<brand>} {cloud |}storage is full{!|}|We{'|’}ve blocked your account! Your photos will be deleted|Payment failure: <brand> {storage|50 GB}}",
    body: `
      # {Your storage is full|Cloud storage blocked|Payment declined}
      {Your {<brand>|cloud} {storage|plan} {is full|has expired} {and {files|photos} are no longer backed up|}.|We {failed|were unable} to renew your {cloud|<brand>} {storage|subscription} {because {the payment method has expired|your card was declined}|}.}
      {{Photos|Files}, {videos|contacts} and {backups|device data} will be {lost|deleted} {on <soon>|within <n 24-48> hours}.|As {a loyal customer|part of our loyalty programme} you {can get|receive} {an additional|} 50 GB {for free|for <fee>} {before <soon>|today}.}
      * Used: 100%
      @ {Get 50 GB {free|}|Update payment|Keep my photos|Upgrade storage|CONTINUE}
      ? % {If you no longer wish to receive these emails <a unsubscribe here>|<a Unsubscribe>}
    `,
  }),
  phishing('customer-survey-bank', {
    from: 'odd {<bank>|Telephone Banking|{Mobile|Telecom} {Billing|Service}|{Energy|Internet} {Account|Billing}}',
    subject:
      '{Your {bill|invoice} {was paid twice|is overpaid}|{Direct debit|Payment} {failure|returned}: {your line|service} will be {cut off|disconnected}|You have a {credit|refund} of <price>|{SIM|eSIM} {deactivation|registration} notice}',
    body: `
      {Dear {subscriber|customer|account holder}|Hello},
      {You have paid your {last|<month>} {bill|invoice} twice. {A refund of <price> is waiting|We owe you <price>}.|Your {bank|direct debit} returned {our|the} payment of <price>. Your {service|line|electricity} will be {disconnected|suspended} on <soon>.|Your {SIM card|number} is not {registered|verified} and will be {blocked|deactivated} within 24 hours.}
      {{To receive|To get} the refund|{Please act|Act} now}{:| and} {enter|confirm} {your {card|bank} details|the card to be credited}.
      @ {Get refund|Pay <price>|Register now|My account}
      ? * Customer number: <n 1000000-9999999>
      {Your customer service|Billing department}
    `,
  }),
  phishing('old-style-bank', {
    from: 'brand <brand>',
    brands: ['Washington Mutual', 'Citibank', 'eBay', 'PayPal', 'SunTrust', 'First Meridian', 'Union Crest'],
    looks: ['letter', 'plain', 'letter'],
    subject:
      '{Official {information|notice} for all users of <brand>|<brand> {account|security} {update|verification}|{Important|URGENT} {notification|account notice}|Account {review team|verification required}|Please confirm your <brand> {records|data}}',
    body: `
      Dear <brand> {member|user|customer|client},
      {We regret to inform you that your <brand> account could be suspended if you don't re-update your account information.|Technical services of the <brand> are carrying out a planned software upgrade. We earnestly ask you to visit the following link to start the procedure of confirmation of customers{\'|} data.|During our regular update and verification of the accounts, we could not verify your current information. Either your information has changed or it is incomplete.|It has come to our attention that your billing information records are out of date.}
      @ {https://www.<client>.com/cgi-bin/confirm|Click here to update your account|Sign in to Online Banking|Update your information}
      ? {This instruction has been sent to all bank customers and is obligatory to follow.|However, if you fail to do so your account will be considered fraudulent and will be {suspended|terminated}.|Once you have updated your account records your session will not be interrupted and will continue as normal.}
      {Thank you for your {patience|prompt attention} {in this matter|to this matter}.|We apologize for any inconvenience.}<br><brand> {Safeharbor|Security|Customer} {Department|Service}
      ? % Do not reply to this e-mail as this is an unmonitored alias. © <n 2003-2007> <brand>
    `,
  }),
]
