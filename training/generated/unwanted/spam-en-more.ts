/** Spam in English, continued: what companies nobody asked write to companies. */
import type { Template } from '../template.js'
import { templatesIn } from './draft.js'

const { spam } = templatesIn('en')

export const spamEnglishMore: Template[] = [
  spam('seo-pitch', {
    from: 'free {<name>|<name> - SEO {Expert|Consultant}|<first> (Digital Marketing)}',
    looks: ['plain', 'plain', 'letter'],
    subject:
      '{Re: |}{{SEO|Website} {proposal|audit report|errors}{ for <domain>|}|{1st|First} page {of|on} Google|Rank {#1|higher}{ <domain>|}|{Affordable|Guaranteed} SEO {packages|services}|{Question|Issue} {about|with} your {website|site}}',
    body: `
      {Hi|Hello|Dear} {{business|site|website} owner|<domain> team|there|Sir/Madam},
      {{I was {surfing|browsing} online and came across|I just visited} your {website|site} {<domain> |}and {noticed|found} {some {technical |}errors|that it is not ranking on {any|the first} page of {the major search engines|Google}}.|{We are|I represent} {a leading|an India based|an offshore} SEO company {with|having} <n 5-15>+ years of experience{ and <n 40-300> experts|}.|{Would you like|Are you interested} to {be|get} {at the top|on the 1st page} of Google{?|, Yahoo and Bing?}}
      ~ {We can {place|put|rank} your {website|site} on Google{\'|’}s 1st page {in|within} <n 30-120> days. {No {contract|ranking, no payment}.|}|I can {send|share} {you |}{a {full |}{proposal|price list}|screenshots of the errors|our packages} {free of cost|if you are interested}.}
      ~ ? {- {On page|Technical} audit<br>- <n 50-300> {backlinks|directory submissions} {a month|monthly}<br>- {Weekly|Monthly} report{s|}|Packages start {at|from} $<n 49-499> per month.}
      {{May|Can|Shall} I send {you |}{a quote|the price|more details}?|{Please |}{share|send} your {phone number|target keywords} {and {a good|best} time to call|}.|Reply "{YES|Interested}" {for details|to get the audit}.}
      {Kind regards|Thanks|Best},<br><name>{<br>{Business Development|Online Marketing} {Manager|Executive}|}
      ? % {If you {don{\'|’}t want|do not wish} {to hear from|any more emails from} {me|us}, reply "{unsubscribe|no}".|PS: I am not spamming, I studied your website.}
    `,
  }),
  spam('guest-post', {
    from: 'free',
    looks: ['plain'],
    subject:
      '{{Guest|Sponsored} {post|article}{ on <domain>| opportunity|}|{Link|Collaboration} {insertion|inquiry|request}|{Article|Content} for {your {site|blog}|<domain>}|{High DA|Dofollow} {backlinks|sites list}|Re: {guest post|my email}}',
    body: `
      {Hi|Hello|Hey} {there|<to>|team|admin},
      {{I hope {you are|this finds you} well.|Hope you{\'|’}re doing great!|} I {want|would like} to {publish|contribute} a {guest|sponsored} {post|article} on {your {site|blog}|<domain>}{ with a do-follow link|}.|I have {a list of|access to} <n 200-5000> {high DA|quality|real traffic} {sites|blogs} for guest posts and link {insertion|placement}. {DA <n 30-60>+, {prices from|starting at} $<n 10-90>.|}|Do you accept {casino, CBD and crypto|sponsored} {posts|links}{ on <domain>|}?}
      ~ ? {What is your {best |lowest |}price{ for permanent do-follow|}? We {can pay|pay} {via|by} {PayPal|Payoneer}{ within 24 hours|}.|{Content|The article} will be {100% |}unique and {relevant|Copyscape passed}.}
      ~ ? {We can do {long-term|bulk} business.|Shall I {send|share} {topics|the sheet}?}
      {Waiting for your {kind |positive |}reply|Let me know|Looking forward}{.|!|}<br>{Regards|Thanks|Best}, <first>
      ? {Just following up on {the|my} {previous |}email.|Sorry if you {received|got} this twice.}
    `,
  }),
  spam('web-design-apps', {
    from: 'free {<name>|<name> | Web {Developer|Designer}|<company>}',
    looks: ['plain', 'plain', 'letter'],
    subject:
      '{{Website|App} {design|development|redesign}{ {services|quote}|}|{Do you need|Need} a {new |}{website|mobile app}?|{Redesign|Upgrade} {your {site|website}|<domain>}|{Explainer|Product} video{s|} {from|for} $<n 49-299>|{Hire|Dedicated} {developers|virtual assistants} ${<n 5-15>/hr|<n 5-15> an hour}}',
    body: `
      {Hello|Hi|Dear} {sir|owner|there|<to>},
      {{I{\'|’}m {a web designer|an app developer}|We are a {web|software} {agency|company}} {based in {India|Bangladesh|Pakistan}|with a team of <n 20-150>}{ and {can|we} {build|redesign|develop} {websites|apps|online stores} {at {an affordable|a low} price|in {WordPress, Shopify and PHP|iOS and Android}}|}.|{Are you looking|Do you plan} to {redesign|build|update} your {website|app}? {We do it for as little as $<n 99-799>.|}|{Your site|<domain>} looks {a bit |}{outdated|slow on phones}; {I|we} can {fix|modernise} it {cheaply|in {a|one} week}.}
      ? {We also {offer|provide} {logo design|hosting|digital marketing|data entry|video editing}.|Check our portfolio: <link>|{Our|Hourly} rates: $<n 5-20> {per hour|, no upfront cost}.}
      {{Let me know|Tell me} {your requirements|if you are interested|when we can talk}|{Can|May} I {send|share} {a quote|examples|our portfolio}}{.|?|}
      {Thanks|Regards},<br><name>{<br>{Business|Sales} {Consultant|Manager}|}
    `,
  }),
  spam('lead-lists', {
    from: 'firm {<name>|<name> - {Data|Events} Team}',
    looks: ['plain', 'letter'],
    many: true,
    subject:
      '{{<client> {Expo|Summit|Conference} <year>|Trade show} {attendee|visitor}{s|} list|{Email|Contact} {list|database} - {CFOs|dentists|IT managers|manufacturers}|{B2B|Verified} {leads|contacts}{ for <domain>|}|{Users|Customers} of {<client>|SAP|Salesforce}: list|Re: {attendees|counts and pricing}}',
    body: `
      {Hi|Hello|Good day}{ <to>|},
      {{Would you be interested|Are you interested} in {acquiring|purchasing|buying} the {attendee|visitor|registrant}s{\'|} {email |}list of <client> {Expo|Summit} <year>?|We {have|maintain} {an up-to-date|a verified} database of {decision makers|<n 5-90>,000 {dentists|CFOs|HR heads|construction companies}}{ {in the USA|worldwide}|}.|I wanted to check if you would like {qualified|} leads {from|of} companies using {SAP|Oracle|<client>}.}
      ~ ? {{Each record|List} {contains|includes}: {company, contact|contact} name, title, phone, {verified email|email}, {website|revenue}.|Attendees count: <n 2-40>,<n 100-999>. {Cost|Price}: $<n 399-1999>.}
      {{Let me know|Advise|Tell me} your target {industry|audience|titles} {and geography |}{so I can send {counts|a sample}|for {pricing|counts}}.|{Shall|May} I send {the cost|pricing and counts}?}
      {Best|Regards|Kind regards},<br><name><br>{{Demand Generation|Marketing|Trade Show} {Specialist|Coordinator}|<company>}
      ? % {To opt out|If not interested}, {reply|type} "{Leave out|Opt out|Remove}"{ in the subject|}.
    `,
  }),
  spam('factory-wholesale', {
    from: 'free {<name>|{Sales|Export} <name>|<company>}',
    looks: ['plain', 'letter'],
    many: true,
    attach: '{Catalog_<year>.pdf|Price list.docx|quotation.pdf}',
    subject:
      '{{LED {lights|display}|Packaging|{Printing|CNC} {machine|parts}|Face mask|Solar panel|Furniture|Plastic mould} {manufacturer|supplier|factory price}{ from China|}|{Dear|To} purchasing manager|{Cooperation|New product} {inquiry|offer}|{Factory|Direct} {price|supply}: {boxes|valves|bags|toys}|Re: {quotation|sample}}',
    body: `
      {Dear {purchasing manager|Sir/Madam|friend|manager}|Hello|Good day}{,|!}
      {{Glad|Nice|Pleased} to {hear|know|learn} {that you{\'|’}re|you are} {on the market for|in the business of} {LED lights|packaging boxes|machine parts|furniture|valves}.|This is <name> from <company>, a {professional|leading} {manufacturer|factory} {of|for} {LED displays|paper bags|injection moulds|hardware|textiles|solar {lights|panels}} {in {China|Shenzhen|Ningbo}|with {<n 8-25>|more than <n 8-25>} years{\'|} experience}.|We {supply|export} {good quality|} {stainless steel parts|printing products|LED strips|phone cases} {with|at} {competitive|very good|factory} price{s|}.}
      ~ ? - {MOQ|Minimum order}: <n 50-1000> pcs<br>- {Lead time|Delivery}: <n 7-35> days<br>- {CE, RoHS|ISO9001} {certified|approved}
      ~ ? {{Free|} samples {can be sent|are available} for {your |}{evaluation|checking}.|OEM and ODM are welcome.|Our products are sold to {Europe|USA} and <n 20-60> countries.}
      {{Should you have|If you have} any {questions|demand|interest}, {please |pls }{feel free to |}{contact me|let me know}.|{Can|May} I send {you |}{our|the} {catalog|price list}{ for your {reference|review}|}?|Looking forward to your {early reply|inquiry}.}
      {Best regards|B.rgds|Thanks & regards},<br><name><br>{{Sales|Export} {Manager|Department}|<company>}{<br>{WhatsApp|Tel|Mob}: <chat>|}
    `,
  }),
  spam('predatory-journal', {
    from: 'odd {{Editorial|Journal} Office|Editor, {Int. |}Journal of <word> {Science|Research}|Dr. <name>}',
    looks: ['plain', 'letter', 'card'],
    many: true,
    subject:
      '{{Call for papers|Submit your {manuscript|paper}|Invitation}: {International |}Journal of {Advanced|Applied} {Medicine|Engineering|Science}|{Dear|Greetings} {Dr.|Prof.} <tolast>{: {awaiting|invitation}|}|{Join|Be} our editorial board|{Fast|Rapid} publication, {low fee|Vol. <n 3-40>}|{Speaker|Keynote} invitation: <city> <year>}',
    body: `
      {Dear {Dr.|Prof.|Colleague|Researcher} {<tolast>|}|Greetings {of the day|from the editorial office}}{,|!}
      {{We have {gone|come} {through|across}|Having read} your {eminent|valuable|esteemed} {article|work|contribution} {and|we} {cordially |}invite you to {submit|contribute} {a {paper|manuscript}|your {upcoming|next} research} {to|for} {our journal|the upcoming issue}{ by <soon>|}.|It is our {great |}pleasure to {invite|welcome} you {as a {speaker|keynote speaker} at|to} the <n 2-19>th {World Congress|Global Summit} on {Nursing|Oncology|Materials|AI} in <city>.|We {kindly |}invite you to join the editorial board of our {peer-reviewed|open access} journal.}
      ~ ? - {Peer review|Acceptance} {within|in} <n 2-7> days<br>- {Indexed in|Impact factor} {Google Scholar|<n 1-6>.<n 1-9>}<br>- {Publication|Processing} fee: {only |}$<n 49-499>
      ~ ? {{Just|Even} {one|a 2 page} {short |}{article|opinion|mini review} {is sufficient|would do}{ to release the issue|}.|Early bird registration closes on <soon>.}
      @ {Submit {online|manuscript|paper}|Register {now|here}|Visit journal}
      {With regards|Sincerely|Looking forward},<br>{<name>, {Managing Editor|Program Manager}|Editorial office}
      ? % {Not interested|To stop}? <a Unsubscribe>
    `,
  }),
  spam('business-funding', {
    from: 'odd {<name>|{Capital|Funding} {Desk|Team|Advisors}}',
    looks: ['plain', 'letter'],
    subject:
      '{{<domain>|Your business}: {approved|pre-qualified} for <sum>|{Working|Business} capital{ {today|for <domain>}|}|{Line of credit|Funding} {offer|file} <ref>|{Are you|Is <domain>} {still |}looking for {funding|capital}?}',
    body: `
      {Hi|Hello|Good morning} {<to>|there|business owner},
      {Your {business|file} {has been|was} {pre-approved|prequalified} for {up to |}<sum>{ in working capital|}.|{I|We} {have|am holding} <sum> {ready|set aside} for {your company|<domain>}{ with no {collateral|personal guarantee}|}.|We {fund|help} small businesses with {lines of credit|up to <million>} {in|within} <n 24-72> hours.}
      ? {No {hard credit pull|upfront fees}, {use it for anything|flexible terms}.|{This|The} {offer|approval} {expires|is valid until} <soon>.|All {we need|it takes} {is|are} {3|4} {months of |}bank statements.}
      {{Reply|Email me back} with {your {cell|best number}|"yes"}|Call {me|us} {at|on}: <phone>|Apply: <link>}
      {Best|Thanks},<br><name>{<br>{Funding|Senior} {Specialist|Advisor}|}
      ? % Reply {stop|"remove"} to opt out.
    `,
  }),
  spam('social-followers', {
    from: 'odd {<first>|{Followers|Reviews} {Shop|Boost}|<name>}',
    subject:
      '{{Buy|Get} <n 1-90>,000 {followers|likes|views}|{Google|Trustpilot} reviews {from|for} $<n 2-9>|{Grow|Boost} your {Instagram|YouTube|Telegram}{ fast|}|{Real|Cheap} {traffic|visitors} {for <domain>|}}',
    body: `
      {{Get|Buy} {real|active|cheap} {followers|subscribers|likes}{ on {Instagram, TikTok and YouTube|all networks}|}{: {from|only} $<n 1-19> {for|per} 1000|}.|We {post|deliver} {5-star|positive} {Google|Trustpilot|Amazon} reviews {for {your business|<domain>}|from aged accounts}{, {remove|delete} bad ones too|}.|{Need|Want} {traffic|visitors}? <n 10-500>,000 {targeted |}visits for $<n 10-99>.}
      ? {Instant {start|delivery}|No password needed|24/7 support}{, {refill|money-back} guarantee|}.
      {@ {Order|Start} now|Telegram: @<tag><n 10-99>|WhatsApp <chat>|@ See {prices|packages}}
      ? % <a unsubscribe>
    `,
  }),
  spam('bulk-mailer', {
    from: 'odd {<name>|SMTP {Store|Shop}|Bulk {Mail|Email} <first>}',
    looks: ['plain'],
    many: true,
    noisy: true,
    subject:
      '{{Bulk|Mass} {email|mail} {service|software|marketing}|{Reach|Advertise to} {millions|<n 5-90> million}{ of customers|}|{Send|Blast} your {ad|message}|{Targeted|Fresh} {email |}{lists|addresses}}',
    body: `
      {{Advertise|Promote} your {website|business} to {millions of {people|customers}|<n 5-90> million opt-in addresses}{ {for|at} {only |}$<n 29-299>|}{!|.}|We {offer|rent} {bulletproof|offshore} {hosting|servers|SMTP} {and {inbox|bulk} mailing|with unlimited sending}.|{CD|Download} with <n 10-200> million {email addresses|emails} {sorted by {country|state}|+ free mailer}{: $<n 49-199>|}.}
      ? {Your competitors {already |}do it.|{High|Unlimited} {delivery|inbox} rate, free {setup|test}.}
      {{Order|Contact|Reply}{ now|}: <mail>|Call <phone>|Telegram @<tag><n 10-99>}
      ? % {To be {removed|taken off}|Remove}: {reply|mail} with "{remove|off}" {in the subject|}. {This mailing complies with all laws.|}
    `,
  }),
  spam('gadget-offer', {
    from: 'odd {{Smart|Tech|Daily} {Gadgets|Trends|Finds}|<name>}',
    looks: ['card', 'letter', 'image', 'plain'],
    subject:
      '{{This|New} {{$<n 29-59>|tiny} {gadget|drone|heater|dash cam|cooler|watch}} {is selling {out|fast}|{everyone|Germany} {wants|loves}}|{Cut|Slash} your {power|heating} bill{ by <n 40-90>%|}|{Military|Tactical} {flashlight|pen} free|Never {pay for|miss} {TV|a photo} again|{WiFi|Cable} companies hate this}',
    body: `
      {# {Everyone is talking about this|<n 50-75>% off today}|{Two|<n 2-4>} {engineers|students} {invented|built} {a|this} {gadget|device}...}
      {This {little|genius} {device|gadget|plug} {cuts {electricity bills|heating costs}|cools any room|boosts WiFi|cleans your home|films in 4K} {in {seconds|minutes}|by <n 30-90>%}{ and {big {energy|cable} companies|they} are furious|}.|{Don{\'|’}t|Never} {overpay|waste money} {again|on brand names}: {the|our} <client>{Watch|Cam|Heat|Cool} does {the same|more} for $<n 29-79>.}
      ? {Selling out: only <n 9-99> left.|Over <n 20-900>,000 {sold|happy customers}.|{Ships free|Buy 2, get 1 free}, {today only|while stock lasts}.}
      @ {{Get|Grab} {yours|<n 50-75>% off}{ now|}|{Check|See} {availability|how it works}|Learn more}
      % {This is an advertisement. |}<a Unsubscribe>{ <n 100-9999> {Park Ave|Hill Rd}, <city>|}
    `,
  }),
  spam('merchant-services', {
    from: 'firm',
    looks: ['plain', 'letter'],
    subject:
      '{{Office|Commercial} {cleaning|coffee|printer} {quote|service}{ for <domain>|}|{Lower|Cut} your card processing fees|{Payroll|VoIP|Fleet} {savings|demo}|Quick {question|intro}, <to>}',
    body: `
      {Hi|Hello} <to>,
      {I {tried|called} {to reach you|your office} {last week|earlier} {about|regarding} your {card processing|phone system|cleaning contract|energy rates}.|Companies like {<client>|yours} {save|saved} <n 15-45>% {a year|annually} {with|after switching to} us{ and I thought of <domain>|}.|Who {is the right person|handles} {to talk to about|} {merchant services|office supplies|payroll}{ at <domain>|}?}
      ? {Do you have <n 10-20> minutes {on <day>|this week} for a {call|demo}?|I will {send|give} you a $<n 50-200> gift card for your time.|No {contracts|obligation}, free {statement analysis|trial}.}
      {Best|Cheers|Thanks},<br><first><br><company>
      ? % P.S. {Not the right person?|If you{\'|’}re busy,} {just reply "no"|let me know who is}. {I{\'|’}ll try again next week.|}
    `,
  }),
  spam('tour-rental-offer', {
    from: 'odd {{Luxury|Cheap} {Travel|Cruises|Timeshare}|<name>|Vacation Desk}',
    subject:
      "{{You|<local>}: {<n 3-7> nights free|free cruise}|{Cancel|Exit} your timeshare|{Cheap|Last minute} {flights|resorts} <n 50-90>% off|You{'|’}ve been {selected|awarded}: {vacation|cruise} for two}",
    body: `
      {You have been {selected|awarded} {a free |}<n 3-7> {night|day} {cruise|resort stay} {for two|to {the Bahamas|Cancun|Orlando}}! {Pay only the taxes of <price>.|Just attend a short presentation.|}|{Stuck in|Tired of} {a timeshare|maintenance fees}? {We {cancel|get you out} {legally|guaranteed}.|Free consultation.}|{Unsold|Last minute} {rooms|cabins|seats} up to <n 50-90>% off{, {today|this week} only|}.}
      @ {Claim {my trip|vacation}|See {deals|dates}|Free consultation|Book {now|here}}
      ? Call <phone>{ {24/7|before <soon>}|}.
      % <a Unsubscribe>
    `,
  }),
  spam('cbd-crypto-casino-followup', {
    from: 'odd',
    lower: true,
    looks: ['plain'],
    subject: '{re: |fwd: }{your {order|bonus|request}|{last|final} {reminder|call}|{hey|hi} <local>|<code>}',
    body: `
      {hi <local>,|hello again,|}
      {{still|are you still} {interested|waiting}? {your|the} {<n 20-200> free spins|cbd sample|airdrop of <n 50-900> tokens|discount} {expires|ends} {today|<soon>}|we {saved|kept} {it|your spot} for you|{did you see|check} this {yet|already}?}{.|!|..}
      <link>
      ? {code|use}: <code>
      ? <tag>
    `,
  }),
]
