/** English mail that software agents write for the people they work for. */
import { mails } from './mails.js'

const AGENTS =
  'Restmail @ agents.restmail.example;Errandly @ mail.errandly.example;Halden @ assistant.haldenanalytics.com;Postbox Nine @ pb9.example;Deskmate @ deskmate.app'

export const agentsEn = mails(
  `
### agent/en/availability
From: {me}'s assistant <{meLocal}@{host}>
Subject: [Availability of {product}|Stock question: {product}|Is {product} in stock?]

Hello,

[I'm writing on behalf of {meFull}.|I am {me}'s assistant and help with errands.] {me} would like to buy {product} and would like to know:

1. [Is it in stock at the moment?|How many do you have in stock?]
2. [Can it be delivered to {city} by {dateSoon}?|What does delivery to {city} cost?]
3. [Is the price of {amount:20-200} on your site including VAT?|Do you offer a discount for two?]

[A short answer to this address is enough; I'll pass it on.|Please reply by {weekday} if you can. If it is not available, no need to suggest alternatives.]

Kind regards
[Assistant to {meFull}|on behalf of {meFull}]

### agent/en/quotes
From: {company} agent for {meFull} <{meLocal}@{host}>
Subject: [Request for a quote: [moving a two-room flat|painting three rooms|boiler service|{10-60} T-shirts with print]|Quote requested by {dateSoon}]

Hello {otherCompany} team,

[I'm an AI agent working for {meFull}. We're comparing offers for the following job:|On behalf of {meFull} I'm collecting three quotes for:]

- What: [moving the contents of a two-room flat from {city} to {city2}|painting three rooms, about {50-90} m2|service of a gas boiler, built {2004-2019}]
- When: [between {dateSoon} and {dateLater}|any weekday in {month}]
- [Access: third floor, no lift|Parking in front of the house]

[Please state the total price including VAT and how long the offer is valid.|Could you tell us the price, and what isn't included?] [{me} decides by {dateLater}; I'll let you know either way.|{me} reads all answers personally.]

[Thank you|With thanks],
agent of {meFull} ({meLocal}@{host})

### agent/en/book
From: {meFull} (assistant) <{meLocal}@{host}>
Subject: [Booking request: {2-6} people, {dateSoon}|Appointment for {meFull}|Request: room for {1-3} nights]

Good [morning|afternoon],

[I'd like to book a table for {2-8} on {dateSoon} at {time}, in the name of {meFamily}.|{meFull} needs an appointment for a check-up, ideally on {weekday} before {time}.|Do you have a double room from {dateSoon} for {2-4} nights?]

[If that time is taken, {time2} or the day after would also be fine.|Alternatives: {weekday} at {time2}, or any afternoon next week.]

? [One guest is vegetarian, one has a nut allergy.|It's for {me}'s mother, who walks with a stick, so ground floor would help.]

Please confirm by reply. [No deposit can be paid by me; {me} pays on site.|If you need a phone number: {dial}.]

Sent for {meFull} by {me}'s scheduling agent

### agent/en/cancel
From: {meFull} <{meLocal}@{host}>
Subject: [Cancellation of subscription, customer {10000-99999}|Please cancel my membership|Notice of termination: contract {num:100000-999999}]

Dear {otherCompany},

[I hereby cancel the subscription with customer number {10000-99999} as of {dateLater}, or the next possible date.|Please cancel the membership of {meFull} (no. {10000-99999}).] [I also withdraw the direct debit mandate from that date.|Please don't send offers to stay; the decision is final.]

Please confirm in writing [the date on which it ends|that you've received this] [and that no further payments will be taken|].

Regards,
{meFull}

? (sent by an agent authorised by {me}; a copy of the authority is available on request)

### agent/en/gdpr
From: {meFull} <{meLocal}@{host}>
Subject: [Access request under Art. 15 GDPR|Data subject request|Please delete my personal data (Art. 17 GDPR)|Request for a copy of my data]

To the data protection officer of {otherCompany}

[Under Article 15 GDPR I request a copy of all personal data you hold about me|I ask you to erase my personal data under Article 17 GDPR], [together with its source, the purposes, and the recipients|and to confirm within one month that it was done].

For identification: {meFull}, [customer number {10000-99999}|email {meLocal}@{mailbox}], {street} {1-90}, {city}.

[If you need more to identify me, please ask for no more than is necessary.|I don't need a copy of invoices.] [Should some data have to be kept by law, please tell me which and for how long.|]

Yours faithfully
{meFull}
[Prepared by {me}'s assistant|]

### agent/en/outreach
From: {meFull} via {company} <{meLocal}@{host}>
Subject: [Following up on our chat in {city}|The {otherCompany} pilot we talked about|Re: our conversation on {dayBefore}]

Hi {you},

[on {dayBefore} at the meetup in {city} you told {me} that your team loses a day a week to matching invoices.|{me} enjoyed talking to you after your talk on {dayBefore}.] {me} asked me to send you [the two pages you wanted to see|the numbers from our own pilot]:

- [{60-90}% of the invoices matched without help|set-up took {2-9} days]
- [the rest is shown to a person, with the reason|errors: {1-9} in {1000-9000}]

[If it's still of interest, {me} has time on {weekday} or {dateSoon}.|If the moment has passed, just say so and I won't write again.]

[Assistant of {meFull}|{me} (drafted with my agent)]

### agent/en/summary
From: {company} <{meLocal}@{host}>
Subject: [Summary: thread "{otherCompany} contract" ({4-30} messages)|TL;DR of "office move"|Digest of your inbox, {date}]

**Summary** ({4-30} messages, {2-6} people)

- **Decided:** [sign with {otherCompany} for 12 months|move on {dateLater}, desks first]
- **Open:** [who pays for the old cables? ({ann} asks {bob})|legal wants the cap lowered to {amount:9000-30000}]
- **Waiting for you:** [approve the floor plan by {weekday}|answer {ann}'s question about parking]

**Suggested reply**

> [Fine with me, please go ahead. Parking: two spaces are enough.|Approved. Could {bob} send the final numbers?]

[Reply "send" and I'll post it to the thread.|I haven't sent anything.]

### agent/en/job-done
From: {company} agent <{meLocal}@{host}>
Subject: [Done: [monthly report|invoice upload|backup check|price comparison]|Task finished: {num:2-90} files renamed|Job {hash} completed with {1-4} warnings]
Attach: [|report-{iso}.pdf|result-{hash}.csv]

[Task finished|The job you gave me on {dayBefore} is done].

| Task | [Collect receipts for {month}|Compare {3-9} phone plans|Clean up the address list]
| Took | {2-50} min
| Result | [{12-90} receipts found, {1-4} missing|cheapest is {otherCompany} at {amount:8-20} a month|{100-900} entries, {3-40} duplicates merged]

[Not done: {1-3} receipts need a login that I don't have.|Nothing was sent or paid.|Skipped {2-9} rows with broken dates; they're in the attachment.]

Next: [I'll run it again on {dateLater} unless you tell me to stop.|waiting for your OK.]

### agent/en/chase
From: {meFull} <{meLocal}@{host}>
Subject: Re: [Quote requested by {dayBefore}|appointment|order {order}|question from {dayBefore}|documents for {otherCompany}]

Hello {you},

[I wrote to you on {dayBefore} about [the quote|order {order}|the appointment] and haven't had an answer yet.|Just checking whether my mail of {dayBefore} reached you.] [Could you let {me} know by {weekday}?|A yes or no is enough.] [If somebody else handles this, please forward it.|]

> [Could you tell us the price including delivery?|Please confirm the date.|We still need the signed form.]

Thanks
[for {meFull}|{me}'s assistant|on behalf of {meFull}]

### agent/en/to-agent
From: {company} scheduling <{meLocal}@{host}>
Subject: [Scheduling: {meFull} / {youFull}|[sched] proposal {num:2-5} for {otherCompany} call|Slots for {me} and {you}]

Hello (agent of {youFull}),

[my principal accepts a 30-minute call.|counter-proposal below.]

  slots:
    - {iso}T{10-17}:00Z
    - {iso}T{10-17}:30Z
  medium: [video|phone]
  topic: [renewal of contract {num:100-999}|intro]

[Reply with one slot, or "none" and two of your own.|The first slot is held until {time} today.] A human can be reached at {annLocal}@{host}.

### agent/en/landlord
From: {meFull} <{meLocal}@{host}>
Subject: [Heating in flat {1-40} not working|Repair request: {street} {1-90}|Tenant {meFull}: leaking tap]
Attach: [|photo.jpg]

Dear {you} {youFamily},

[I'm {me}'s AI assistant and write at {g:his/her} request.|writing for {meFull}, flat {1-40}, {street} {1-90}:] [the heating has been cold since {weekday}|the kitchen tap drips, about a litre an hour|the front door doesn't lock properly].

[{me} is at home {weekday} from {time} and can let someone in.|The neighbour in flat {1-40} has a key.] Please tell us when someone will come[, and confirm that no costs arise for the tenant|].

[Yours,|Regards,]
{meFull} (via assistant)

### agent/en/expense
From: {company} bot <[expenses|agent|ops]@{host}>
Subject: [{3-9} receipts need your attention|Expense report {month}: draft|Please check: {amount:20-400} at {otherCompany}]
Attach: [expenses-{iso}.xlsx|]

{you},

[I've put together the expense report for {month}.|Three things I couldn't decide on my own:]

1. {otherCompany}, {amount:8-90}, {dayBefore}: [private or business?|which project?]
2. Taxi {city}, {amount:9-40}: [receipt is unreadable, please take a new photo|no VAT shown]
3. [Hotel: breakfast booked separately, cut by {amount:5-9}?|Conference ticket: already on the company card?]

[Answer with 1a/2b/3a or in plain words.|I'll file it on {dateSoon} with whatever is clear by then.]

### agent/en/research-result
From: {company} research agent <{meLocal}@{host}>
Subject: [Findings: heat pumps for a house from {1950-1990}|What I found on {otherCompany}|Options for {city} in {month}]

Hi {you}, [here's what I found|results of today's search]:

## [Options|Short list]

1. **{otherCompany}** - {amount:300-900}, [good reviews, slow delivery|closest, but closed on Mondays]
2. **{company} B** - {amount:900-1400}, [includes installation|two-year guarantee]
3. [Do nothing for a year: prices have fallen by {3-12}% since {lastMonth}.|Second-hand: {3-20} offers within 50 km.]

## Sources

- https://en.wikipedia.org/wiki/[Heat_pump|Bicycle|Night_train]
- https://{otherHost}/[guide|compare|blog]/{num:100-900}

[I am fairly sure about 1 and 2; for 3 I found only one source.|Shall I ask the first two for a quote?]

### agent/en/notify-failure
From: {company} <agent@{host}>
Subject: [I couldn't finish "[book train|renew passport appointment|download invoices]"|Blocked: need your decision|Task paused: {otherCompany} asks for a code]

Hi {you},

I stopped at step {2-6} of {7-9}: [the site of {otherCompany} wants a text-message code that only you receive|the total was {amount:90-200} instead of {amount:50-80}, which is above your limit|all trains before {time} are full].

What I need from you: [a yes to pay more|a different date|do this step yourself: https://{otherHost}/account]. [Never send me codes or passwords by mail; use the app.|Nothing has been charged.]

[I'll keep the reservation until {time}.|Until then I do nothing.]
`.replaceAll('\nFrom:', `\nOrg: ${AGENTS}\nFrom:`),
)
