/** Scams in English: advance fees, extortion, orders from above, fake invoices and investments. */
import type { Template } from '../template.js'
import { templatesIn } from './draft.js'

const { scam } = templatesIn('en')

export const scamEnglish: Template[] = [
  scam('inheritance', {
    from: 'free {Barr. <name>|Barrister <name>|<name> Esq.|}',
    replyTo: 'free',
    many: true,
    subject:
      '{{Attention|Dear} {Beneficiary|<tolast>}|Re: {estate of late|inheritance of} <person>|NEXT OF KIN|{Urgent|Confidential} {matter|proposal}|Inheritance claim}',
    body: `
      {Dear {friend|Sir/Madam|<tolast>}|Attention please|Hello {dear|}},
      {I am {Barrister|Attorney|Barr.} <name>, {a solicitor at law|personal attorney to a deceased client of mine}|My name is <name>, a {lawyer|legal practitioner} {here in|based in} <city>}. {My {late |}client, {an engineer|a contractor|an oil merchant} who bears the same {last name|surname} with you, died {in a car accident|of heart failure|in a plane crash} {with his entire family |}{some years ago|in 20<n 10-22>} without a will.|A deceased client of mine who shares your surname died as a result of {a heart-related condition|the pandemic}, leaving {no heir|nobody} to {his|the} estate.}
      {He left behind {a deposit|the sum} of <million> {in|with} {a bank here|<bank>}|The {funds|estate} {is|are} valued at <million>}{ and the bank has {issued me a notice|asked me} to {provide|contact} the next of kin or have the account confiscated|}. 
      ~ {I {therefore |}{seek|need} your consent to present you as the next of kin{ so that the proceeds can be paid to you|}. {We|Thereafter we} will share {in the ratio of 60:40|50/50}.|All I require is your honest co-operation to enable us see this {deal|transaction} through.}
      ~ ? {I guarantee that this will be executed under a legitimate arrangement that will protect you from any breach of the law.|All the legal documents to back up the claim are {with me|available}.}
      ~ ? {Please treat this with {utmost|strict} confidentiality.|If you are not interested, kindly delete this mail.}
      {Kindly {send|forward} {me |}your full name, address, {age, occupation|date of birth} and {direct |}telephone number|Get back to me {urgently|as soon as possible}} {for more details|through my private email: <mail>}.
      {Best regards|Yours faithfully|Sincerely|Remain blessed},<br>{Barr. |Barrister |}<name>
    `,
  }),
  scam('dying-widow', {
    from: 'free {Mrs. <name>|Mrs <name>|Sister <name>|}',
    replyTo: 'free',
    many: true,
    subject:
      '{{Greetings|Hello} {my dear|beloved}|Dear beloved (in the Lord|friend)|My {last|dying} wish|Donation for {charity|the less privileged}|Please read {carefully|with patience}|From Mrs <last>}',
    body: `
      {My {dear|beloved}|Dearest one|Calvary greetings {in the name of the Lord|to you}|Greetings {to you|}},
      {I am Mrs. <name>{ from <city>|}, a widow {suffering from|diagnosed with} {cancer of the {breast|lungs}|a long-time illness|oesophageal cancer}.|My name is <name>, I am <n 58-79> years old and I am writing this mail {with tears|from my sick bed} in a hospital in <city>.} {My {doctor|doctors} {has|have} told me that I {may not|would not} last {beyond|for} the next {few|three|eight} {weeks|months}.|From all indications my condition is deteriorating.}
      {I {was|am} married to {late |}{Mr.|Engr.|Dr.} <person>, who {worked|was} {with the {embassy|gold mines}|a contractor} for <n 9-25> years before he died{ without any child|}.|My late husband {deposited|left} <million> {in a bank|with a finance house}{ in <city>|}.}
      ~ {I {have decided|want} to {donate|will out} this {fund|money} {to|through} you {so that you can|to} help {the orphans, widows and less privileged|build an orphanage}{ in your country|}.|I want a {person|God-fearing person} who will use this {money|fund} to {fund churches, orphanages and widows|help the needy}.}
      ~ ? {You will take {30|40}% for {your|your personal use and} effort.|I took this decision because I have no child that will inherit {it|this money}.}
      ~ ? {I don't need any telephone communication because of my health and my husband's relatives around me.|With God all things are possible.}
      {As soon as I {receive|get} your reply I shall give you the contact of the bank|Please {assure me that you will act accordingly|reply} {to|at} <mail>}. 
      {Remain blessed|Yours in the Lord|God bless you},<br>{Mrs. |Sister |}<name>
    `,
  }),
  scam('soldier-trunk', {
    from: 'free {Sgt. <name>|Capt. <name>|Gen. <name>|}',
    replyTo: 'free',
    subject:
      '{{Greetings|Good day} from {Syria|Yemen|Kabul|Libya}|{Business|Confidential} {assistance|trust}|I need your {help|assistance}|Can I trust you?}',
    body: `
      {Hello|Good day|Hi} {my friend|dear|},
      {I am|My name is} {Sgt.|Captain|Major} <name>, {an officer|a female soldier} {of|in} the {US army|UN peacekeeping force} {serving|stationed} in {Syria|Yemen|Afghanistan|Libya}. {I {found|got} your contact {through|during} {an internet search|an address journal} {in my quest for|while looking for} a reliable person.|I hope this mail meets you in good health.}
      {I {have|am in possession of} the sum of <million> {in cash|}, {which we made|my share} {from {crude oil|a deal}|recovered during one of our missions}{ and I want to move it out of {here|this country}|}.|My partners and I have a {trunk box|consignment} {of|with} <million> which we need to {move|ship} to you {for safe keeping|through a diplomatic courier}.}
      ~ ? {I cannot {keep|move} it {here|myself} because of {the nature of my work|my position as a serving soldier}.|It is safe with the Red Cross and nobody knows the content.}
      ~ {You will {take|keep} {30%|one third} and {keep|invest} the rest {for me|until I come}|I will compensate you with {30|35}% of the total}{ once it {arrives|is in your care}|}.
      If you are interested, {reply|write me back} {so that I can give you more details|with your full name, address and phone number}{ at <mail>|}.
      {Respectfully|Regards|Yours in service},<br><name>
    `,
  }),
  scam('banker-dormant-account', {
    from: 'free {Mr. <name>|Dr <name>|<name> (Auditor)|}',
    replyTo: 'free',
    many: true,
    subject:
      '{{Mutual|Urgent|Confidential} business {proposal|relationship}|{Very|Strictly} confidential|TRANSFER OF FUND|From the desk of {Mr.|Dr.} <name>|Partnership {in|on} {a|this} transaction}',
    body: `
      {FROM THE DESK OF <name><br>{BILLS AND EXCHANGE MANAGER|AUDIT DEPARTMENT}, <bank>|Dear {friend|partner},|Compliments of the season,}
      {I am <name>, {the {manager|director} in charge of {auditing|foreign remittance}|an account officer} {of|at|with} {a bank|<bank>} {here |}in <city>.} {During {our|the} {end of year|last} audit I discovered {an abandoned|a dormant} account {with|containing} <million> {belonging to|that belongs to} {one of our foreign customers|a foreigner} who died {along with his family|} {in a plane crash|in an earthquake}.|In my department we discovered an abandoned sum of <million>.}
      {Since nobody has come {up |}to claim {the money|it}, I {want|need} {a foreigner|you} to stand as {the beneficiary|his business partner}|The banking law here {stipulates|says} that if the money remains unclaimed after {ten|six} years it goes into the treasury as unclaimed}. 
      ~ {{40|35}% {will be|is} for you {as foreign partner|}, {50|60}% for me and {5|10}% for expenses.|I agree that 40% of this money will be for you as a respect to the provision of a foreign account.}
      ~ ? {This transaction is {risk free|100% safe}{ and will be concluded within <n 7-21> banking days|}.|Upon receipt of your reply I will {send you|forward} by fax or email the text of the application.}
      ~ ? {I will not fail to bring to your notice that this {business|transaction} is hitch-free.|You should not entertain any fear.}
      {{Reply|Contact me} {immediately|urgently} {on|through} my private {email|address}: <mail>|I look forward to your {urgent|positive} response}.
      Yours {faithfully|truly|sincerely},<br>{Mr. |Dr. |}<name>
    `,
  }),
  scam('lottery', {
    from: 'odd {{International|Euro|Global} Lotto {Board|Award}|Award {Department|Committee}|Powerball {Claims|Team}|<brand> {Promo|Award} Team}',
    brands: ['Microsoft', 'Coca-Cola', 'Google', 'Facebook', 'Euromega'],
    replyTo: 'free',
    many: true,
    subject:
      '{{CONGRATULATIONS|Congratulation}!!! {YOU WON|YOUR EMAIL WON}|Winning {notification|number} <ref>|Award {notification|notice}: {final|claim}|You have won <million>|<brand> {anniversary|e-mail} {award|draw}}',
    body: `
      # {AWARD NOTIFICATION|WINNING NOTICE|CONGRATULATIONS!}
      {Dear {winner|lucky winner|e-mail owner}|Attention: Lucky winner},
      {We are pleased to {inform|notify} you {of the result|that your email address has emerged as a winner} of the <brand> {lottery|promotion|anniversary draw} held on <past>.|Your e-mail address, attached to ticket number <ref>, drew the lucky numbers <n 1-9>-<n 10-19>-<n 20-29>-<n 30-39>-<n 40-49> and {consequently |}won {in the {first|second} category|}.} {You have {therefore |}been approved {for|of} a {lump sum|cash prize} of <million>.|The sum of <million> has been awarded to you.}
      * Ref: <ref>
      * Batch: <n 10-99>/<n 1000-9999>/<code>
      ~ ? {All participants were selected {randomly |}through a computer ballot system drawn from {25,000|over 100,000} email addresses from all over the world.|No tickets were sold.}
      ~ ? {For security reasons you are advised to keep your winning information confidential till your claim is processed.|Any double claim will lead to disqualification.}
      To {file|begin} your claim, {please |}contact {our|your} {claims|fiduciary} agent:<br>{Mr.|Mrs.|Dr.} <person><br>E-mail: <mail>{<br>Tel: <chat>|}
      ? {Provide: 1. Full name 2. Address 3. Age 4. Occupation 5. Phone 6. Country|Remember to quote your reference numbers in all correspondence.}
      {Yours truly|Sincerely},<br>{Mrs. |}<name><br>{Online co-ordinator|Promotion manager}
    `,
  }),
  scam('billionaire-donation', {
    from: 'free {<name>|<name> Foundation|{Mr|Mrs} <name>}',
    replyTo: 'free',
    looks: ['plain'],
    many: true,
    subject:
      '{Donation|Re: donation|{Dear|Hello} {friend|beneficiary}|{Donation of|} <million>{ for you|}|COVID-19 relief {donation|grant}|{Good news|I have something for you}}',
    body: `
      {Hello|Hi|Dear friend|Greetings}{,|.}
      {I am <name>, {the {winner|recipient} of the <million2> {Mega Millions|Powerball} jackpot|a philanthropist and {founder|CEO} of <company>}. {I{\'|} am donating|My {wife|family} and I have decided to donate} <million> to {you|<n 5-20> {random individuals|lucky people}}{ {as part of our {charity|effort} |}to {alleviate poverty|fight the hardship}|}.|You have {a|been selected for a} donation of <million> from <name>{, {winner of|who won} the {jackpot|lottery}|}.|My name is <name>. I gave away {25|twenty-five} percent of my {personal |}wealth to charity and pledged to give away the rest {this year|<year>} to individuals. You {are|have been chosen} to receive <million>.}
      ? {Your email address was {submitted|selected} {to me|randomly} by {Google|our computer}.|If you have received this email, {then |}you are one of the {lucky |}recipients.}
      {Contact|Reply|Email} {me |}{at|on|via|:} <mail> {for {more details|claims}|to {claim|receive} {it|your donation}}.
      ? {You can {read|see} more about {me|my win} on the {internet|news}.|Regards, <name>|God bless.}
    `,
  }),
  scam('compensation-fund', {
    from: 'odd {{United Nations|UN} {Compensation|Office}|Federal Bureau of Investigation|{World Bank|IMF} {Auditors|Payment Unit}|Office of the {Secretary|President}|ATM Card Department}',
    replyTo: 'free',
    many: true,
    subject:
      '{{Attention|ATTN}: {beneficiary|fund owner|victim}|Your {compensation|payment|overdue fund} {file|notification}|ATM {card|Visa card} {delivery|payment}|{RE:|} UN compensation {unit|to scam victims}|From FBI {Washington|headquarters}}',
    body: `
      {ATTENTION: BENEFICIARY|Attn: {Dear|My dear} {fund owner|friend}|{Office|Desk} of the {Director|Secretary-General}},
      {This is to {bring to your notice|inform you} that {we are delegated by the United Nations to pay <n 50-200> {victims of scam|fraud victims} {<round> |}each|your name {appeared|was found} {on|among} the list of {unpaid beneficiaries|people to be compensated}}.|We {the|have} {intercepted|discovered} {two|a} {trunk boxes|consignment} {bearing your name|at <city> airport} worth <million>.|We have concluded {to|that we will} effect your payment through an ATM {Visa |}card {loaded with|of} <million>.}
      ~ {You are {advised|required} to contact {Mr.|Mrs.|Rev.} <person> {of|in|at} {our paying office|<bank>|the delivery company} {immediately|now} for {your|the} {payment|delivery}.|Contact the {paying agent|director}: <person>, {E-mail|email}: <mail>.}
      ~ {You {only need|are only required} to {pay|send} {the|a} {delivery|courier|stamp duty} fee of {<price>|$<n 75-495>}{ and nothing more|}.|The only money you will send {to them|} is <price> for the {clearance certificate|shipping}.}
      ~ ? {You have to stop any communication with {any other office|those impostors}{ as they are {scammers|hoodlums}|}.|Note: you can withdraw up to $<n 5-20>,000 per day.}
      {Reconfirm|Send} your: full name, {home |}address, {phone number, |}{nearest airport|copy of ID} {and occupation|}.
      {Yours in service|Regards|Sincerely},<br>{Mr. |Dr. |}<name>
    `,
  }),
  scam('webcam-extortion', {
    from: 'odd {<local>|<user>|Anonymous|hacker|<code>|}',
    looks: ['plain', 'plain', 'plain', 'image'],
    subject:
      "{{<local>|<user>}: {<code>|your password is {known|<code>}}|{Payment from|Your} {your |}account{ was hacked|}|{Waiting for {the|your} payment|You have an outstanding payment}|{Security|Your personal} {notice|data is {leaked|in my hands}}|I{ have|'ve} {recorded|been watching} you|Don't miss your unsettled payment}",
    body: `
      {Hi|Hello|Hello there|Greetings|Hey}{!|.|, {pervert|you}}
      {{I know|I am aware that} <code> is {one of |}your {pass|password}{s|}. {Let\'s get directly to the point|You do not know me}.|{I have|Unfortunately, I have} {bad|some unpleasant} news for you. {Several|A few} months ago I {got|gained} access to {your|the} devices {you use to browse the internet|}.|As you may have noticed, I sent you this email from your {own |}{account|address}: I have full access to your device.}
      ~ {{I|My software} {placed|installed} {malware|a trojan} {on|on all} {your {devices|operating system}|an adult website you visited}{ and it gave me access to your {camera|webcam} and {microphone|screen}|}.|While you were watching {videos|adult videos}, {your {browser|device} started working as a remote desktop|the virus recorded you through the camera}.}
      ~ {I {made|have} a {double-screen |split-screen |}video {showing|with} {you and what you were watching|how you satisfy yourself on the left and the video on the right}.|{I gathered all your|I also have your} contacts from {Messenger, Facebook and email|your social networks and mail}.}
      {With {one|a single} click I can send {this|the} video to all your {contacts|friends, {relatives|colleagues} and family}.|Imagine what happens if {this|your family sees this}.} {I think <round> is a fair price for {our little secret|silence}.|Transfer <round> {in bitcoin|} {to me |}and I will delete {everything|the video} {right away|immediately}.}
      {BTC|Bitcoin|My} {wallet|address}{ (BTC)|}: <wallet>
      ~ {You have {48|50|24} hours {from the moment you opened this|to pay}.|{The timer started|I will be notified} as soon as you opened this {letter|email}.}
      ~ ? {Do not {reply|try to contact me}: {the address is generated|this makes no sense}.|Don\'t go to the police{: my address cannot be {tracked|traced}|}.|If you don\'t know how to buy bitcoin, search {for it |}"how to buy bitcoin".}
      ? {Good luck.|From now on, be more careful{ about how you browse|}.|Don\'t take it personally, this is my job.}
    `,
  }),
  scam('data-leak-extortion', {
    from: 'odd {<name>|Team <code>|Support|}',
    looks: ['plain'],
    subject:
      '{Your {site|company|website} <domain> {has been|was} hacked|{DDoS|DDOS} attack {on <domain>|announcement}|We have your {database|data}|{Explosive device|Read this}: <domain>}',
    body: `
      {PLEASE FORWARD THIS EMAIL TO {SOMEONE|ANYONE} IN YOUR COMPANY WHO IS ALLOWED TO MAKE IMPORTANT DECISIONS!|Hello. {Read this carefully.|}}
      {We {have|} hacked your website <domain> and extracted your databases.|Your network will be {subject to|hit by} a DDoS attack {starting|on} <soon>{, over <n 50-900> Gbps|}.|We downloaded {all|<n 20-900> GB of} your {customer|internal} {data|files}{ including {invoices|contracts and passports}|}.}
      {{The information|It} will be {sold|leaked} {to the highest bidder|on the internet}{ and your reputation destroyed|}. Your {links|customers} will be {e-mailed|informed} that you {have been breached|did not protect them}.|{This is not a hoax|You can check our previous work}, {and there is no counter measure|do not waste time}.}
      {We {are willing|agree} to {refrain|stop} for a {small|modest} fee: <round> in {Bitcoin|BTC} {to|at} <wallet>.|Pay <coins> to <wallet> {within <n 2-6> days|before <soon>}{, after that the price doubles|}.}
      ? {How do I get Bitcoins? You can easily buy them via several websites or offline from a Bitcoin ATM.|Payments are anonymous, nobody will know you paid.|Do not reply, we {don\'t|will not} read {replies|answers}.}
    `,
  }),
  scam('gift-cards', {
    from: 'free {<toname>|<name>|<name>, CEO|Pastor <name>|President <name>}',
    replyTo: 'free',
    looks: ['plain'],
    subject:
      '{{Quick|Urgent} {task|request|favor}|{Gift|Amazon|Apple} cards{ for staff|}|{Hello|Hi} <to>|{Discreet|Confidential}|Surprise for {the team|our clients}|}',
    body: `
      {Hi|Hello|Good morning|} <to>{,|}
      {I{\'|’}m {in|heading into} a {meeting|conference} {right now|all day} and {can{\'|’}t {talk|take calls}|calls are not allowed}{, just {reply my email|email me back}|}.|I need you to {handle|run} {a|an} {quick |}{task|errand} for me {discreetly|today}.|{Are you free|Let me know if you are available} {at the moment|now}?}
      {I {need|want} {you to {get|purchase|buy} |}{Apple|Amazon|Google Play|Steam|Razer} gift cards {for {some of our {staff|clients}|a {friend|patient} {on her birthday|at the hospice}}|to {surprise|reward} {the team|some employees}}. {<n 4-10> {pieces |cards |}of {$100|$200|£50|$500} each|A total of <round> face value}.}
      ~ {{When you have|Once you get} them, scratch {off|} the back and {send|email} me {clear |}{pictures|photos} {of the codes|}.|{Attach|Keep} the {physical |}cards and {email|send} the codes {to me |}here.}
      ~ ? {I{\'|’}ll {reimburse|refund} you {by end of day|as soon as I{\'|’}m {back|done}}.|Keep the receipt {for reimbursement|and your card for now}.}
      ~ ? {How soon can you get {it|this} done?|Let{\'|’}s keep this between us{, it{\'|’}s a surprise|}.|Can you do this in {30 minutes|the next hour}?}
      {Thanks|Regards|Best}{,<br>|. }<first>{<br>{CEO|Executive Director|Sent from my iPad|Sent from my mobile device}|}
    `,
  }),
  scam('available-one-liner', {
    from: 'free {<name>|<toname>|<name> (CEO)|Prof. <name>|Dr. <name>}',
    replyTo: 'free',
    looks: ['plain'],
    subject:
      '{<to>|Hello|Hi|Re:|Available?|{Quick|Urgent} {question|response needed}|Are you {there|around|at your desk}?|{Request|ASAP}|}',
    body: `
      {{Hi|Hello|Hey|Good morning} <to>{,|.|}|}
      {{Are|R} you {available|free|at your desk|in the office|around}{ {right |}now| at the moment| today|}?|Do you have a {moment|minute|second}? {I need you to {do|handle} something for me|I need a favor}{ {discreetly|quickly}|}.|{Send|Text|Email} me your {cell|mobile|personal} {phone |}number, I need {a task done|you to complete a task} {right away|ASAP}{. {I{\'|’}m in a meeting, no calls|can{\'|’}t talk now}|}.|{Kindly|Please} {get back to me|reply} {as soon as you get this|asap}{, it{\'|’}s {important|urgent}|}.|{Let me know|Reply} when you {get|receive} this {message|email}, {I have|there is} {a request|an assignment} for you.|Can you {process|do} a {payment|wire} {for me |}today?|Did you {get|see} my {last|previous} {mail|message}?}
      ? {Thanks|Regards|Best regards|Thank you}{,|}<br>{<first>|<name>}
      ? {Sent from my {iPhone|Mobile|iPad|Samsung device}|<name><br>{Chief Executive Officer|Managing Director|President}}
    `,
  }),
  scam('urgent-wire', {
    from: 'free {<name>|<name> | CEO|<toname>}',
    replyTo: 'free',
    looks: ['plain'],
    subject:
      '{{Wire|Payment|Transfer} {request|today}|Outstanding {invoice|payment}|{Acquisition|Confidential}|{FW|Fwd}: {Payment|Invoice} {instructions|due}|Vendor payment}',
    body: `
      {Hi|Hello|} <to>,
      {I need you to {process|take care of|make} {a|an} {urgent|domestic|international} {wire transfer|payment|bank transfer} {of <sum> |}{to a {new |}vendor|for consulting services|for me}{ today|}.|What {is the|details do you need for a} {cut-off time for a|} {wire|same day payment} {today|}? {I need to pay <sum>|An invoice of <sum> must be settled}.|We are in the {final stage|process} of acquiring {a|another} company and a {down payment|deposit} of <sum> {must|has to} {go out|be paid} today. {This is {strictly |}confidential|Nobody else knows yet}.}
      ~ ? {I{\'|’}m {travelling|on a flight|in meetings} {and can only be reached by email|for the rest of the day}.|Don\'t {speak with|mention it to} anyone {in the office |}{about this|until it\'s announced}.}
      ~ ? {{Code|Charge} it to {admin|professional} expenses, I{\'|’}ll send the {invoice|paperwork} later.|Let me know the {current balance|available balance} in {the|our} {operating|business} account.}
      {{Shall|Can} I {send|forward} you the {account|bank|beneficiary} details|Confirm {so I can send|and I will send} {the|you the} {banking information|details}}{?|.}
      {Thanks|Regards},<br><first>{<br>Sent from my {iPhone|mobile}|}
    `,
  }),
  scam('bank-details-change', {
    from: 'firm {<name>|<name> - Accounts|<company> Accounts}',
    replyTo: 'odd',
    looks: ['plain', 'letter'],
    attach: '{New_bank_details.pdf|Invoice_<n 1000-9999>_revised.pdf|Bank_letter.pdf}',
    subject:
      '{{Change|Update} of {bank|banking|account} {details|information}|{Re: |}{Invoice <ref>|outstanding invoices} - {new|updated} {remittance|payment} {details|instructions}|Our {new|updated} bank account|Re: payment {<date>|status}}',
    body: `
      {Dear|Hello|Hi} {<to>|Accounts team|Sir},
      {{Please be informed|Kindly note|We would like to inform you} that {our|due to {an ongoing audit|tax reasons}, our} {bank account has changed|usual account is {under audit|not receiving funds}}{ with immediate effect|}.|{Has|When will} {the|our} {outstanding |}{invoice|payment} {<ref> |}{been paid yet|be paid}? If not, please {hold|stop} it: our {bank details|receiving account} {have|has} changed.|We are {currently|in the process of} {changing|moving} {our |}{bank|banks} and would like all {future |}payments to {be {sent|remitted}|go} to {our|the} {subsidiary|new} account.}
      ~ {The {new|updated} {details|instructions} are {attached|in the revised invoice}|Kindly {update|change} your records {and confirm {receipt|by return}|accordingly}|{Please|Kindly} {let me know|advise} so I can {send|forward} {you |}the new {wire|ACH|SEPA} {information|details}}.
      ~ ? {Bank: <bank><br>Account name: <company2><br>{IBAN: available on request|Account: <n 10000000-99999999>}|{Do not|Please do not} {use|pay to} the {old|previous} account {any more|as it is closed}.}
      ~ ? {{Can you|Please} {confirm|tell me} the {date|amount} of the next payment{ and send the remittance|}?|{I am|We are} {out of office|working from home}, so {reply|respond} by email only.|We {apologise|are sorry} for {any|the} {inconvenience|short notice}.}
      {Best|Kind} regards,<br><name><br>{Accounts Receivable|Finance Manager|Credit Control}<br><company>
    `,
  }),
  scam('direct-deposit', {
    from: 'free {<name>|<toname>}',
    looks: ['plain'],
    subject:
      '{{Direct deposit|Payroll|DD} {change|update|request}|{Change|Update} {of|my} {bank|account} {details|information}|{Salary|Pay} account|{New|Updated} {bank|account}}',
    body: `
      {Hi|Hello|Good morning} <to>,
      {I {recently |}changed {my |}bank{s|} and {would like|need} to {update|change} my {direct deposit|payroll|salary account} {information|details}.|{Can|Could} {you|someone} help {me |}{change|update} my {bank|direct deposit} {details|information}?|I{\'|’}d like to change the account {on file|my salary is paid into}.}
      {{Will|Can} {the change|it} {be effective|take effect} {for|before} the {next|current} {pay {date|day|roll}|salary}?|What {details|information} do you need{ from me|}?|{Can|Should} I send {you |}my new {account and routing number|bank details} {now|here}?}
      ? {My {old|previous} account will be {inactive|closed} {before the next pay|in a few days}.|I don\'t have access to the {portal|system} {at the moment|while travelling}.}
      {Thanks|Thank you|Regards}{,|}<br><name>
    `,
  }),
  scam('renewed-call', {
    from: 'free {<brand> {Billing|Support|Order}|Billing {Department|Team}|<name>|Order Confirmation}',
    brands: [
      'Norton',
      'McAfee',
      'Geek Squad',
      'PayPal',
      'Best Buy',
      'Guardexa',
      'PC Shield Plus',
      'Microsoft Defender',
    ],
    looks: ['plain', 'plain', 'card', 'letter'],
    attach: '{INVOICE_<n 10000-99999>.pdf|Receipt-<n 1000-9999>.pdf|Order <n 1000-9999>.pdf|Bill.docx}',
    subject:
      '{{Invoice|Order|Receipt} <ref>|Thank you for {your {order|purchase|renewal}|choosing <brand>}|Your {subscription|membership|plan} {has been|was} {renewed|upgraded}|{Payment|Renewal} {confirmation|successful} <ref>|<brand> {auto-renewal|annual plan}}',
    body: `
      {Dear {customer|user|subscriber|member}|Hello{ <to>|}|Hi {there|<local>}},
      {{Thank you for|We appreciate you} {renewing|choosing} {your |}<brand> {protection|membership|subscription}{ for another {year|<n 2-3> years}|}.|Your {subscription|annual plan} with <brand> {has been|was} {successfully |}{renewed|upgraded} {today|on <date>}. The amount of {<amount>|<price>} {will be|has been} {charged|debited} {from|to} your {account|bank account|card} {within {24|48} hours|automatically}.|A {payment|charge} of <amount> to <client> {was made|is being processed} from your <brand> account.}
      * {Invoice|Order} {no|number}: <ref>
      * Product: {<brand> {360|Total Protection|Plus|Ultimate}|{Network|Computer} {Security|Protection}}
      * {Amount|Total}: <amount>
      ? * {Payment method|Mode}: {Auto debit|Online|Card on file}
      ? * Renewal date: <date>
      {If you {did not {authorise|make|place}|wish to cancel|don{\'|’}t recognise} this {order|charge|transaction|subscription}, {please |kindly |}{call|contact|dial} {our {support|billing|cancellation} {team|department}|us} {immediately |within 24 hours |}{at|on} <phone>{ (toll free)|}.|To {cancel|claim a refund}, {call|reach} {us|our helpline} {at|on}: <phone>{ {Mon-Sat|24/7}|}.|Questions? Customer {care|support}: <phone>.}
      ? {{Thanks|Regards|Sincerely},<br>{<brand> {Team|Billing}|<name>, {Accounts|Billing} Manager}|Have a great day!<br>Helpline: <phone>}
    `,
  }),
  scam('crypto-investment', {
    from: 'free {<name>|{Trader|Expert} <name>|<company>}',
    replyTo: 'free',
    subject:
      '{{Earn|Make} {up to |}<round> {weekly|every week} {with|from} {bitcoin|crypto|forex}|{Bitcoin|Crypto|Forex} {investment|trading} {opportunity|platform}|{Turn|Invest} <price> {into|and earn} <round>|Your {deposit|bitcoin} {account|balance} of <coins> is ready|{Passive|Guaranteed} income}',
    body: `
      {Hello|Hi|Dear {investor|friend}|Good day},
      {{Have you|Did you ever} {heard|think} {about|of} {bitcoin mining|crypto and forex trading}? {You can|Start to} earn {<round> {weekly|daily}|<n 10-40>% {daily|per week}} {from the comfort of your home|with a minimum of <price>}.|{I am|My name is <name>,} {a professional|an account manager and} {forex|crypto|binary option} trader {with <n 5-15> years of experience|}. {I|We} help {people|investors} {make|earn} {a lot of profit|<n 200-500>% return} {within <n 3-7> days|every week}.|Our AI {trading robot|platform} {makes|generates} {profit|up to <round> a day} {fully automatically|while you sleep}{: celebrities {use|have invested in} it already|}.}
      ~ {{Invest|Minimum} <price>, {get|earn} <round> in {7 days|one week}<br>{Invest|Deposit} <round2>, {get|earn} <round3>|No {experience|knowledge} {is |}{needed|required}{, {withdraw|cash out} any time|}}.
      ~ ? {{100% {safe|guaranteed}|No risk}{, {no hidden fees|we only take <n 5-20>% of your profit}|}.|Your capital {is|stays} {insured|protected}.}
      {{Contact|Write|Message} me {on {WhatsApp|Telegram}|} {at|:} {<chat>|<mail>}|Register {now|here}: <link>|Reply "{INFO|START|YES}" {to start|and an account manager will call you}}
      ? {Don\'t miss {out|this opportunity}, {spots|places} are limited.|Many have already {changed their lives|become financially free}.}
      ? {<name><br>{Account manager|Financial advisor|Senior trader}|<company>}
    `,
  }),
  scam('romance', {
    from: 'free {<first>|<name>|Miss <name>}',
    replyTo: 'free',
    looks: ['plain'],
    subject:
      "{{Hello|Hi}{ {dear|there|handsome|friend}|}|{Greetings|Good day}|{I am|It's} <first>|{Nice to {meet|know} you|I want to {know you|be your friend}}|{From|Hi from} <first>|}",
    body: `
      {{Hello|Hi} {dear|my dear|there|my friend}|Dear|Good day}{,|!|}
      {{My name is|I am|It{\'|’}s} <first>{, {I am |}<n 24-39> years old{ from <city>|}|}.|How are you {doing |}{today|}? {My name is|I am} <first>.} {I {saw|found|came across} your {profile|contact|email} {today |}{and {became|I am} interested in {you|knowing you}|and I will {like|love} to {know you more|be your friend}}.|I am a {single|lonely|honest and caring} {girl|lady|woman|man} {looking for|seeking} {a serious relationship|true love and friendship|a good man}.}
      ~ ? {{I believe|Remember that} (distance|age|colour) does not matter but love matters {a lot |}in life.|I {like|love} {cooking|travelling}, {music|long walks on the beach} and {honest people|quiet evenings}.|I {never|was never} {married|had children}.}
      ~ ? {I have something {very |}{important|special} to {tell|share with} you{ when {I get your reply|we know each other}|}.|I am {a nurse|an orphan|in a refugee camp}{ here|} in {<city>|Senegal} {since the death of my parents|}.}
      {{Please |}{Write|Reply} {me |back |}{to|at|through} my {email|private email|address} {<mail> |(<mail>) |: <mail> }{so that|and} I {can|will} send you my {pictures|photos}|Waiting {to hear from you|for your {reply|mail}}}{.|!|...}
      {Yours|Kisses|With love|Hugs|Your new friend}{,|}<br>{Miss |}<first>
    `,
  }),
  scam('mule-job', {
    from: 'odd {HR {Manager|Department}|<name>|<company>|Recruitment}',
    replyTo: 'free',
    subject:
      '{{Part-time|Remote|Home} {job|position|vacancy}{: <round> {a|per} {month|week}|}|Job offer from <company>|{Your resume|We {reviewed|found} your CV}|{Personal|Payment} {assistant|agent} {needed|wanted}|{Mystery|Secret} {shopper|shoppers} {needed|wanted}}',
    body: `
      {Hello|Dear {applicant|candidate|job seeker}|Good day}{,|!}
      {{Our {company|recruiters} {found|reviewed} your {resume|CV} {on|at} {a job site|Indeed}{ and {believe|think} you {match|are suitable for} {our|the} position|}}.|<company> is {looking for|hiring} {a|} {payment processing|regional|local} {agent|representative|assistant}{s|} in your {area|country}.|We {currently |}have an {open|available} position {of|for a} {personal assistant|mystery shopper|package forwarder|financial assistant}.}
      * {Salary|Pay}: {<round> per {month|week}|<n 18-45> {USD|EUR} per hour|<round> plus 5% commission}
      * Hours: {<n 1-3> {hours|h} {a|per} day|part-time, from home}
      {Your {task|duty} is to {receive {payments|parcels} from our {clients|customers} {and {forward|send} them {on|by courier|to our partners}|, keep 10% and transfer the rest}|process {money transfers|orders} {through|via} your bank account|evaluate {shops|money services} in your area}.|You {will be|are} paid {to rate {apps|hotels|products} online|for {liking|optimising} {videos|products}}: {<n 30-60> tasks a day|takes one hour}.}
      ~ ? {No {experience|investment|fees} {is |}{required|needed}. {Training is paid.|}|Requirements: {age 21+|18 years}, {a bank account|smartphone}, {honesty|internet access}.}
      ~ ? {A {cashier{\'|’}s |}check will be {mailed|sent} to you for the {first|initial} {assignment|supplies}.}
      {{Reply|Send} {us |}{your|with your} {full |}name, {address, |}phone {and {age|bank name}|number} {to|at} <mail>|{Text|Contact} {us|me} on {WhatsApp|Telegram} <chat>}.
      {Best regards|Sincerely},<br><name><br>{HR {Manager|Department}|<company>}
    `,
  }),
]
