/** Newsletters and offers in English, to people who asked for them. */
import { mails } from './mails.js'

export const newsEn = mails(`
### news/en/product html bulk
From: {company} <[news|hello|updates|team]@{host}>
Subject: [What's new in {month}|New: dark mode, faster search and {3-9} more|{company} {version} is here|Your {month} product update]

# [What's new at {company}|{month} in review|Fresh from the workshop]

[Hi {you}, it's been a busy month.|Hello! Here's what we built since the last letter.]

% **[Faster search|Shared folders|Offline mode]** - [results now show up while you type|the feature you asked for most, finally|works on trains, in cellars and in planes]. <<[Read more|Try it|See how it works] -> https://{host}/blog/{num:100-900}>>

% **[Keyboard shortcuts|Better exports|Two new languages]** - [press ? to see them all|PDF, CSV and plain text|Polish and Portuguese, translated by users].

% ? **[Fixed|Small things]** - [the calendar no longer skips 29 February|{12-60} bugs less|pasting from spreadsheets keeps the columns]

=> [See all changes|Read the changelog|Open {company}] -> https://{host}/changelog

~ {unsubscribe}
~ {legal}

### news/en/digest html bulk
From: {company} <[digest|weekly|newsletter]@{host}>
Org: The Slow Compiler @ slowcompiler.example;Gardeners' Post @ gardenerspost.co.uk;Ledger Weekly @ ledgerweekly.com;Map Room @ maproom.news;Common Thread @ threadsletter.example
Subject: [Issue #{num:20-400}: [the end of passwords?|why bridges hum|what mice know]|Weekly digest, {date}|{3-9} links for the weekend|This week in [databases|gardening|open maps]]

[Good morning!|Hello readers,|Welcome to issue {num:20-400}.] [It rained, so we read a lot.|A short one this week.]

% <<[The forgotten inventor of the tea bag|Why your database is slow on Mondays|A field guide to winter birds] -> https://{host}/p/{token}>>
[A long read about patents and paper. {6-25} minutes.|Spoiler: it's the backups.|With sounds.]

% <<[How a village bought its pub|Notes on indexes|The case for hedges] -> https://{host}/p/{hash}>>
[{annFull} talked to the people behind it.|Clear, and with measurements.]

% ? <<[Reader's question|Job of the week|Quote of the week] -> https://{host}/x/{hash}>>: ["Can I compost coffee filters?"|{otherCompany} looks for an editor in {city}.|"Nothing is as permanent as a quick fix."]

[See you next week,|Until {weekday},]
{me}

~ {unsubscribe}

### news/en/event html bulk
From: {company} Events <[events|hello]@{host}>
Subject: [You're invited: open house on {dateLater}|Webinar: {num:3-7} mistakes in backups|Join us in {city}|Save your seat: {dateLater}, {time}]

[Dear {you},|Hi {you},|]

[we'd love to see you at our open house.|join us for an hour about [planning without meetings|safe backups|buying better coffee].|our yearly customers' day is back.]

| When | {dateLater}, {time}
| Where | [{street} {2-90}, {city}|online, link after registration]
| Who | {annFull}, {bobFull}[ and the team|]
| Price | [free|{amount:10-60}, students half]

=> [Register|Save my seat|Sign up] -> https://{host}/events/{token}

? [Can't come? We'll send the recording to everyone who registers.|Seats are limited to {30-120}, and {10-25} are taken already.]

~ {unsubscribe}

### news/en/discount html bulk
From: {company} <[offers|hello|shop|news]@{host}>
Subject: [{10-40}% off everything until Sunday|Our summer sale starts now|Only this weekend: free delivery|{you}, a little something for you|Last chance: sale ends tonight]

# [{15-40}% off|SALE|The big clear-out|Up to half price]

[Until {dateSoon} you save {10-40}% on [all jackets|the whole range|everything for the garden].|To say thanks for being a customer, here's a code just for you.] [No minimum order.|Free delivery from {amount:30-60}.]

Your code: **[SUMMER|THANKS|HELLO|SPRING]{10-40}**

=> [Shop the sale|Shop now|Find your favourites] -> https://{host}/[sale|offers|c/new]

% ? {product}: [now|only] {amount:19-60} instead of {amount:61-120}

% ? [Popular this week: {product}.|Back in stock: {product}.]

~ [Offer valid until {dateSoon}, while stocks last. Can't be combined with other codes.|One code per order. Gift cards are excluded.]
~ {unsubscribe}
~ {legal}

### news/en/abandoned-basket html bulk
From: {company} <[hello|shop]@{host}>
Subject: [Still thinking it over?|You left something behind|{product} is still in your basket]

Hi {you},

[you put {product} in your basket, but didn't finish the order.|we kept your basket for you.] [Nothing's reserved, so we can't promise that it'll be there next week.|If you had a problem at the checkout, tell us and we'll help.]

=> [Back to my basket|Finish your order] -> https://{host}/cart/{token}

? [Free returns for {14-60} days|Delivery in {1-4} days|Pay later with invoice].

~ {unsubscribe}

### news/en/charity html bulk
From: {company} <[hello|newsletter|supporters]@{host}>
Org: Rivers & Reeds Trust @ riversandreeds.example;Warm Rooms @ warmrooms.org;Second Bicycle @ secondbicycle.org;Lifeboat Friends @ lifeboatfriends.example
Subject: [What your donation did this year|Winter appeal: {100-900} beds|Thank you, {you}|We planted {1000-9000} trees]

Dear {you},

[thanks to you and {2000-9000} other people, we could open a third night shelter.|last month our volunteers repaired {100-400} bicycles for people who have just arrived.|this spring was dry, and the otters came back all the same.]

[{amount:10-25} pays for a warm meal and a bed for one night.|A monthly gift helps us plan.] [If you can, please give again this winter.|If you can't give now, tell a friend about us.]

=> [Donate|Give {amount:10-40}|Support our work] -> https://{host}/donate

[With gratitude,|Thank you for standing with us,]
{meFull}, [director|volunteer coordinator]

~ {company} is a registered charity (no. {1000000-1199999}). {unsubscribe}

### news/en/school bulk client
From: {company} <[office|secretary|news]@{host}>
Org: Hazel Grove Primary @ hazelgroveprimary.example;St Brannoc's School @ stbrannocs.example;Riverside Swimming Club @ riversideswim.example;Northgate Harriers @ northgateharriers.org
Subject: [Newsletter week {1-40}|Dates for {month}|Parents' evening, {dateLater}|Summer fair: helpers needed]
To: 30-180

Dear parents[ and carers|, dear members|],

% [The summer fair is on {dateLater} from {time}. We still need people for the cake stall and the tombola.|Training on {weekday} moves to {time} because the hall is being painted.]

% ? [Please label all jumpers. The lost property box is full of grey ones.|School photos can be ordered until {dateSoon}.|Head lice have been found in class {1-4}; please check.]

% ? [Swimming on {weekday}: bring goggles and a pound for the locker.|The fee of {amount:5-30} for the trip can be paid at the office.|Well done to our under-12s, who came {2-5}th.]

{bye}
{meFull}
[School office|Secretary]

? [To leave this list write to office@{host}.|You get this because your child is in our school.]

### news/en/welcome html bulk
From: {me} from {company} <{me}@{host}>
Subject: [Welcome to {company}!|Three tips to get started|{you}, let's get you going|Day {1-5}: your first project]

Hi {you}!

[I'm {me}, and I look after new customers here.|Welcome aboard. Over the next days I'll send you {3-5} short mails with tips.]

1. [Import your contacts: it takes two minutes.|Create your first project.]
2. [Invite a colleague; it's more fun together.|Install the app for your phone.]
3. [Say hello in our forum.|Watch the short film: <<{2-6} minutes -> https://www.youtube.com/watch?v={hash}{pin}>>]

=> [Get started|Open my account] -> https://app.{host}/welcome

[Reply if you get stuck. I read everything.|Questions? Just hit reply.]
{me}

~ {unsubscribe}

### news/en/restock-plain bulk
From: {company} <[hello|news|{me}]@{host}>
Subject: [It's back|New beans from {city}|Roast day is {weekday}|Restock: {product}]

[Hello coffee people,|Hi all,|Dear friends of the shop,]

[the new harvest is in. It tastes of plums and a bit of smoke.|{product}: back on the shelf since this morning, about {20-80} pieces.|we've been sold out for six weeks. No longer.]

[Order before {weekday} noon and we ship the same day: https://{host}/shop|Come by at {street} {2-90}, or order here: https://{host}/]

? [There's a small discount for members: code REGULAR{5-15}.|Price stays at {amount:9-15} a bag.]

[Yours,|So long,]
{me}

[To stop these mails: https://{host}/unsubscribe/{token}|Unsubscribe: https://{host}/u/{token}]

### news/en/survey html bulk
From: {company} <[feedback|research|hello]@{host}>
Subject: [How are we doing?|Two minutes of your time?|Tell us what you think, win a {amount:25-100} voucher|Your opinion, please]

Hi {you},

[you've been a customer for {2-20} months. How likely are you to recommend us?|we're planning next year and would like to know what you miss.] [Six questions, two minutes, anonymous.|It's {4-9} questions long.]

=> [Start the survey|Give feedback] -> https://[survey|feedback].{host}/{token}

? [Among all answers we draw {3-10} vouchers of {amount:20-50}. The draw takes place on {dateLater}; winners are told by email.|As a thank-you, there's a discount code on the last page.]

[Thank you,|Many thanks,]
{me}, {company}

~ {unsubscribe}

### news/en/loyalty html bulk
From: {company} <[club|rewards|members]@{host}>
Subject: [You have {200-2000} points|{you}, your points expire on {dateLater}|Your {month} statement: {200-2000} points|Congratulations, you've reached Silver]

Hello {you},

[You've collected {200-2000} points so far.|Congratulations! With your last order you reached Silver level.] [{100-190} of them run out on {dateLater}.|Silver members get free delivery and early access to the sale.]

=> [Use my points|See rewards] -> https://{host}/club

? [A coffee costs {100-150} points, {product} {900-2000}.|Double points on all books until {dateSoon}!]

~ {unsubscribe}
~ {legal}

### news/en/openings html bulk
From: {company} <[jobs|alerts]@{host}>
Org: Hirewren @ hirewren.com;Flatfinch @ flatfinch.example;Deskjobs @ deskjobs.example
Subject: [{3-20} new jobs for "{job}"|New flats in {city} that match your search|Your daily alert: {job}, {city}]

[Your search from {dayBefore} has {3-20} new results.|Good morning {you}, these came in since yesterday.]

% - <<[{job}, {otherCompany}|Two rooms, balcony] -> https://{host}/x/{num:100000-999999}>>, {city}, [{amount:600-1200} a month|full time]

- <<[Team lead, part time|Bright attic flat|Warehouse manager] -> https://{host}/x/{num:100000-999999}>>, {city2}[, new|]

=> See all -> https://{host}/search/{token}

~ [Too many mails? Switch to weekly: <<settings -> https://{host}/alerts>>|] {unsubscribe}

### news/en/political bulk html
From: {company} <[info|campaign|hello]@{host}>
Org: Residents for Clean Air @ cleanairresidents.example;Library Friends @ libraryfriends.example;Tenants' Union @ tenantsunion.example
Subject: [The council votes on {weekday}|{1000-9000} signatures!|We need you on {dateSoon}|Petition update]

{you},

[on {dateSoon} the council decides whether our library closes.|{1000-9000} of you have signed. That's more than anyone expected.|rents in {city} rose by {4-14}% last year.] [Come to the town hall at {time}, bring neighbours and signs.|Write to your councillor: a personal letter counts more than a form.]

=> [Sign the petition|Find your councillor|Help us] -> https://{host}/act

[Together,|Thank you,]
{meFull}

~ {unsubscribe}

### news/en/dev-newsletter bulk
From: {company} <[news|devrel|hello]@{host}>
Org: Quillstack @ quillstack.io;Larkspur Labs @ larkspurlabs.dev;Gantry @ gantry.example
Subject: [Changelog {month} {year}|API v{2-4} is generally available|Deprecation: v1 endpoints go away on {dateLater}|{company} dev news]

[Hi developers,|Hello,]

* [API v{2-4} is out of beta|Webhooks are now signed (Ed25519)|New region: {city}]
* [v1 will be switched off on {dateLater}; you made {20-900} calls to it last week|SDK {version} for Python and Go]
* [Rate limits doubled on all paid plans|We measured p99 at {20-90} ms after the rewrite]

[Migration guide: https://docs.{host}/migrate|Example on GitHub: https://github.com/quill/examples]
[Code samples welcome, we pay for good ones.|Come to office hours on {weekday}, {time} UTC: https://{host}/hours]

-- {me}
[Unsubscribe: https://{host}/unsub/{token}|You're on this list because you have an API key. Opt out: https://{host}/prefs/{token}]
`)
