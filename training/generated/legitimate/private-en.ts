/** Private mail in English, with many words that spam uses as well. */
import { mails } from './mails.js'

export const privateEn = mails(`
### private/en/short-answer casual
Subject: Re: [tonight|dinner|keys|{weekday}|the thing|pick up|lift?|ok?]

[ok|Ok|sure|yes|yep|great|perfect|fine by me|no problem|will do|sounds good|lovely][, thanks|, thank you| thx|!|.|] [See you at {time}.|see you {weekday}|bring {bob}|can't talk now, later|call me when you're there|I'll be {5-25} min late|don't wait for me|key is under the pot|tell {ann} too|back around {time}|got it|love you|]

### private/en/family client casual
Subject: [Photos from {weekday}|Mum's birthday|Christmas this year|Sunday?|how are you all?]
Attach: [|IMG_{num:1000-9999}.jpg;IMG_{num:1000-9999}.jpg]

{hi}

[Thanks for the lovely weekend! The kids still talk about the boat.|How are you all? We haven't heard from you in ages.|Have you thought about what to get Mum? I was thinking of a voucher for that garden place.]

% ? [{bob} has a new job, he starts on {dateSoon}. Says the pay is a bit better and the commute a lot worse.|{ann} lost another tooth and is very proud of it.|Dad's knee is better, he's allowed to drive again.]

% ? [We could do Sunday lunch at ours. I'd make the lamb.|If we share a house at the coast it's about {amount:90-200} each for the week. Tell me by {weekday} as I need to pay the deposit.]

[Lots of love|Hugs to everyone|xx|Big kiss],
{me}

### private/en/money-friends casual
Subject: [money for the cottage|I owe you|tickets|Re: dinner|settling up]

[Hey {you}|{you}|Hi], [I still owe you {amount:12-90} for the tickets, what's your account again?|could you send me your {amount:20-120} share for the cottage when you get a chance? No rush.|can I pay you back after the {20-30}th? Payday and all that.|transferred {amount:15-90} just now, tell me when it's there.]

[{bob} has already paid, {ann} hasn't.|It was {amount:200-500} all together, divided by {3-6}.|Same account as last time: {iban}|Cash is fine too.]

[Thanks!|Cheers|x] {me}

### private/en/landlord
Subject: [Your flat at {street}|Rent from {month}|Meter reading|Plumber on {weekday}]

Dear {you},

[The plumber will come on {weekday} between {8-11} and {12-14} to look at the boiler.|As announced, the rent will be {amount:600-900} from {dateLater}; the reasons are in the letter I put in your postbox.|Could you read the water meter for me and send a photo before {dateSoon}?|I'm happy to return your deposit of {amount:700-1800}; please tell me which account it should go to.]

[Someone needs to be there to let him in.|If the time doesn't suit you, tell me and I'll ask for another.|The new tenants would like to measure the kitchen, is {weekday} evening alright?]

Best wishes,
{meFull}

### private/en/neighbours
Subject: [Parcel for you|Noise on Saturday|Cat?|Street party {dateLater}|bins]
To: 1-9

[Dear neighbours|Hi {you}|Hello next door],

[we've got a parcel for you, just ring the bell after {time}.|we're having a few people over on Saturday. If it gets too loud, come round for a drink or call {dial}.|has anyone seen our cat? Grey, white paws, answers to nobody.|the council changed the days: paper is now every second {weekday}.|would you water our tomatoes from {dateSoon} to {dateLater}? Keys as usual.]

? [We could share the cost of the hedge cutter, it's {amount:30-60} for the day.|Children welcome!]

{me}, [number {2-90}|flat {1-20}|the blue door]

### private/en/love casual
Subject: [you|last night|missing you|good morning|]

[I keep thinking about {weekday}.|The flat is so quiet without you.|I woke up and reached for you, and you were {200-900} km away.|I love you, that's all.] [Two more weeks.|I found your scarf and won't give it back.|When I read your message on the tram I laughed so loud that people turned round.|I booked the train, I'll be with you on {dateSoon} at {time}.]

? [Don't send money for the ticket, I've got it, really.|Shall we cook, or go to that place with the candles?|My mother asked about you again. I think she likes you more than me.]

[Kisses|Yours|Always|Sleep well],
{me}

### private/en/condolence
Subject: [Your father|Thinking of you|So sorry|{annFull}]

Dear {you},

[I heard only yesterday that your father died. I'm so very sorry.|We were so sad to hear about {ann}.] [I remember how he taught us to ride in the yard, and shouted louder than all of us.|{ann} was kind to me when I was new in the town and knew nobody.|There are no right words, so I'll just say that we think of you.]

[If you need someone to drive, to cook or to sit with the papers, ring me, at any hour.|We'll be at the funeral on {weekday}. Please don't answer this.]

[With love|With deepest sympathy|Yours],
{me}[ and {bob}|]

### private/en/inheritance client
From: {meFull} <{meLocal}@{host}>
Org: Hartwell Solicitors @ hartwell-solicitors.example;Penrose & Lamb LLP @ penroselamb.co.uk;Dunbar Notaries @ dunbarnotaries.example
Subject: [Estate of the late {annFull}|Your aunt's will|Probate: {annFull}, deceased|Estate accounts for your approval]
Attach: [estate-accounts.pdf|letter-{iso}.pdf|]

Dear {y:Mr/Ms} {youFamily},

[We act for the executors of your late aunt, {annFull}, of {street}, {city}.|Thank you for coming to our office on {dayBefore}.] [Probate was granted on {date}.|As we explained, you are left a legacy of {amount:2000-30000} and the piano.] [The house has been valued at {amount:190000-420000}; the estate agent expects a sale by {month}.|We attach the estate accounts. If you approve them, please sign and return page {3-9} by post.]

[Before we can pay you we must see your passport and a proof of address; please bring the originals to our office. There is nothing to pay.|No fee is due from you; our costs come out of the estate.] [We'll not ask for your bank details by email: please give them to us in person or by phone on {dial}.|]

Yours sincerely,
{meFull}
Solicitor, {company}

### private/en/lottery-club casual
Subject: [lottery club - we won (a bit)|Syndicate: this month's tickets|Numbers for {weekday}|EuroJackpot money due]
To: 4-11

[Hi all|Lads and ladies|Hello winners],

[we got four numbers on {weekday} and won {amount:20-120}! That's {amount:2-12} each, so nobody needs to resign yet.|nothing again. One number in {3-6} rows, that's almost an art.|the jackpot is at 90 million on {weekday}, shall we buy {2-6} extra rows?] 

[Shall we pay it out or play it?|Please give me your {amount:5-12} for {month} by {weekday}, {bob} and {ann} are two months behind.|I've kept a photo of the tickets in the group.]

{me} (treasurer for life)

### private/en/crypto-chat casual
Subject: [bitcoin|Re: your wallet question|told you so|taxes on coins]

{hi}

[so I finally sold half of my bitcoin, paid off the car and slept like a baby.|I'd not put more in than you can lose. Honestly an index fund is boring and fine.|about your question: write the {12-24} words on paper and put it in the safe. Never type them on a website, not even mine :)] [Fees were {amount:1-9}, took about {10-50} minutes to confirm.|My exchange wants a new passport photo, took three tries.|The tax office wants every single trade. I've got a spreadsheet, you can have it.]

? [{bob} made {20-300}% on some dog coin and doesn't stop talking about it.|Did you see the price this morning? Down {4-15}% overnight.]

{cheers}
{me}

### private/en/medical
Subject: [Dad's pills|Mum's medication list|Re: hospital|how was the doctor?]

{hi}

[I spoke to the doctor today.|Here's the list for when you're with her next week.] [Blood pressure: {5-10} mg of amlodipine in the morning, not at night. The statin is now {20-40} mg.|He should take two 500 mg paracetamol, at most four times a day, and no ibuprofen because of his kidneys.|She's off the strong painkillers and sleeps better.]

[The prescription is at the pharmacy on {street}, they want her card.|The pharmacy was out of it, they'll have it by {weekday}.|The operation is on {dateLater}, we have to be there at {6-8} with an empty stomach.] [He lost {2-6} kilos, which the doctor likes and he doesn't.|Don't worry too much. Ring me after {time}.|]

{cheers}
{me}

### private/en/favour casual
Subject: [quick favour|are you around?|can you help?|Favour]

[Hi {you}, are you at home {weekday}?|{you}, quick one:|Hey, could you do me a favour?] [We need someone to let in the gas man between {8-11} and {12-14}.|Can I borrow your drill? I'll bring it back Sunday.|Could you look over my CV? It's one page, be merciful.|Would you pick up the cake from {street} on your way? I've paid already.|Can you take {ann} to football? The car's at the garage again.] [I owe you a beer.|I'd do the same for you, you know that.|If not, no drama.]

{me}

### private/en/holiday client
Subject: [Greetings from {city}|we made it|flat in {city}|Re: holidays]
Attach: [|DSC{num:1000-9999}.jpg]

{hi}

[We arrived yesterday, {4-9} hours late and without one suitcase.|The flat is tiny and the view is huge.|It rains, the food is excellent, nobody argues.] [Yesterday we walked {9-22} km along the coast and ate far too much fish.|{bob} got sunburnt within an hour, same as every year.|We found a bar with free wifi, so you get a mail.] [Could you check the letterbox?|Is the cat eating?|Back on {dateSoon}, late.]

[Love from all of us|Hugs|Kisses],
{me}

### private/en/club-treasurer
Subject: [Membership fee {year}|Fees - gentle reminder|Annual meeting of the [rowing|chess|garden] club]
To: 5-40

Dear members,

[the yearly fee of {amount:20-90} is due on {dateLater}.|a good third of you haven't paid the fee for {year} yet.|we meet on {dateSoon} at {time} in the clubhouse.] [Please transfer it to the usual account with your name as the reference.|Please bring cash or transfer to {iban}.]

? [On the agenda: 1. accounts, 2. new roof, 3. election of the board.|We need {3-6} people for the work party on {dateLater}. There will be soup.|The bank has raised its charges, so no more cheques please.]

{meFull}
[Treasurer|Secretary|for the committee]

### private/en/secondhand casual
Subject: [{product}|your ad|Re: bike for sale|is it still available?]

[Hello,|Hi,|Good evening,] [is {product} still available?|I saw your ad for {product}.|I'm interested in the bike.] [Would you take {amount:40-120}?|What's your lowest price?|Could I come and look at it {weekday} after {time}?] [I'd pay cash and pick it up myself.|I live in {city}, so about half an hour away.|Does it come with the original box?] [Thanks|Cheers], {me} [{dial}|]

### private/en/school-parent casual
Subject: [{ann} is ill today|Homework|class trip {dateLater}|Permission {ann}]

Dear {y:Mr/Mrs} {youFamily},

[{ann} has a temperature and stays at home today, probably tomorrow too.|{ann} may go home alone on {weekday}.|we agree that {ann} goes on the class trip; I've paid the {amount:15-80} today.|{ann} has a dentist's appointment on {dateSoon} and will be back by the third lesson.] [Could {bob} bring the worksheets?|What does she need to catch up on?|Many thanks for your patience this week.]

[Kind regards|Best wishes]
{meFull}[, mother of {ann}|, father of {ann}|]

### private/en/old-friend client
Subject: [Is this still your address?|long time|Hello from {city}|{you}?]

[Dear|Hi] {you},

[I found your address in an old notebook and hope that it still works.|It must be {5-20} years!|{bob} told me that you live in {city} now, so here I am.] [I moved to {city2} after the divorce, and now teach at a small school.|We have two children, {ann} and a very loud one.|I still have the photo of us on that awful boat.] [What about you? Still playing?|Do you ever come through {city2}?|Write if you feel like it; no pressure.]

[Warmly|All the best|Yours],
{me}

### private/en/recipe
Subject: [the recipe|Grandma's cake|soup|Re: what did you put in it?]

{hi}

[here it is|as promised|you asked for it]: [{200-400} g flour, {2-5} eggs, {100-250} g butter, a pinch of salt.|two onions, {3-6} carrots, a litre of stock, half a chilli.]

[Fry the onions slowly, {10-20} minutes, no cheating.|Beat the eggs until your arm hurts.] Then [everything in one pot and {25-50} minutes on low heat|into the oven at {160-200} degrees for {30-60} minutes].

? [Grandma swore by lard, but butter's fine.|Tastes better the next day.|The secret is the lemon. Don't tell {bob}.]

{me}

### private/en/job-advice casual
Subject: [Re: the offer|should I?|salary talk|new job?]

{hi}

[they offered me the job! {amount:38000-70000}, but I'd have to move.|congratulations on the offer!!|I asked for a rise like you said, and got {2-9}%.] [Would you sign? The contract has a six-month trial and no overtime pay.|I wouldn't accept the first number. Ask for more, the worst they can say is no.|It's a great opportunity but the hours are mad.] [They want an answer by {weekday}.|Take the weekend to think.|Let's talk on the phone tonight?]

{cheers}
{me}

### private/en/wedding client
Subject: [Save the date!|We're getting married|Invitation {dateLater}|Hen weekend]
To: 1-30

[Dear friends|Dear {you}|Everyone],

[we are getting married! On {dateYear}, in {city}, in a barn.|you're invited to our wedding on {dateYear}.] [Please tell us by {dateLater} whether you're coming, and whether you eat meat.|Book a room early, the village has two hotels.] [No presents please. If you insist: we're saving for a trip to Japan.|The list is here: https://{host}/wedding/{token}]

[With love|Excited],
{me} & {bob}

### private/en/support-parents casual
Subject: [your computer|Re: strange mail|password again|printer]

[Hi {ann}|Mum|Dad|Hi you two],

[that mail from the "bank" is fake, just delete it and don't click anything.|I've looked at it: the printer is fine, it was out of paper.|I changed the wifi password, it's on the note on the fridge.] [Never give anyone your PIN, whatever they say on the phone.|If a window says you have a virus and should call a number, close it.|You did nothing wrong, they try this with everybody.] [I'll come by on {weekday} and install the update.|Call me after {time}.]

{me}

### private/en/community-sale
Subject: [flea market on {dateSoon}|giving away: {product}|Free to a good home|selling my car]
To: 1-12

[Hi everyone|Hello all],

[we're moving and giving away {product}, for free, first come first served.|I'm selling the old car: {60-190} thousand km, new tyres, {amount:1200-4000}.|free to a good home: two kittens, {8-12} weeks, vaccinated.] [Pick up only, {street} {2-80}.|Pictures on request.|Serious offers only, no dealers.] [Whatever is left on {weekday} goes to the tip.|Call {dial} in the evening.]

{me}
`)
