/** Scams in English, continued: buyers, lenders, landlords and partners who do not exist. */
import type { Template } from '../template.js'
import { templatesIn } from './draft.js'

const { scam } = templatesIn('en')

export const scamEnglishMore: Template[] = [
  scam('overpayment', {
    from: 'free',
    looks: ['plain'],
    subject:
      '{Re: your {ad|listing}|{Order|Booking} {enquiry|request}|Is {it|this} still {available|for sale}?|{Lessons|Tutoring} for my {son|daughter}|{Catering|Painting} quote}',
    body: `
      {Hello|Hi|Good day}{,|}
      {{Is|I want to know if} your {item|{sofa|piano|bike|car} } {is |}still {available|for sale}? {I{\'|’}m ok with the price|I am satisfied with the condition}{ and will add $<n 30-80> so you hold it for me|}.|I need {private lessons|tutoring} for my {son|daughter} {who is {coming|on vacation} to your area|} for <n 2-4> weeks. {What is your total charge?|Do you accept credit cards?}|{Do you|I want to know if you} {cater|do {carpentry|landscaping}} {and accept credit card|for an event of <n 40-120> people on <date>}?}
      ~ {I will {be paying|pay} {with|by} {certified |cashier{\'|’}s |}check{, which will {include|cover} the {mover|shipping agent}{\'|’}s fee|}. {Once it clears|After you cash it}, {deduct your money and|you} send the {balance|excess} to the {movers|agent}|My {secretary|husband|accountant} {mistakenly|} {sent|wrote} the check for {more|<round>}; please {refund|return} the {difference|excess} {by {wire|Zelle}|to the driver}}.
      ~ ? {I am {at sea|hearing impaired|in the hospital}, so {email|text} is {best|the only way}.|My {pick up agent|mover} will come for it{ as I am {busy|out of town}|}.}
      Send {me |}your {full name|name on the check}, {mailing address|address} and {cell |}{phone |}number{ {so|and} the payment {can|will} go out {today|tomorrow}|}.
      {Thanks|God bless}{,|.} <first>
    `,
  }),
  scam('loan-offer-fee', {
    from: 'free {{Mr|Mrs} <name>|<company> Loan|Loan {Officer|Company}}',
    replyTo: 'free',
    many: true,
    subject:
      '{{Loan|LOAN} {offer|OFFER}{ at 3%|}|Do you need {a|an urgent} loan?|{Apply|Quick} {for|} {a |}loan {now|today}|Business and personal {loan|funding}}',
    body: `
      {Dear {Sir/Ma|applicant|customer}|Hello|Good day}{,|}
      {{Do you|Are you in} need {of |}{an urgent|a} loan {to {pay {off|} bills|start a business|buy a house}|}? {We|Our company} {offer|give out} {all {kinds|types} of |}loans {from|between} {$5,000|<round>} {to|and} <million> at {2|3}% interest{ rate| per annum|}.|Have you been turned down by {your bank|banks}? {We {offer|give} loans {without|with no} {collateral|credit check}.|}}
      ~ ? {No {credit check|collateral}, {100% guaranteed|approval within 24 hours}.|Bad credit is {acceptable|no problem}.}
      ~ {Interested {persons|applicants} should {fill|send} {the following|these details}|Fill {the|our} form {below|}}: full name, country, {phone|mobile number}, loan amount, duration, {monthly income|purpose}.
      ? A {refundable |}{processing|insurance} fee of <price> {applies|must be paid before the transfer}.
      {Contact {us|me}|Email|Reply}{: | via | to }<mail>{<br>{WhatsApp|Tel}: <chat>|}
      {Regards|Yours sincerely},<br><name>
    `,
  }),
  scam('rental-deposit', {
    from: 'free',
    looks: ['plain'],
    subject: 'Re: {apartment|flat|room|house} {for rent|in <city>|viewing}',
    body: `
      {Hello|Hi}{ and thank you for your interest|, thanks for your email}{.|!}
      {The {apartment|house|flat} is {still |}available. {I {moved|was transferred} to {<city>|another city} {for my job|with my family} {and|so I} am looking for {someone|a tenant} who will {take good care of it|treat it as their own}.|It is fully furnished{ and all utilities are included|}: <round> a month.}|I {own|inherited} the {flat|apartment} but I {work|live} {in|abroad in} <city2>, so I {can{\'|’}t|am not able to} show it {in person|myself}.}
      ~ {{To hold it|To secure it|Before the viewing} {you {need to|must} {send|pay}|I {ask for|need}} {the first month and deposit|a refundable deposit} of <round2> {by {bank transfer|Western Union}|through {Airbnb|a rental agency} who will hold the money}. {The keys {will be|are} {sent|mailed} {by {courier|DHL}|to you} {once|when} {it|the payment} is {confirmed|received}.|}}
      ~ ? {If you don{\'|’}t like it you get {everything|your money} back.|Other people are interested, so {hurry|be quick}.|We ask you not to see us as scammers, {we are honest people|we fear God}.}
      {Please tell me about yourself|Send me}: {name, {occupation|job}, move-in date, pets|how many people, how long, phone, copy of ID}.
      {God bless|Regards|Thanks},<br><name>
    `,
  }),
  scam('pet-sale', {
    from: 'free',
    looks: ['plain', 'letter'],
    subject:
      '{{Cute|Adorable|Lovely} {Yorkie|French bulldog|Maltese|Pomeranian} {puppies|puppy} {for {free |}adoption|available}|Re: {puppy|parrot|kitten}{ still available|}|{African grey|Macaw} parrots for {sale|rehoming}}',
    body: `
      {Hello|Hi|God bless you}, {thanks for {contacting us|your interest}|we are glad you want to give our baby a home}.
      {{We have|I have} {two|a} {lovely|adorable|AKC registered} {puppies|kittens|baby parrots}, <n 9-14> weeks old, {vet checked|vaccinated} and {potty trained|home raised}.|{She|He} is {still available|very playful and good with {kids|other pets}}.} {{I|We} are giving {them|her} {out|away} because {of {my new job|our move}|my {wife|daughter} died}{ and {they|it} deserve{s|} a good home|}.|}
      {You {only|just} {pay|have to pay} {the |}{shipping|delivery} {fee |}of <price>{ {through|by} {Western Union|MoneyGram|Zelle}|}|We ship {anywhere|to your door} {with|by} {a pet {airline|courier}|air}; the {price|fee} is <price>, {crate and insurance are refundable|including papers}}.
      ? {Where {are you located|do you live}? {Are you {a breeder|married}?|} {Do you have {kids|a yard}?|}|When would you like to have {her|him}?}
      {Text|Email|Write} {me |}{at|:} {<chat>|<mail>}{ for {pictures|pics}|}.<br><first>
    `,
  }),
  scam('business-proposal-short', {
    from: 'free {<name>|{Mr|Mrs|Dr|Ms}. <name>|Director <name>}',
    replyTo: 'free',
    many: true,
    looks: ['plain'],
    subject:
      '{{Business|Investment|Partnership} {proposal|opportunity|offer|project}|{Good day|Greetings|Hello|Attention}|{RE|Re}: {proposal|my previous mail}|{Important|Urgent} {message|reply needed}|{Funding|Project finance}}',
    body: `
      {Hello|Good day|Dear Sir/Madam|Greetings|Attn:}{,|.}
      {I have a {business|lucrative|mutual} {proposal|deal} {for|that will benefit} {you|us both}{ worth <million>|}.|I {sent|wrote} you {a mail|an email} {earlier|last week} {without|but got no} {response|reply}.|I {represent|am working with} {an investor|a {high net worth|politically exposed} client} {from|in} {<city>|the Middle East} who {wants|is willing} to invest {in your country|<million> in {real estate|viable projects}}.|We {offer|provide} {project funding|loans and investment} {at 3% interest|to companies}{ without collateral|}.|There is something {important|confidential} I {want|need} to discuss with you.|I am contacting you {again |}{about|regarding} a {fund|transaction} {under my management|that requires a foreign partner}.}
      ? {It is {100% |}{risk free|legitimate}.|I will {give|send} you {more|further} {details|information} {upon|when I get} your {reply|response}.|Your email was {given|recommended} to me by {a colleague|the chamber of commerce}.}
      {Are you interested?|{Kindly|Please} {reply|respond|get back to me} {for {more|full} {details|information}|if {you are |}interested|{at|via} {my private email|}: <mail>}.|{Reply|Contact me} for {details|more info}.|Let me know your opinion.}
      {{Best |}{Regards|Wishes}|Thanks|Sincerely},<br>{{Mr|Mrs|Dr}. |}<name>
    `,
  }),
  scam('refund-recovery', {
    from: 'odd {Asset Recovery|<name>, Recovery Expert|Cyber {Recovery|Fraud} Unit|Funds {Reclaim|Recovery}}',
    replyTo: 'free',
    subject:
      '{{Recover|Get back} your {lost|stolen} {crypto|bitcoin|money|funds}|Were you scammed{ online|}?|Your lost {funds|investment} {located|traced}|Case <ref>: {recovered|seized} {funds|assets}}',
    body: `
      {Hello|Dear {victim|client|investor}|Greetings}{,|}
      {{Have you|Did you} {lost|lose} {money|bitcoin|your savings} to {a fake {broker|investment platform}|scammers}? {We can help|There is hope}.|{During|In} an operation against {an online fraud ring|fake brokers}, {our {unit|department}|the police} {seized|found} {a wallet|accounts} {containing|with} {<coins>|<sum>} {registered in|belonging to} your name.|I lost <round> {to {crypto|forex} scammers|last year} and {I thought it was gone|was devastated}, until I {met|contacted} {this {genius|hacker}|<name>} who recovered {everything|all of it} in <n 24-72> hours.}
      ~ {To {release|receive} {it|the funds} {you {must|only} {pay|cover}|we require} {a {tax|gas|processing} fee {of <price>|}|proof of identity and a {small |}deposit}|{Contact|Reach} {them|us|him} {with|and send} {your {case|loss}|the wallet and amount}{: <mail>| on WhatsApp <chat>}}.
      ~ ? {No recovery, no fee.|We {work with|are licensed by} {the authorities|Interpol}.|They also {fix credit scores|recover social media accounts}.}
      {Act now|Don{\'|’}t lose hope|Reply today}{.|: time {is limited|matters}.}<br>{<name>|<company>}
    `,
  }),
  scam('charity-appeal', {
    from: "free {<name>|{Relief|Help} {Fund|Mission}|Children{'|’}s {Hope|Aid} {Foundation|}}",
    many: true,
    subject:
      '{{Please help|Help} {{victims|children} of {the {war|flood|earthquake}|hunger}|us}|{Urgent|Emergency} {appeal|donation}|{Stand|Donate} {with|for} {the victims|orphans}|{Every|Your} {coin|dollar} {counts|saves}}',
    body: `
      {Dear {friend|brothers and sisters|donor}|Hello|Peace be with you}{,|}
      {{Thousands|Hundreds} of {families|children} {have lost {their homes|everything}|are {hungry|suffering}} {after|because of} the {war|flood|earthquake}. {We {collect|raise} {donations|funds} {for|to buy} {food and medicine|shelter}.|}|I am {Pastor|Sister|Brother} <name>, {running|I run} {a small|an} orphanage {with|of} <n 20-90> children in {a poor village|<city>}, {and {we|they} have nothing to eat|who have not eaten {today|for days}}.}
      {{You can {donate|help}|Please send {any amount|your support}} {in|by|via} {bitcoin, {USDT|ether}|{Western Union|gift cards}}: <wallet>|{Crypto|Bitcoin} donations: <wallet>|Reply for {our {bank|payment}|the} details: <mail>}
      ? {{Even|As little as} <price> {helps|feeds a family}.|God {will|shall} {bless|reward} you {abundantly|a hundredfold}.}
      {Thank you|God bless you|In hope},<br><name>
    `,
  }),
  scam('hitman', {
    from: 'odd {Anonymous|<code>|Mr. X|}',
    looks: ['plain'],
    subject:
      '{{Read|Reply} {this |}{carefully|if you {care|value your life}}|Someone {wants you {harmed|dead}|paid me}|{Last|Final} warning{ <to>|}|You have been {betrayed|watched}}',
    body: `
      {I {am|feel} {very |}sorry for you|Read {this |}carefully and tell {nobody|no one}}. {Someone you {call|think is} {a |your }friend {has |}paid {me|us} {to {harm|end} you|<round> for {your life|an attack}}|I received an order {against|with your address on} {you|it}}{ and {my {boys|men}|I} {have been|were} {following|watching} you{ for {days|a week}|}|}.
      {I {decided|choose} to {give you a chance|contact you first} because {I think you are innocent|I pity you}. {Pay|Send} <round> {in bitcoin |}{to <wallet> |}and {I{\'|’}ll|I will} {cancel|tell you who} {it|sent me}.|Do you want to {live|pay}? {You need|It costs} <round>{: <wallet>|, half now}.}
      ? {Do not {contact|tell} the police{ or {any|your} {relative|friend}|}: {I will know|you are watched}.|You have {24|36|48} hours.}
      {Reply {now|now if you are ready}|Wait for my instructions}: <mail>
    `,
  }),
  scam('timber-gold-trade', {
    from: 'free {<name>|{Export|Sales} <name>|<company>}',
    replyTo: 'free',
    many: true,
    subject:
      '{{Gold|AU gold} {dust|bars} for sale|{Crude oil|Jet fuel|Diesel EN590} {offer|seller}|{Urgent|Government} {supply|tender} {contract|request}|{Iron scrap|Sugar|Urea} {supplier|available}}',
    body: `
      {Dear {buyer|sir|partner}|Good day}{,|}
      {We {have|sell} <n 50-900> {kg of {gold dust|gold bars} {22 carat|of 96% purity}|thousand barrels of {diesel EN590|jet fuel}} {ready |}for {sale|export} {from|in} {<city>|Ghana|Rotterdam tanks} {below|at a discount to} {market|LME} price.|{The ministry|Our government} {needs|wants} to {purchase|buy} {your|the} products {for|worth} <million>{. {I can|My position allows me to} {secure|win} the contract for {you|your company}|}.}
      ~ {{We|Sellers} need {a serious|a reliable} {buyer|partner} {who can {pay|cover} {the |}{export|insurance} {tax|papers}|with soft probe}|You {will|only need to} {register|pay} the {tender|vendor} fee {of <round>|}, and we share the {profit|commission}}.
      ~ ? {Samples {can be|are} inspected {here|in our refinery}.|FOB or CIF, {SGS|Q&Q} {report|certificate} available.}
      {Send your {LOI|ICPO|offer}|Contact us} {to|at} <mail>{ or {WhatsApp|call} <chat>|}.<br>{<name><br>{Mandate|Managing Director}|<name>}
    `,
  }),
  scam('stranded-friend', {
    from: 'free',
    looks: ['plain'],
    replyTo: 'free',
    subject:
      '{{Help|HELP}{ needed|!|}|{Terrible|Sad} {trip|news}|{Favor|Emergency}|<name>|Sorry to {bother|trouble} you|Are you {online|there}?}',
    body: `
      {Hi|Hello|Good morning}{ <to>|}{,|.} {I hope you get this {on time|in time}|Sorry to {bother|reach out} you like this|How are you doing?}
      {I{\'|’}m {writing this with tears|stuck} in <city>: {I was|my family and I were} {mugged|robbed} {at gunpoint |last night |}{near|outside} {the|our} hotel{, {all cash, cards and phone|my wallet and phone} {were|are} gone|}.|I {need|want} to {get|buy} {a|an Apple|a Google Play} gift card for my {niece|nephew|friend{\'|’}s daughter} who {is {down with|fighting} cancer|has her birthday today}, but {I can{\'|’}t do it {now|because I{\'|’}m travelling}|the shops near me have run out}.|{Do|Can} you {shop|order} {on|from} Amazon?}
      {{Can|Could} you {lend|loan} me {<round>|some money}{ {until|till} I{\'|’}m back|}? {The flight leaves {soon|in hours} and|} the hotel {won{\'|’}t let us leave|needs to be paid}.|{Can|Could} you {get it|help} {from {any|a} store {around|near} you|}? I{\'|’}ll {pay|refund} you {back |}{as soon as {I{\'|’}m|I am} {back|home}|next week}.}
      ? {The police and embassy {have not been|are not} helping.|My phone is {broken|gone}, email is the only way to reach me.|Western Union {is|would be} {fastest|best}.}
      {Let me know|Thanks|Waiting}{,|.}<br><first>
    `,
  }),
  scam('old-nigerian-caps', {
    from: 'free {{MR|MRS|DR|CHIEF}. <name>|DR. <name>}',
    replyTo: 'free',
    looks: ['plain'],
    many: true,
    subject:
      '{URGENT {BUSINESS PROPOSAL|ASSISTANCE|REPLY NEEDED}|STRICTLY CONFIDENTIAL|REQUEST FOR {URGENT BUSINESS RELATIONSHIP|ASSISTANCE}|FROM {MR|DR}. <last>|TRUST AND CONFIDENTIALITY|INVESTMENT OF <million>}',
    body: `
      {ATTN: THE {PRESIDENT/CEO|MANAGING DIRECTOR}|DEAR {SIR|FRIEND},}
      {FIRST, I MUST SOLICIT YOUR STRICTEST CONFIDENTIALITY IN THIS TRANSACTION. THIS IS BY VIRTUE OF ITS NATURE AS BEING UTTERLY CONFIDENTIAL AND TOP SECRET.|I KNOW THIS LETTER WILL COME TO YOU AS A SURPRISE, AS WE HAVE NOT MET BEFORE. I GOT YOUR CONTACT FROM {THE CHAMBER OF COMMERCE|A BUSINESS DIRECTORY}.}
      {I AM {THE SON OF THE LATE GENERAL|A TOP OFFICIAL OF THE CONTRACT REVIEW PANEL WHO ARE INTERESTED IN IMPORTATION OF GOODS INTO OUR COUNTRY WITH FUNDS WHICH ARE PRESENTLY TRAPPED|THE DIRECTOR IN THE {PETROLEUM|MINING} CORPORATION}. {THE SUM OF <million> {ARISING FROM AN OVER-INVOICED CONTRACT|WAS DEPOSITED WITH A SECURITY COMPANY}{ AND IS READY TO BE MOVED|}.|WE WISH TO TRANSFER <million> INTO YOUR ACCOUNT.}}
      ~ {WE HAVE AGREED TO SHARE THE MONEY THUS: {1. 20|25}% FOR {THE ACCOUNT OWNER|YOU}, 70% FOR US, {5|10}% FOR EXPENSES.}
      ~ ? {AS CIVIL SERVANTS WE CANNOT OPERATE FOREIGN ACCOUNTS.|PLEASE NOTE THAT THIS TRANSACTION IS 100% SAFE AND WE HOPE TO COMMENCE THE TRANSFER LATEST SEVEN BANKING DAYS.}
      {SEND YOUR {PRIVATE TELEPHONE AND FAX NUMBERS|BANK NAME AND ACCOUNT}|ACKNOWLEDGE RECEIPT OF THIS LETTER} {THROUGH|BY} {THE ABOVE EMAIL|<mail>}.
      YOURS FAITHFULLY,<br>{DR|MR|CHIEF}. <name>
    `,
  }),
]
