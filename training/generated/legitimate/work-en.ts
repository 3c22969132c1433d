/** English mail of colleagues, suppliers, applicants and machines. */
import { mails } from './mails.js'

export const workEn = mails(`
### work/en/handover
From: {meFull} <{meLocal}@{host}>
Subject: [Handover before my holiday|Out from {dateSoon} - handover notes|Handover: {otherCompany} account]
To: 1-3

{hi}

[I'm away from {dateSoon} until {dateLater}.|My last day is {dateLater}, so here's where things stand.] 

1. {otherCompany}: [contract is with their lawyers, chase {ann} if nothing by {weekday}|waiting for the purchase order; invoice {invoice} is drafted].
2. [Server move|New website|Audit]: [{bob} has the access and the checklist|passwords are in the vault under "infra"].
3. [The printer people come on {weekday}; they need the key from reception.|Monthly report: template in the shared folder, takes about an hour.]

? [Phone only if the building is on fire: {dial}.|I'll look at mail once a day, no promises.]

Thanks for covering!
{me}

### dev/en/review-request own
From: {meFull} <notifications@github.com>
Reply-To: {otherHost}/app <reply+{token}@reply.github.com>
Subject: [Re: |][[{meLocal}/widgets]|[quill/parser]|[infra/deploy]] [Fix race in the upload queue|Add retries to the mail client|Bump undici from 6.{1-9}.0 to 7.{1-9}.0|Docs: explain time zones] (PR #{num:20-4900})

[@{youLocal} approved this pull request.|@{meLocal} requested your review on: #{num:20-4900}.|@{annLocal} commented on this pull request.]

? > In src/queue/[send|lease|worker].ts:
> +  const wait = Math.min(base * 2 ** attempt, limit)

[Could this overflow when attempt is large? Otherwise looks good to me.|nit: name is a bit misleading, maybe nextWait?|LGTM, thanks for the tests!|I'd rather not add a dependency for {3-20} lines.]

--
Reply to this email directly or view it on GitHub:
https://github.com/quill/parser/pull/{num:20-4900}#discussion_r{num:100000000-999999999}
You are receiving this because [your review was requested|you authored the thread|you were mentioned].

### dev/en/ci-failed own
From: {company} CI <[ci|builds|pipelines]@{host}>
Org: Buildheron @ buildheron.dev;Copperline CI @ ci.copperline.app;Gantry @ gantry.example
Subject: [[{meLocal}/api] Run failed: test - main ({hash})|Build #{num:100-9000} failed on main|FAILED: nightly {iso}|Pipeline {num:10000-99999} has failed for main]

[Run failed for main ({hash}) by {meLocal}|Pipeline #{num:10000-99999} ({hash}) failed after {2-40} minutes.]

  [test (node 20)]  FAILED  {3-14}m {10-59}s
  [lint]            ok      {10-59}s
  [AssertionError: expected 3 to equal {4-9}|Error: Process completed with exit code 1.|FATAL: out of memory at tests/queue_{1-9}]

Commit message: [Merge branch 'retry'|fix flaky clock test|wip|Bump version to {version}]

View: https://{host}/{meLocal}/api/runs/{num:100000000-999999999}

### dev/en/monitoring own
From: {company} <[alerts|noreply|alertmanager]@{host}>
Org: Pulsewatch @ pulsewatch.example;Lighthouse Monitor @ lighthousemonitor.io;alertmanager @ mon.haldenanalytics.com
Subject: [[FIRING:{1-4}] DiskWillFill (db-{1-9} critical)|[RESOLVED] High latency on api-{1-9}|DOWN: https://www.{otherHost} is unreachable|[warning] queue depth > {500-9000}]

[{1-4} alert[s|] for alertname=[HighErrorRate|DiskWillFill|InstanceDown]|Monitor "www.{otherHost}" changed from UP to DOWN at {time} UTC]

Labels:
 - instance = [db|web|mx]-{1-9}.{otherHost}:9100
 - severity = [critical|warning|page]
Annotations:
 - summary = [Free space on /var below {3-12}%|5xx rate above {2-20}% for 10 minutes|Connection timed out after 30000 ms]

[Runbook: https://wiki.{host}/runbooks/disk|Silence: https://{host}/silences/new|Incident: https://{host}/i/{hash}]
[Acknowledge within 15 minutes or the next person on call is notified.|This incident has lasted {2-90} minutes.]

### work/en/weekly-report client
From: {meFull} <{meLocal}@{host}>
Subject: [Weekly report, week {1-52}|Week in short|Status {iso}|Sales numbers week {1-52}]
To: 2-7
Attach: [|report-{iso}.xlsx]

[Hi all,|{you},|Morning everyone,]

[short version: good week.|Numbers first:|Here's the summary for the week.]

| Orders | {100-900} [(+{1-20}%)|(-{1-9}%)]
| Revenue | {amount:9000-90000}
| Open tickets | {3-60}

% [The drop on {weekday} was the outage; we got most of it back the next day.|Two big orders from {otherCompany} came in late, so expect a better start of next month.]

% ? [Risk: {ann} is away for two weeks from {dateSoon}.|I need a decision about the trade fair by {weekday}.]

{cheers}
{me}

### work/en/contract-draft client
From: {meFull} <{meLocal}@{host}>
Subject: [Draft agreement {otherCompany}|Re: contract - our comments|Service agreement, version {2-5}|NDA for signature]
Attach: [Agreement_v{2-5}.docx|NDA_{otherCompany}.pdf]

{dear}

[please find attached the draft of the agreement|attached is our mark-up of your draft]. [We have accepted most of your changes.|The main points are below.]

% - Clause {3-9}: [liability capped at {amount:20000-90000}, as discussed|we would prefer a cap of twelve months' fees]
- Clause {10-14}: [payment within 30 days instead of 60|notice period of three months]

% ? [Our counsel still has to look at the data processing annex.|The confidentiality clause survives for {2-5} years.]

[Could you let us have your comments by {dateSoon}?|If this works for you, I'll send it round for signature.]

{bye}
{meFull}
{job}
{company} | {dial}

### work/en/negotiation
From: {meFull} <{meLocal}@{host}>
Subject: Re: [Offer {invoice}|Prices {year}|quotation|your proposal]

{dear}

thank you for your [offer|quick answer]. [We'd like to work with you, but at {amount:2000-9000} it is above what we've planned.|Your price for the larger quantity is fine; the delivery time is not.] [If you could come down to {amount:1500-2000} for an order of {200-900}, I could confirm today.|Would you consider {3-8}% for payment within ten days?]

[I have another quote on the table, but would rather stay with you.|We can be flexible about the dates.|I understand that material has become more expensive.]

{bye}
{meFull}

### work/en/quote client
From: {meFull} <[sales|{meLocal}]@{host}>
Subject: [Quotation {invoice}|Your enquiry: our offer|Quote for {otherCompany}]
Attach: Quote-{invoice}.pdf

{dear}

[Thank you for your enquiry of {dayBefore}.|As promised, here's our quote.]

| [Installation|Chairs, model B|Cable, 100 m|Translation EN-DE] | {2-40} | {amount:20-400}
| [Delivery|Travel|Set-up] | 1 | {amount:30-150}
| Total excl. VAT | | {amount:900-9000}

[The offer is valid until {dateLater}. Delivery within {2-6} weeks of your order.|Prices hold for 30 days; half on order, half on delivery.]

? [If you have questions, call me on {dial}.|Happy to come by and measure once more.]

{bye}
{meFull}
{company}

### work/en/purchase-order
From: {company} Purchasing <[purchasing|po|procurement]@{host}>
Reply-To: {meFull} <{meLocal}@{host}>
Subject: [Purchase order {num:4500000-4599999}|PO {num:4500000-4599999} - please confirm|Order against your quote {invoice}]
Attach: PO-{num:4500000-4599999}.pdf

{dear}

[please find attached our purchase order against your quotation {invoice}.|we hereby order as per the attached PO.] [Kindly confirm receipt and the delivery date by {weekday}.|Please quote the PO number on your delivery note and invoice; invoices without it can't be paid.]

? [Delivery address: {street} {1-90}, {city}, gate {1-4}, Mon-Thu 7-15.|Partial deliveries are welcome.]

Best regards
{meFull}, Purchasing, {company}

### work/en/dunning-first
From: {company} Accounts <[accounts|ar|finance]@{host}>
Subject: [Friendly reminder: invoice {invoice}|Invoice {invoice} - a small reminder|Statement of account {month}]
Attach: Invoice-{invoice}.pdf

{dear}

[Perhaps it slipped through: our invoice {invoice} over {amount:90-4000} was due on {dayBefore} and we haven't seen the payment yet.|According to our records the enclosed invoice is still open.] [If you've paid in the last few days, please disregard this note.|Could you tell us when we can expect it?]

? [Our bank details haven't changed; they're on the invoice.|If there's anything wrong with the invoice, just give us a ring.]

{bye}
{meFull}
{company}, accounts receivable

### work/en/dunning-second
From: {company} Accounts <[accounts|ar|finance]@{host}>
Subject: [Second reminder - invoice {invoice}|Overdue: invoice {invoice}|Final reminder before collection, account {10000-99999}]
Attach: [Invoice-{invoice}.pdf|Reminder-2-{invoice}.pdf]

{dear}

[Despite our reminder of {dayBefore}, we have not received your payment for invoice {invoice}.|Invoice {invoice} is now {31-75} days overdue.] Please transfer the amount of {amount:90-4000} [plus a late fee of {amount:5-40}|] by {dateSoon}.

IBAN {iban}
Reference {invoice}

[If payment does not arrive by then, we will have to pass the matter to our lawyers.|After that date we'll stop deliveries until the account is settled.] [Should you be in difficulty, please call me, we can agree on instalments.|]

{bye}
{meFull}

### work/en/bank-details client
From: {meFull} <{meLocal}@{host}>
Subject: [Invoice for {month}|My invoice - translation job|Invoice {invoice}, workshop in {city}]
Attach: invoice-{invoice}.pdf

{hi}

[Here's my invoice for the work in {month} ({12-60} hours).|Attached is the invoice for the workshop.] [Bank details are the same as always:|For your records:]

{meFull}
IBAN {iban}
[BIC [ABCDGB2L|XYZZDEFF]|]

[Payable within 14 days. Thanks, it was fun working with you!|No hurry, the end of the month is fine.|Please put the invoice number in the reference.]

{cheers}
{me}

### recruiting/en/to-candidate client
From: {meFull} <{meLocal}@{host}>
Subject: [Interview invitation: {job}|Your application at {company}|Next steps|{company} - second conversation]

Dear {you},

[Thank you for applying for the position of {job}.|It was a pleasure to talk to you on {dayBefore}.] [We'd like to invite you to a first conversation by video|The team liked your work sample, and we would like you to meet {annFull}] on {dateSoon} at {time}.

? [It takes about {30-60} minutes. Please have an example of your work at hand.|We'll reimburse the train ticket.]

[Does that suit you?|Please let me know whether the time works.] [The salary range for the role is {amount:42000-60000} to {amount:61000-80000}.|]

{bye}
{meFull}
[Talent & People|HR], {company}

### recruiting/en/rejection
From: {company} [People|HR|Careers] <[jobs|careers|people]@{host}>
Subject: [Your application as {job}|Update on your application|Application {num:1000-9999}]

Dear {you},

[thank you for the time and care you put into your application.|thank you for the interview last week.] [We had more than {60-300} applications, and this time we have decided for someone with more experience in logistics.|After much thought we'll go on with other candidates.] [This is no judgement of your abilities.|It was a close decision.]

? [With your permission we'll keep your CV for six months.|We delete your data within {3-6} months.]

We wish you [all the best|every success] with your search.

{meFull}

### recruiting/en/applicant client
Subject: [Application: {job}|Application for the position of {job} (ref. {num:100-999})|Speculative application|Question about the {job} role]
Attach: CV_{meFamily}.pdf;[cover-letter.pdf|references.zip|portfolio.pdf]

Dear {y:Mr/Ms} {youFamily},

[I'm writing to apply for the position of {job} that you advertised on {host}.|{annFull}, with whom I worked at {otherCompany}, told me that you're looking for help.] [For the last {3-12} years I've been with {otherCompany}, where I looked after suppliers in four countries.|I finished my degree in {city} last summer and have since worked on data tools for hospitals.]

[What draws me to {company} is how openly you write about failures.|I could start on {dateLater}.] [My CV is attached; I'd be glad to come by for a talk.|I'd be happy to do a trial day.]

Yours sincerely,
{meFull}
{dial}

### work/en/reference
From: {meFull} <{meLocal}@{host}>
Subject: [Reference for {annFull}|Reference request|Would you be a reference for {ann}?]

{dear}

[{annFull} has applied with us as {job} and named you as a reference.|We are considering {annFull} for a role on our team.] [Could you spare ten minutes on the phone this week?|Would you be willing to answer three short questions by email?]

- In what role did you work together, and for how long?
- What [is {ann} particularly good at|would you give {ann} to do first]?
- [Would you hire {ann} again?|Is there anything we should know?]

[Everything you say stays with me.|{ann} knows that I'm writing to you.]

{bye}
{meFull}, {company}

### work/en/press
From: {meFull} <{meLocal}@{host}>
Org: The Harbour Post @ harbourpost.example;Ledger Weekly @ ledgerweekly.com;Radio Fenland @ radiofenland.example
Subject: [Press enquiry: {otherCompany}|Interview request, deadline {weekday}|Question for an article about repair shops]

Hello,

[I write for {company} and am working on a piece about [small firms that repair phones|rents in {city}|the price of coffee].|I'm a reporter at {company}.] [Could someone from {otherCompany} talk to me before {weekday}, {time}?|I'd like to quote you on the following:]

? 1. [How many people use your service?|How much did your costs rise last year?]
2. [Is it true that the {city} branch will close?|What do you say to the criticism by {annFull}?]

[My deadline is {dateSoon}.|Background only is fine too.] You can reach me on {dial}.

{meFull}

### work/en/research
From: {meFull} <{meLocal}@{host}>
Org: University of Fenmoor @ fenmoor-university.example;Institute for Rural Studies @ ruralstudies.example
Subject: [Question about your {year} paper|Data behind figure {2-6}|Invitation to take part in a study|Access to the archive]

Dear [Dr|Prof.] {youFamily},

[I read your paper on [soil moisture|loanwords|queueing in hospitals] with great interest.|I'm a doctoral student with {annFull} at the {company}.] [Would you be willing to share the data behind figure {2-6}?|In table {1-4} you give n = {40-900}; does that include the pilot?] [I'd cite the data set, of course.|A short answer would help me a lot.]

? [A preprint of our own work is here: https://arxiv.org/abs/{2301-2612}.{10000-19999}|I attach our protocol and the ethics approval.]

{bye}
{meFull}

### list/en/discussion
From: {meFull} <{meLocal}@{mailbox}>
Reply-To: [users|dev] list <[users|dev|discuss]@lists.{host}>
Subject: [Re: |][[{city}-users]|[dev]|[{hash}-discuss]] [upgrading from {version}|[PATCH v{2-4}] queue: don't lose the lease|memory use with many folders|meeting in {city}?]

On {date}, {annFull} wrote:
> [I still see the old behaviour after the upgrade.|Has anyone tried this with more than {100-900} users?|NAK, this breaks big-endian.]

[Did you restart the daemon? The config is only read at start.|We run it with about {400-4000}, no problems so far.|Fair point. v{3-5} below handles that.|+1, same here on Debian.]

? > Also, is there a way to turn off the cache?

? [No, but you can set its size to 0.|Yes: cache = off, undocumented.]

[--|]
{me}
_______________________________________________
[users|dev] mailing list
https://lists.{host}/listinfo/users

### list/en/release
From: {meFull} <{meLocal}@{host}>
Subject: [[ANNOUNCE] {city}db {version} released|libheron {version}|{company} {version} is out|[security] release {version}]

[Hello everyone,|All,|]

[we're happy to announce version {version}.|Version {version} is available now.] [It fixes {3-40} bugs and one security problem (CVE-{year}-{10000-49999}); please upgrade.|The highlights:]

- [faster start with large mailboxes|new option --dry-run|Arabic and Hindi translations]
- [dropped support for Node 18|the old config format still works, with a warning|TLS 1.1 is gone]

[Download: https://{host}/releases/{version}|https://github.com/heron/heron/releases/tag/v{version}]
SHA-256: {hash}{hash}{hash}{hash}

[Thanks to {ann}, {bob} and everybody who sent patches.|Have fun,]
{me}
`)
