/** Spam in English: pills, games and goods. */
import type { Template } from '../template.js'
import { templatesIn } from './draft.js'

const { spam } = templatesIn('en')

export const spamEnglish: Template[] = [
  spam('pharmacy', {
    from: 'odd {{Canadian|Online|Express} {Pharmacy|Drugstore|Meds}|<name>|Rx <first>|}',
    noisy: true,
    looks: ['plain', 'letter', 'image', 'card'],
    subject:
      '{{^Viagra^|^Cialis^|^Pills^} {from|for} {$<n 0-2>.<n 10-99>|less}|{Save|<n 60-85>% off} {on |}{your |}^meds^|{User|Dear} <local> {<n 60-85>% OFF|sale} on ^pharmacy^|{No {prescription|^prescription^} {needed|required}|Meds without a doctor}|{Re|Fw}: your {order|refill}}',
    body: `
      {# Canadian ^Pharmacy^|{Quality|Best} ^medications^ at {the lowest|half} prices|Hello, {we ship|get} ^meds^ {worldwide|without leaving home}}
      * ^Viagra^: $<n 1-2>.<n 10-99> {per pill|/ dose}
      * ^Cialis^: $<n 1-3>.<n 10-99>
      ? * ^Levitra^: $<n 2-3>.<n 10-99>
      ? * ^Xanax^: $<n 2-4>.<n 10-99>
      ? {{Free|Fast} {bonus pills|shipping} {with {every|each} order|over $200}.|No {^prescription^|doctor} {required|visit}, {discreet|plain} packaging.|{FDA approved|Certified} {generics|quality}, {Visa|Mastercard} accepted.}
      @ {Order now|Visit our store|Click here|Buy ^pills^ {online|today}}
    `,
  }),
  spam('male-enhancement', {
    from: 'odd',
    noisy: true,
    subject:
      '{{Gain|Add} {inches|up to <n 2-4> inches}|{She|Your {wife|girlfriend}} will {love|thank} you|{Be|Become} {a real man|bigger} {tonight|in weeks}|^Enlarge^ {it |}{naturally|now}|{Last|Perform} longer {in bed|tonight}}',
    body: `
      {{Do you want|Want} {a bigger|to ^enlarge^ your} ^{manhood|penis|size}^?|{Women|Girls} {say|admit} size {matters|does matter}.|{Don{\'|’}t|Never} {disappoint|let down} {her|your lover} again.}
      {{Our|The {new|herbal}} {patch|formula|capsules} {gives|adds} you {<n 1-3>-<n 4-5> inches|rock hard ^erections^} {in {weeks|just {30|60} days}|guaranteed}.|{Doctor|Clinically} {approved|tested}, {100% natural|no side effects}{, money back|}.}
      @ {Try it {free|now}|See {results|how}|http://<word><word2>.example/}
      ? % <a no more>
    `,
  }),
  spam('replica-watches', {
    from: 'odd {<name>|{Luxury|Prestige} {Watches|Replicas}|}',
    subject:
      '{{Rolex|Omega|Luxury} {^replica^|watches} {from|at} $<n 99-249>|{Exquisite|Perfect} ^replica^ {watches|bags}|{Swiss|Designer} watches {sale|<n 50-80>% off}|Why pay {thousands|more}?}',
    body: `
      {{Exact|Perfect|High quality} {^replicas^|copies} of {Rolex, Cartier and Omega|luxury watches, bags and pens}{ at {a fraction of the price|$<n 120-290>}|}.|Look {rich|like a million} without {spending|paying} {it|thousands}!|{Nobody|Even jewellers} can{\'|’}t tell the difference.}
      ~ ? - {All|Over <n 200-900>} {brands and |}models {in stock|available}
      ~ ? - {Same weight|Water resistant|Swiss movement}{ as the original|}
      ~ ? - {Free|Worldwide} shipping{, gift box included|}
      @ {Browse the {shop|collection}|Shop {now|watches}|See the catalogue}
      ? <noise>
    `,
  }),
  spam('casino-bonus', {
    from: 'odd {<brand>|<brand> {VIP|Casino|Bonus}|Lucky <first>}',
    brands: ['Spin Harbour', 'Royal Vegas Club', 'LuckyLorne', 'Golden Reef', 'JackpotJoy Palace', 'NeonBet'],
    subject:
      '{{<n 50-250>|100} free spins {waiting|inside}{!| 🎰|}|{Claim|Get} your {$|€}<n 300-2500> {welcome |}bonus|<to>, {your|the} {VIP |}bonus {expires|is waiting}|{No deposit|Exclusive} {bonus|offer} {today|just for you}|<brand>: {your account was credited|win big}}',
    body: `
      # {Welcome {bonus|package}|<n 100-400>% {match|bonus}|JACKPOT {TIME|ALERT}}
      {{Hi|Hello|Dear} {player|<to>|winner}, |}{we{\'|’}ve {added|credited} <n 20-200> free spins {to|for} {you|your account}|{register|sign up} {today|now} and {get|grab} up to <round> {+|plus} <n 50-250> free spins|the {biggest|best} {slots|online casino} {pay out|is waiting} {instantly|24/7}}{!|!!|.}
      ~ ? - {Instant|Fast} {withdrawals|payouts}{ in crypto|}
      ~ ? - {Over <n 1000-5000> {slots|games}|Live dealers|Sports betting}
      ~ ? - {No deposit {needed|required}|No wagering}
      @ {Play now|Claim bonus|Spin now|GET MY SPINS|Join}
      ? % {18+.|Terms apply.} You {receive|get} this because you {subscribed|opted in} {with|at} a partner. <a Unsubscribe>
    `,
  }),
  spam('adult-dating', {
    from: 'odd {<first>|<first> <n 19-39>|{Lonely|Hot} <first>|{Flirt|Hookup} {Alert|Finder}}',
    lower: false,
    subject:
      '{{hey|hi|Hello} {there|stranger|handsome|<local>}|<first> {sent|left} you a {private |}{photo|message}|{<n 2-9> {women|girls} near you|Local {singles|milfs} {want|waiting}}|{are you|R u} {free|bored} {tonight|2nite}?|{Hookup|Meet} {tonight|now}|you have a {secret|new} admirer}',
    body: `
      {{hey|hi|hello} {sweetie|babe|stranger|you}{,|...|!}|{You have|} <n 1-9> {new|unread} {messages|matches} {from {women|girls} {in your area|nearby}|}.|{i|I} {saw|found} {your {profile|email}|u} {online|on the site} {and {thought|think} {you\'re|ur} {cute|hot}|}{.|:)}}
      {{i\'m|I{\'|’}m} <first>, <n 19-39>, {new in town|just {divorced|moved here}|looking for {fun|no strings}}{ {;)|😘|xx}|}.|{Lonely|Naughty|Beautiful} {housewives|women|singles} {are looking|want to meet} {for {sex|a discreet affair}|you {tonight|now}}.|{no|No} {dating|games}, {just|only} {fun|^sex^} {tonight|2nite}.}
      {@ {See my {pics|photos}|View {profile|messages}|chat with me|Meet {her|them} {now|}|my page}|{write|msg} me {here|}: <mail>|{my {pics|private page} {are |is |}here|check}: <link>}
      ? % {18+ only.|Not interested? <a opt out>}
    `,
  }),
  spam('weight-loss', {
    from: 'odd {{Keto|Slim|Health} {News|Today|Tips|Reviews}|Dr. <name>|<name>}',
    noisy: false,
    subject:
      "{{Lose|Drop} <n 12-49> {lbs|pounds} in <n 2-6> weeks|{1|This} {weird|simple|odd} {trick|drink|hack} {melts|burns} {belly |}fat|{Doctors|Scientists} {are stunned|hate this}|{Shark Tank|TV}{'|’}s biggest {deal|pill}|{Say goodbye|No more} {to |}{belly fat|diets}}",
    body: `
      {# {Melt fat|Lose <n 15-45> lbs} {fast|without {diet|exercise}}|{She|This mom} lost <n 20-70> {lbs|pounds} {with|using} {one|this} {simple|} {trick|drink} {before bed|every morning}.}
      {{Scientists|Harvard researchers|Doctors} {discovered|found} {a|the} {strange|tropical|Japanese} {ingredient|root|tonic} that {melts|burns|flushes} {stubborn |}{fat|belly fat} {even {while|when} you sleep|in {days|<n 7-21> days}}.|{Keto|Slim|CBD} gummies {force|put} your body {to burn|into} {fat for energy|ketosis}{. No {diet|gym}, no {pills|sweat}|}.}
      ? {{Big Pharma|The diet industry} {wants|is trying to} {this {gone|banned}|shut it down}.|{As seen on|Featured on} {CNN, FOX and NBC|TV}.|Only <n 20-190> {free |trial |}bottles left{!|.}}
      @ {Watch the {video|short presentation}|{See|Try} {how|it} {here|now}|{Rush|Claim} my {free |}bottle|Learn the trick}
      ? % {Ad|Advertisement}. {PO Box <n 100-9999>, <city>.|} <a Unsubscribe {here|now}>
    `,
  }),
  spam('health-miracle', {
    from: 'odd {{Blood Sugar|Tinnitus|Vision|Prostate|Memory|Joint} {Report|Breakthrough|Tips}|{Dr|Dr.} <last>}',
    subject:
      "{{Diabetics|Seniors}: {eat|do|drink} this {before bed|daily}|{Ringing|Tinnitus}? {Do this|It{'|’}s not your ears}|{Restore|20/20} {hair|vision|hearing} {naturally|in {days|weeks}}|{If|Do} you {pee|wake up} at night{ read this|?|}|{Toenail fungus|Neuropathy}: {the real cause|gone}}",
    body: `
      {{Forget|Stop taking} {insulin|pills|eye drops|finger pricks}{!|:} {a {retired|small-town} {doctor|pharmacist}|this 1 {ritual|trick}} {reverses|ends|fixes} {type 2 diabetes|tinnitus|bald spots|nerve pain} {in|within} <n 9-28> days.|{This {ancient|<n 7-30>-second} {ritual|habit}|A {common|purple} {kitchen |}{spice|fruit}} {regrows hair|restores vision|unclogs arteries|rebuilds memory}{, {a study|new research} {shows|confirms}|}.}
      ? {Over <n 20-190>,000 {people|men and women} {already use|swear by} it.|{Your doctor|They} won{\'|’}t tell you{ about {this|it}|}.|{CBD|Full-spectrum hemp} {oil|gummies}: {pain|stress} relief without {THC|a prescription}.}
      @ {Watch {video|now}|See {the {trick|ritual}|how it works}|Read more|>> Click here}
      ? % This is an advertisement. <a Remove me> {| <a Report>|}
    `,
  }),
  spam('survey-reward', {
    from: 'odd {<brand>{ Rewards| Survey| Opinion|}|{Rewards|Prize} {Center|Department}|{Congrats|Winner}}',
    brands: ['Costco', 'Walmart', 'Home Depot', 'CVS', 'Harbor Freight', "Lowe's", 'Starbucks', 'Marketora'],
    looks: ['card', 'image', 'letter', 'plain'],
    subject:
      "{{Congratulations|CONGRATS}{!|, <local>!} You{'|’}ve {won|been {chosen|selected}}|{Your|You have (1)} <brand> {reward|gift card} {is {waiting|ready}|pending}|{Answer|Take} {our|this} {short |}survey and {get|win} {a|an} {Stanley cup|iPhone|Yeti cooler|<round> gift card|drill set}|{FINAL|2nd} {ATTEMPT|notice}: {<brand> |}{reward|prize}}",
    body: `
      # {You have been {selected|chosen}!|CONGRATULATIONS!|Get {a|your} <brand> {gift card|reward}}
      {{Dear {customer|shopper}|Hi <local>}, {you|your email} {have|has} been {chosen|selected} {to {participate in|take part in} our {loyalty|free} program|for an exclusive {reward|prize}}.|{Complete|Answer} {a|this} {30-second|short} {survey|marketing survey} about {your {experience|visit}|<brand>} {and|to} {receive|get} {a {brand new|free} {iPhone|Stanley tumbler|power station|air fryer}|<round>}.}
      ? It will {only |}take {you |}{less than|} {a minute|<n 20-60> seconds}{ to {receive|claim} {this|your} {fantastic|} prize|}.
      @ {Get started|START NOW|Claim {reward|now|prize}|OK, continue|Confirm now}
      ? {Only <n 1-9> {left|rewards remaining}!|This {offer|link} expires {today|<soon>|in 15 minutes}.}
      ? % {If you no longer wish to receive|To stop} these emails{, you may|:} <a unsubscribe> {or write to <n 100-9999> {Main St|Elm Ave}, <city>|}.
    `,
  }),
  spam('home-warranty-insurance', {
    from: 'odd {{Home|Auto} {Warranty|Insurance}{ Quotes| Deals|}|{Gutter|Walk-in {Tub|Shower}|Solar|Window} {Savings|Offers|Pros}|Medicare {Plans|Helpline}}',
    subject:
      '{{Homeowners|Seniors|Drivers}: {save|you may qualify for} <n 40-70>%{ off|}|{Never|Stop} pay{ing|} for {covered |}{home|car} repairs{ again|}|{Your|The} {vehicle|auto} warranty {is {expiring|about to expire}|notice}|{Solar|New windows|Walk-in tubs} for {$0 down|less}|{Compare|Lower} {life |car |}insurance {rates|from $<n 7-29>/mo}}',
    body: `
      {{New|Little known} {program|rebate|law} {helps|pays} {homeowners|drivers} {in your {area|state|zip code}|} {save|get} {up to |}{<round>|<n 30-70>%} {on {energy bills|repairs|coverage}|for going solar}.|{Don{\'|’}t|Never} {pay|get stuck} {for|with} {expensive|costly} {repairs|bills} again{: {cover|protect} {your {home|car}|everything} from $<n 1-2> a day|}.|{Your|Our records show your} {factory|auto} warranty {has expired|may be about to end}.}
      ~ ? - {Free {quote|month}|No obligation}
      ~ ? - {Takes|Answer <n 2-5> questions in} {60 seconds|a minute}
      @ {Get {free|my} quote|See if you qualify|Check {rates|eligibility}|Compare {now|plans}}
      % {This is an advertisement.|} {To {opt-out|be removed}|Unsubscribe}{:|} <a click here>{ | <n 100-9999> {Commerce Way|Lake Rd}, <city>|}
    `,
  }),
  spam('refinance-loans', {
    from: 'odd {<name>|{Mortgage|Lending|Credit} {Dept|Center|Advisor}|}',
    noisy: true,
    looks: ['plain', 'plain', 'letter'],
    subject:
      '{{^Refinance^|Mortgage} {rates|at} {<n 2-5>.<n 10-99>%|{lowest|all-time low}}|{Pre|You are} {approved|^approved^}{: <sum>|}|{Lower|Cut} your {payments|^debt^}|{Bad credit|No credit check} {ok|loans}|Re: application <ref>}',
    body: `
      {{Your|Dear homeowner, your} {application|refinance request} {has been|was} {^approved^|accepted}. {You {can|may} {get|borrow} up to <sum> {at|from} <n 2-5>.<n 10-99>%|Rate: <n 2-5>.<n 10-99>% fixed}.|{Our lenders|We} {compete|want} {to give you|for your} {the lowest rate|^loan^}{, regardless of {your |}^credit^|}.|{Eliminate|Cut} your credit card ^debt^ by {up to |}<n 40-70>%{ without {a loan|bankruptcy}|}.|{Need|Get} {cash|funds} {fast|today}? {$500|<round>} {in your account|deposited} {by tomorrow|in an hour}.}
      ? {{It takes|Only} {1 minute|a minute}{ to fill in our form|}.|{No|Zero} {obligation|upfront fees}, {bad credit|bankruptcy} {ok|is no problem}.|Funding up to <million> for your business{, unsecured|}.}
      @ {Apply {here|now}|Fill {in|out} the {short |}form|Get {my money|the rate}|Confirm details}
      {{Best regards|Sincerely},<br><name>{<br>Senior {Account Manager|Loan Officer}|}|% <a no thanks>}
    `,
  }),
  spam('stock-tip', {
    from: 'robbed',
    noisy: true,
    looks: ['plain', 'plain', 'image'],
    subject:
      '{{<code>|HOT STOCK}: {watch|buy} {it |}{Monday|now|today}|{This|Your} {stock|pick} {is {about to {explode|soar}|moving}|of the week}|{Insider|Breaking} {alert|news}|{trading|market} {alert|report}|{Huge|Massive} news {expected|out}}',
    body: `
      {<client> {Corp|Energy|Mining|Pharma|Gold}{.|} ({OTC|Symbol|PK}: <code>)|Symbol: <code><br>Company: <company>}
      * {Current price|Price}: $0.<n 10-99>
      * {Target|<n 5-10> day target|Short-term}: $<n 1-4>.<n 10-99>
      ? * {Rating|Recommendation}: {STRONG BUY|Aggressive buy|10/10}
      {{Big|Huge|Explosive} {news|PR campaign} {is {expected|coming} {this week|on {Monday|<day>}}|just released}{, {get in|buy} {early|before it does}|}.|This {one|little gem} {has {gone|risen} <n 40-300>% |could {double|triple} }{this week|in days}{, {and it is just starting|don{\'|’}t miss it}|}.|{Put|Add} <code> {on|to} your radar {now|first thing {Monday|tomorrow}}!}
      ? % {Information within this report contains forward looking statements.|This is not investment advice. The publisher was compensated.}
    `,
  }),
  spam('cheap-software', {
    from: 'odd {<name>|{OEM|Soft} {Store|Outlet|Depot}|}',
    noisy: true,
    subject:
      '{{Adobe|Windows|Office|AutoCAD} {for|from} $<n 19-99>|{OEM|Cheap} ^software^ {sale|<n 60-90>% off}|{Lifetime|Genuine} {license|key}{s|} {deal|cheap}|{Download|Instant} {software|^soft^}}',
    body: `
      {{All|Popular} {^software^|programs} {at|for} {wholesale|unbelievable} prices{!|.}|{Why|Don{\'|’}t} pay {full|retail} price?|{Genuine|OEM} {versions|keys}, {instant|immediate} download.}
      * Windows {XP|10|11} Pro: $<n 19-59>
      * Office {2003|2019|2021} {Pro|}: $<n 29-79>
      ? * Adobe {Photoshop CS|Acrobat|Creative Suite}: $<n 39-99>
      ? * AutoCAD <n 2004-2024>: $<n 49-149>
      @ {Shop now|Full list|See all {titles|<n 300-1500> programs}}
      ? {All languages: English, German, French, Spanish.|{Payment|Pay} by {card|PayPal}, delivery {within minutes|by email}.}
    `,
  }),
  spam('diploma', {
    from: 'odd',
    looks: ['plain'],
    noisy: true,
    subject:
      '{{University|College} {^diploma^|degree}{s|}|{Get|Earn} {a|your} {degree|^diploma^} {in {weeks|days}|now}|{Bachelor|MBA|PhD} without {study|exams}|{Better|New} {job|career}? Get a {degree|^diploma^}}',
    body: `
      {{Obtain|Get} {a {prosperous|better} future, money-earning power and {the admiration of all|respect}|the degree you deserve}{!|.}|No one is turned down. Confidentiality assured.}
      {^Diplomas^ {from|of} prestigious {non-accredited |}universities {based on your {present knowledge|life experience}|}. No {required|} {tests|exams}, classes, books or interviews.|{Bachelors|Bachelor{\'|’}s}, masters, MBA and doctorate (PhD) {available|in the field of your choice}{, {in|within} <n 2-4> weeks|}.}
      {CALL NOW {24 hours a day|}: <phone>|{Call|Leave} {us {now|}|your name and number}: <phone>{ (USA) <phone2>|}}
    `,
  }),
  spam('work-from-home', {
    from: 'odd {<name>|{Home|Online} {Income|Business}{ Club|}|}',
    many: true,
    subject:
      '{{Earn|Make} $<n 300-5000> {a {day|week}|{weekly|daily}} {from home|online}|{Fire|Quit} your {boss|job}|{How|The way} I {made|make} $<n 1000-9000> {last|every} {week|month}|{Be your own boss|Financial freedom}|{AI|Facebook|Amazon} {loophole|side hustle}}',
    body: `
      {{Would|How would} you like to|{You can|Learn how to}} {earn|make} {$<n 200-5000> {a week|per day}|a full-time income} {working {from home|part time}|with {just |}{your phone|<n 10-60> minutes a day}}{?|.}
      {{I was|Two years ago I was} {broke|in debt|driving a truck}. {Then|Now} I {found|discovered|make} {this {system|loophole}|more in a week than I did in a {month|year}}.|{No {selling|experience|boss}|It{\'|’}s {not MLM|100% legal|proven}}{, no {risk|special skills}|}{!|.}|{AI|Our system} does {all|<n 90-99>% of} the work.}
      ? {Only <n 9-40> {people|spots} {will be accepted|left}.|{As seen on|Featured in} {national TV|the news}.|{Stuff envelopes|Process orders|Post links}: {get paid|earn} {daily|$<n 5-25> each}.}
      {@ {Show me how|Get {started|access}|Free {info|training}|Watch video}|{Reply with|Send} {"INFO"|your name and phone} {to <mail>|for {details|the free report}}.}
      ? % {To be removed|Remove}: <a click>{. {This is not spam|We honour all removal requests}.|}
    `,
  }),
  spam('old-style-lower', {
    from: 'odd',
    lower: true,
    noisy: true,
    looks: ['plain'],
    subject:
      '{re: |fw: |}{{cheap|best} ^{meds|pills|vicodin|valium}^|<word> <word2>|^mortgage^ {rates|approved}|hot {teens|girls}|{your|the} {order|paypal}|{get|cable} tv {free|descrambler}|<tag>}',
    body: `
      {hello,|hi <local>|hey,|<word> <word2>}
      {{all|the} {best|top} ^{pills|meds|prescription drugs}^ {online|overnight}{, no doctor needed|}|{filter|free} {all |}cable {channels|ppv movies} {with|for} {this |}$<n 19-49>|your {home|house} {qualifies|is approved} for {a |}<n 3-4>.<n 10-99>% ^mortgage^|{want|need} {cheap|free} {printer ink|inkjet cartridges|cigarettes|long distance}? {save up to|up to} <n 60-90>%|{lose|shed} {pounds|weight} {fast|with hgh} {while you sleep|}}
      <link>
      ? {no more {ads|mails}|remove me|take me off}: <a here>
    `,
  }),
  spam('hash-buster-link', {
    from: 'robbed',
    noisy: true,
    looks: ['plain', 'letter', 'image'],
    subject: '{|<word>|<word> <word2>|{hi|hello|fyi|wow}|<tag>|re: <word>|{Amazing|Great} {deal|site}}',
    body: `
      {{Try|Check|Look at} {this|it}{!|...|:)}|{The|This} {best|real} {deal|thing} {ever|here}|<word> <word2> <word3>|{I|My friend} {lost|made} {<n 10-40> {lbs|kilos}|$<n 200-900> {today|last week}} {with this|here}|{Breaking|Oprah}: {see|it works}}
      <link>
      ? <tag> <word4>
    `,
  }),
  spam('image-only', {
    from: 'odd {<name>|{Special|Daily} {Offer|Deals}|Newsletter <word>}',
    looks: ['image'],
    subject:
      "{{Last|Final} {chance|hours}|{Special|Exclusive} {offer|price} {for <local>|inside}|<n 50-90>% {off|discount} {today|only}|Don{'|’}t miss {it|this}|{Can't|Can you} see {it|the picture}?}",
    body: `
      ? {Can{\'|’}t see {the image|this email}? <a Click here>|{Having trouble|Images not showing}? <a View online>}
      ? {Limited time|Today only|<n 50-90>% off}
      % {If you {prefer|wish} not to {get|receive} {these|future} {mails|offers}|To stop}, <a click here>. {<n 100-9999> {Market|Oak} St, <city>|}
      ? <noise>
    `,
  }),
]
