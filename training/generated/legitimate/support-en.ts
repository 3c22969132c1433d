/** Support and scheduling in English. */
import { mails } from './mails.js'

export const supportEn = mails(`
### support/en/ticket-opened html own
From: {company} Support <[support|help]@{host}>
Subject: [[{ticket}] We've received your request|Ticket {ticket} opened|Re: {product} ({ticket})]

~ [##- Please type your reply above this line -##|Please keep {ticket} in the subject line]

[Hi {you}, thanks for writing. A person will answer within {4-24} hours.|Your request ({ticket}) has been received and is being looked at by our team.]

? [In the meantime, these articles may help: <<Common questions -> https://help.{host}/faq>>|You can add details by replying to this email.]

{company} Support

### support/en/question
Subject: [Question about {product}|does it fit?|Question before I order|{product} - quick question]

{hi}

[I'm thinking of buying {product} from your shop|I saw {product} on your website] and have [a question|two questions]. [Does it come with the screws|Is the cover washable|Will it fit under a desk 68 cm high|Can it be delivered to an island address]? [And how long is the guarantee?|And do you ship to {city}?|And is the green one coming back?]

[Thanks in advance|Thanks a lot|Many thanks],
{me}

### support/en/answer client
From: {me} ({company}) <[support|help]@{host}>
Subject: Re: [{ticket} ||][export stuck|question about invoices|Can't add a second user|import of contacts]

Hi {you},

[Thanks for the screenshot, that helped.|Thanks for getting in touch!|Sorry for the wait.]

[The export stops because one of the rows has a date in the wrong format (row {20-900}).|A second user needs the Team plan, but I've switched it on for you until {dateLater}.|Contacts can only be imported as CSV with a header line; I've attached a sample.] [Could you try again and tell me whether it works?|If you clear the cache once, it should be gone.]

? [Steps: 1. open Settings, 2. choose Import, 3. tick "skip empty lines".|The article about this: https://help.{host}/articles/{num:1000-9999}]

[Best,|All the best,|Cheers,]
{me}
[Customer support|Support engineer], {company}

### support/en/bug-report
Subject: [Crash on start after update to {version}|Bug: export hangs at {10-99}%|{company} client {version}: sync fails|[bug] timeouts since {weekday}]
Attach: [|debug.log.txt|screenshot.png]

[Hi,|Hello support,|]

since [the update to {version}|yesterday around {time}] [the client crashes when I open a project|sync stops after a few minutes|half of our requests time out]. [Steps to reproduce:|This is what I see in the log:]

  {iso} {10-23}:{10-59}:{10-59}.{ms} ERROR [worker-{1-9}] upload failed: [ETIMEDOUT {ip}:443|unexpected token at position {10-900}|disk quota exceeded]
  {iso} {10-23}:{10-59}:{10-59}.{ms} WARN retry {1-5} of 5
  [at Uploader.flush (uploader.js:{10-900}:{1-40})|panic: runtime error: index out of range]

[Expected: it should retry and go on.|Version {version}, [Ubuntu 22.04|Windows 11|macOS 14], behind a proxy.] [Happens every time.|Happens about once in ten tries.] [Let me know if you need a core dump.|I can test a fix on our staging.]

{me}

### support/en/refund-asked
Subject: [Refund for order {order}|Wrong item - order {order}|order {order} please refund|Charged twice]

[Hello,|Dear {company},|Hi there,]

[I ordered {product} on {dayBefore} (order {order}), but received something else.|You charged my card twice for order {order}: {amount:20-150} on {dayBefore} and again the day after.|The thing broke after {2-9} days of normal use.] [I'd like my money back, please.|Please refund the second payment.|I don't want a replacement.]

? [Photos attached.|I have the receipt, and a screenshot of the bank statement.] [How do I send it back?|Who pays for the postage?]

[Regards|Thank you],
{meFull}

### support/en/angry
Subject: [THIRD time I write about this|Unacceptable|Still no answer!!|Complaint: order {order}]

[This is the third mail I'm sending and nobody answers.|I have been waiting for {3-9} weeks now.|What on earth is going on over there?] [Your driver claims he rang. He did NOT. I was home all day.|First the wrong size, then a broken box, now silence.|Every time I call I'm told someone will call back. Nobody does.]

[I want my {amount:40-300} back by {dateSoon}, or I'll take it to the consumer office.|If I don't hear from a human being by {weekday} I will dispute the charge with my bank.|Do you even read these?]

{meFull}
[Order {order}|Customer no. {10000-99999}]

### support/en/escalation client
From: {meFull} <{meLocal}@{host}>
Subject: [Escalation: {ticket}|{ticket} - needs attention today|Re: {ticket} still down for us]
To: 2-5

{you},

[I need to escalate {ticket}.|Raising this with you directly because the ticket is not moving.] [Our warehouse has been without label printing since {time}, and {20-90} orders are waiting.|The SLA says four hours; we're at {6-30}.]

[Can you put an engineer on a call within the hour?|Please tell me who owns this and when we get the next update.] [I'm on {dial}.|{ann} and {bob} are in copy.]

{bye}
{meFull}
{job}, {company}

### support/en/thanks casual
Subject: Re: [{ticket}|your request|solved?|broken zip]

[Works now, thank you so much!|That was it. Thanks {you}!|Perfect, [problem solved|all good now], you can close the ticket.|Wow, that was quick.] [Have a great [day|weekend|week].|You saved my {weekday}.|Really appreciate it.] [:-)|]

{me}

### schedule/en/find-time client
From: {meFull} <{meLocal}@{host}>
Subject: [Catching up next week?|Time for a call?|Finding a slot for the {otherCompany} review|30 minutes about the budget]
To: 1-4

{hi}

[Do you have half an hour next week to go through [the draft|the offer|last month's numbers]?|I'd like to find a time for all of us to talk about [the rollout|hiring|the move].]

I could do:

- {weekday} at {time}
- {date} between {8-11} and {12-14}
- [any time Friday|{dateSoon}, {time2}]

? [Or pick a slot here: https://calendly.com/{meLocal}/30min|If none of these work, send me two of yours.] [We can meet at {street} or on Zoom.|]

{bye}
{me}

### schedule/en/confirm casual
Subject: Re: [call|meeting {weekday}|lunch?|review slot|catch-up]

[{weekday} {time} works for me|{time} is fine|Yes, {weekday} is good|Perfect, {time} then]. [I'll call you.|Same link as last time?|I'll book the small room.|See you there.|Can we keep it to 30 minutes?] [{me}|Best, {me}|]

### schedule/en/zoom own
From: {meFull} <{meLocal}@{host}>
Subject: [Invitation: project sync @ {dateSoon} {time}|{company} / {otherCompany} - intro call|Updated invitation: weekly planning]
Attach: invite.ics
To: 1-8

[{meFull} is inviting you to a scheduled Zoom meeting.|Hi all, here are the details for {weekday}.]

Topic: [Weekly sync|Kick-off {otherCompany}|Interview with {annFull}]
Time: {dateSoon}, {time}

Join: https://us02web.zoom.us/j/{num:80000000000-89999999999}?pwd={token}

Meeting ID: {num:800-899} {num:1000-9999} {num:1000-9999}
Passcode: {code}

? [Agenda: 1. status, 2. risks, 3. next steps|Dial-in numbers are on the page.]

### schedule/en/move client
From: {meFull} <{meLocal}@{host}>
Subject: [Need to move {weekday}|Can we reschedule?|Running late / new time|Moved: [demo|1:1|review] to {dateSoon}]

{hi}

[I'm so sorry, something has come up|My train is cancelled|My daughter is ill|I double-booked myself] and I [can't make {time}|have to move our meeting]. [Would {weekday} at {time2} work instead?|Could we do {dateSoon}, same time?] [I've updated the invitation.|I'll send a new invite once you say yes.]

[Apologies again,|Sorry for the trouble,|Thanks for understanding,]
{me}

### schedule/en/calendar-text own
From: {company} Calendar <calendar-notification@{host}>
Subject: [Accepted|Declined|Invitation|Cancelled event|Reminder]: [Standup|Budget review|1:1 {me} / {you}|Team lunch] @ {date} {time}
Attach: invite.ics

[{meFull} has [accepted|declined|proposed a new time for] this invitation.|You have an upcoming event.|This event has been cancelled and removed from your calendar.]

When: {date} {time} - {time2}
Where: [Room {1-9}.{10-40}|https://meet.google.com/{hash}|{street} {1-40}, {city}]
Organizer: {annFull}
[Guests: {youFull}, {bobFull}|Guests: {3-14}]

? [Note from {me}: I'll join ten minutes late.|View: https://calendar.{host}/event?eid={token}]

### schedule/en/minutes client
From: {meFull} <{meLocal}@{host}>
Subject: [Minutes of {date}|Notes from today's meeting|Meeting notes: {otherCompany} project]
To: 3-9
Attach: [|minutes-{iso}.docx]

[Hi all,|Dear all,|Team,]

[thanks for joining today.|short notes below, please correct me where I'm wrong.]

% - {ann} [presented the first prototype; the board liked it|reported that sign-ups are up {3-30}%]
- [We stay with the current supplier until {month}|The launch moves to {dateLater}]

% - [Open: who pays for the second licence?|Open point: data protection review ({bob})]
- Next meeting: {dateSoon}, {time}

[Actions: {bob} sends the revised plan by {weekday}; {you} talks to legal.|To do: {you} - figures; {ann} - venue; me - everything else.]

{me}
`)
