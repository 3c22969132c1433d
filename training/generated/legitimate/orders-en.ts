/** What shops, banks, landlords of flats for a weekend and doctors' desks write in English. */
import { mails } from './mails.js'

export const ordersEn = mails(`
### order/en/confirmed html
From: {company} <[orders|shop|hello|no-reply]@{host}>
Reply-To: {company} Support <help@{host}>
Subject: [Order {order} confirmed|Thanks for your order, {you}|We've got your order {order}]

# [Thank you, {you}!|Order confirmed|It's official: your order is in]

[We've received your order and are getting it ready.|Good news - your order {order} is confirmed and our team is packing it now.] [We'll email you again when it ships.|You'll hear from us once it leaves the warehouse.]

| Order | {order}
| Item | {product}
| Shipping | [free|{amount:3-9}]
| Total | {amount:20-240}

? [Changed your mind? You can cancel within two hours from your account.|Need to change the address? Reply to this email before {time}.]

=> [View your order|See order details|Manage order] -> https://{host}/[orders|account/orders]/{token}

~ [Questions? Just reply to this email.|Need help? Visit <<our help pages -> https://{host}/help>>.]
~ {legal}

### order/en/shipped html
From: {company} <[shipping|no-reply|orders]@{host}>
Subject: [Your order is on its way|Shipped: order {order}|{you}, your parcel has left our warehouse]

Hi {you},

[Your parcel left us today|Order {order} shipped this morning|We handed your parcel to the courier at {time}]. It should [arrive on {dateSoon}|be with you by {weekday}|reach you in {2-5} working days].

=> [Track your parcel|Follow delivery|Track package] -> https://[track|parcels|www].{host}/t/{tracking}

| Tracking number | {tracking}
| Delivered to | {8-90} {street}, {city}

? [Someone needs to be in to sign for it.|The driver will leave it in a safe place if nobody answers.|Not home that day? You can choose a neighbour or a pick-up shop from the tracking page.]

~ You receive this because you ordered at {host}. {legal}

### order/en/delivered html
From: {company} <delivery@{host}>
Subject: [Delivered: your order {order}|Your parcel was delivered|It's there!]

[Your parcel was delivered today at {time}.|We left your parcel [with a neighbour at number {2-80}|in the porch|at reception|in the letterbox] at {time}.]

% ? [How did we do? <<Rate the delivery -> https://{host}/rate/{token}>>|It takes ten seconds to <<tell us how it went -> https://{host}/feedback/{token}>>.]

% ? [If something is missing or broken, let us know within 14 days and we'll put it right.|Not what you expected? Returns are free for {14-60} days: <<start a return -> https://{host}/returns>>]

[Thank you for shopping with {company}.|Enjoy {product}!|We hope you like it.]

~ {legal}

### order/en/delay
From: {me} at {company} <[orders|{meLocal}]@{host}>
Subject: [A short delay with order {order}|Your order {order}: new delivery date|Sorry - {product} is late]

{dear}

[I'm afraid|Unfortunately] [our supplier has let us down|the last batch did not pass our checks|the container with {product} is stuck in port], so your order {order} will [ship around {dateSoon}|be about a week late|leave us on {dateSoon} instead of {date}].

[You don't need to do anything.|No action is needed on your side.] If you'd rather [not wait|have something else], [tell me|just reply] and I'll [refund {amount:20-180} straight away|send you the blue one, which is in stock|cancel it and refund you in full].

? [As an apology I've taken {5-15} off the invoice.|I've upgraded you to express shipping at no charge.]

{bye}
{meFull}
{company}

### order/en/return-label html
From: {company} Returns <returns@{host}>
Subject: [Your return label for order {order}|Return {ticket} - what to do next]
Attach: return-label-{num:10000-99999}.pdf

[Your return is registered.|We've set up your return.] Print the attached label, [stick it on the box|tape it over the old one] and [drop it off at any parcel shop|hand it to the driver] before {dateLater}.

- [Put the item in its original packaging if you still have it|Any sturdy box will do]
- [Keep the receipt from the shop|Please keep the proof of postage]
- Refunds take {3-10} working days after it arrives

? [No printer? Show <<this code -> https://{host}/returns/{token}/qr>> at the counter instead.|You can follow it here: <<return status -> https://{host}/returns/{token}>>]

~ {legal}

### order/en/refund-issued html
From: {company} <[billing|orders|no-reply]@{host}>
Subject: [Refund of {amount:15-200} issued|We've refunded your order|Your refund is on its way]

Hi {you},

[We have refunded {amount:15-200} for {product}.|Your return arrived safely, and {amount:15-200} is on its way back to you.] [The money goes to the card ending in {card}|It will show on the same card or account you paid with] [within {3-10} working days|in less than a week, depending on your bank].

? [Delivery costs are not part of the refund because only part of the order came back.|The return postage of {amount:3-6} was taken off, as described in our terms.]

[Thanks for letting us know what was wrong|Sorry it wasn't right this time], [we've passed it on to the makers.|and we hope to see you again.]

~ {legal}

### order/en/pickup html
From: {company} <[parcels|notify]@{host}>
Org: Parcelnook @ parcelnook.example;Cornerdrop @ cornerdrop.co.uk;LockerLane @ lockerlane.com
Subject: [Your parcel is ready to collect|Collect by {dateSoon}: parcel {tracking}|Ready for pick-up at {street}]

[A parcel from {otherCompany} is waiting for you.|{otherCompany} has sent you something, and it's at your pick-up point.]

| Where | {street} {2-60}, {city}
| Opening hours | Mon-Sat 8-{18-22}
| Pick-up code | {pin}
| Keep until | {dateSoon}

[Please bring a photo ID.|Show the code or this email at the counter.|Enter the code on the locker screen.] [After that date it goes back to the sender.|]

? => Directions -> https://{host}/points/{num:1000-9999}

### order/en/customs-paid html
From: {company} Customs <[customs|notify]@{host}>
Org: Skylark Freight @ skylarkfreight.com;Halyard Express @ halyardexpress.example
Subject: [Duty paid for shipment {tracking}|Your customs payment was received|Receipt: import charges {tracking}]
Attach: duty-receipt-{num:100000-999999}.pdf

[We have received your payment of {amount:9-70} for import VAT and duty.|Thank you. The import charges on shipment {tracking} are settled.]

| Shipment | {tracking}
| Sender | {otherCompany}
| Duty | {amount:2-9}
| VAT | {amount:7-60}

[The parcel has been released by customs and will be delivered {weekday}.|Your parcel cleared customs at {time} and moves on tonight.] [No further payment is due on delivery.|Nothing else to pay.]

~ {legal}

### billing/en/invoice html mixed
From: {company} Billing <[billing|invoices|accounts]@{host}>
Subject: [Invoice {invoice} from {company}|Your {month} invoice|Invoice {invoice} - {amount:20-900}]
Attach: Invoice-{invoice}.pdf

Hello {you},

[Please find attached invoice {invoice} for {month}.|Your invoice for {month} is ready; it's attached as a PDF.] [The amount of {amount:20-900} will be collected from your card ending {card} on {dateSoon}.|It is payable within {14-30} days by bank transfer.|It has already been paid, so there's nothing for you to do.]

? You can [download all earlier invoices|change your billing address|add a purchase order number] in <<your account -> https://[app|billing|my].{host}/billing>>.

{bye}
{company} Accounts

~ {legal}

### billing/en/receipt html
From: {company} <[receipts|billing|no-reply]@{host}>
Subject: [Your receipt from {company} #{num:1000-9999}-{num:1000-9999}|Receipt for your payment|Payment received - thank you]
Attach: Receipt-{num:1000-9999}-{num:1000-9999}.pdf

# Receipt from {company}

{amount:5-300} paid on {date}

| [Team plan|Pro subscription|Workshop seat|Hosting, small|Annual membership] x {1-6} | {amount:5-300}
| Tax | {amount:1-9}
| Amount paid | {amount:5-300}

[Payment method: Visa - {card}|Paid with Mastercard ending {card}]

? [If you have any questions, contact us at billing@{host} or call {dial}.|Something wrong? Reply to this email within 60 days.]

=> View receipt online -> https://invoice.stripe.com/i/acct_{hash}/{token}

### billing/en/card-failed html
From: {company} <billing@{host}>
Subject: [Your payment didn't go through|We couldn't charge your card ending {card}|Payment of {amount:6-60} failed]

Hi {you},

[We tried to charge the card ending in {card} for your {month} subscription, but the bank declined it.|The renewal of your {company} plan ({amount:6-60}) could not be completed.] [This usually happens when a card has expired or a limit was reached.|Most of the time it's an expired card.]

[We'll try again on {dateSoon}.|We'll retry {2-3} more times over the next week.] [Until then everything keeps working.|Your projects stay online in the meantime.] If you have a new card, you can [add it in Settings > Billing|update it here]:

=> [Update card|Review billing] -> https://[app|my|account].{host}/[billing|settings/billing]

? Already [fixed|changed] it? Then ignore this [message|note].

~ {legal}

### billing/en/renewal-notice html
From: {company} <[hello|billing|no-reply]@{host}>
Subject: [Your plan renews on {dateLater}|Upcoming renewal: {amount:40-400}|A heads-up about your annual renewal]

[Hi {you}, your yearly {company} plan renews on {dateLater} for {amount:40-400}.|This is a reminder that your subscription will renew automatically on {dateLater}.] [We'll use the card ending in {card}.|The price is the same as last year.]

? [You have {2-14} seats, of which {1-2} were not used in the last month.|Since last {month} your team made {100-900} reports with us.]

[If you want to keep going, there is nothing to do.|Nothing to do if you're happy.] [To change or cancel, go to <<Billing -> https://app.{host}/billing>> any time before that date.|You can cancel with two clicks in <<your settings -> https://app.{host}/settings>>.]

~ {legal}

### billing/en/trial-ending html
From: {me} from {company} <{me}@{host}>
Subject: [Your trial ends in {2-5} days|{you}, your {company} trial ends {weekday}|What happens after your trial]

Hi {you},

[Your free trial of {company} ends on {dateSoon}.|{weekday} is the last day of your trial.] [If you'd like to keep your {3-40} projects, pick a plan before then.|We never ask for a card up front, so nothing will be charged unless you choose a plan.]

% ? - [Plans start at {amount:5-19} a month|The Solo plan is {amount:5-12} a month]
- [You can export all your data, on any plan|Your data stays available for {30-90} days]

% ? [Not ready? Reply and I'll extend it by a week.|If it isn't for you, I'd love to hear why - one line is enough.]

=> [Choose a plan|See plans] -> https://{host}/pricing

[{meFull}|{me}]
{company}

### billing/en/price-change html
From: {company} <[updates|hello|billing]@{host}>
Subject: [A change to our prices from {dateLater}|Our prices are going up - what it means for you|Important information about your {company} price]

{dear}

[From {dateLater} the price of your plan changes from {amount:8-20} to {amount:21-30} a month.|It's been {3-7} years since we last raised prices. On {dateLater} we have to.] [Energy, paper and wages have all become dearer|Our own hosting costs went up by {10-40} percent], and we would rather [tell you plainly than cut corners|charge a bit more than show ads].

[You don't have to do anything.|If you stay, nothing else changes.] [If you prefer to leave, you can cancel until the day before and will not be charged the new price.|You have the right to end the contract without notice until {dateLater}.]

{bye}
[The {company} team|{meFull}, {job}]

~ {legal}

### travel/en/flight html
From: {company} <[bookings|itinerary|no-reply]@{host}>
Org: Albatross Air @ albatrossair.example;Fjordwing @ fjordwing.com;Two Capes Travel @ twocapestravel.com
Subject: [Booking {booking} confirmed: {city} - {city2}|Your itinerary {booking}|E-ticket and receipt {booking}]
Attach: eticket-{booking}.pdf

# [Your booking is confirmed|You're going to {city2}, {you}!]

| Booking reference | {booking}
| Passenger | {youFull}
| Flight | [FW|AB|TC]{100-990}, {dateLater}
| Departs | {city} {time}
| Arrives | {city2} {time2}
| Seat | {3-34}[A|C|D|F]
| Fare paid | {amount:60-700}

[Online check-in opens {24-48} hours before departure.|Bag drop closes 45 minutes before departure.] [One cabin bag of {7-10} kg is included.|Please check passport and visa rules for your destination.]

=> [Manage booking|Check in] -> https://{host}/manage/{booking}

~ {legal}

### travel/en/hotel html
From: {company} <[reservations|stay]@{host}>
Org: Hotel Linden Court @ lindencourt.example;The Gatehouse Inn @ gatehouseinn.co.uk;Pier Seven Rooms @ pierseven.com;Casa Brisa @ casabrisa.example
Reply-To: Front desk <frontdesk@{host}>
Subject: [Reservation confirmed: {company}, {dateLater}|See you on {dateLater}|Your stay - confirmation {booking}]

Dear {you} {youFamily},

[Thank you for choosing {company}.|We're looking forward to having you.] [Your room is booked|Here are the details]:

- [Double room, garden side|Twin room|Family room with cot|Single room], {1-6} nights from {dateLater}
- {amount:70-220} a night[, breakfast included|, breakfast {amount:9-18}|]
- Check-in from {14-16}:00, check-out by {10-12}:00

? [Free cancellation until two days before arrival; after that we charge the first night.|The rate is not refundable.]

? [Parking is behind the house, please ring the bell.|If you arrive after 21:00, the key is in a box by the door; the code is {pin}.|Dogs are welcome, just tell us.]

[Safe travels,|Warm regards,]
{me}, {company}
{dial}

### travel/en/train-disruption html
From: {company} <[alerts|travel]@{host}>
Org: Midshire Rail @ midshirerail.example;Coastline Trains @ coastlinetrains.co.uk
Subject: [Your train on {date} has changed|Disruption: {city} to {city2}, {time}|Change to booking {booking}]

[Because of|Owing to] [engineering works|a signalling fault|a shortage of crew|flooding near {city}], the {time} from {city} to {city2} [is cancelled|will not call at {city3}|now leaves at {time2}].

[Your ticket is valid on any train that day.|You may travel one day earlier or later with the same ticket.] [Seat reservations can't be carried over, sorry.|]

? [You can also <<claim a full refund -> https://{host}/refunds>>.|If you arrive more than 30 minutes late you're entitled to compensation: <<claim form -> https://{host}/delay-repay>>]

~ {legal}

### booking/en/restaurant
From: {company} <[table|book|hello]@{host}>
Org: The Copper Ladle @ copperladle.example;Osteria Numero Nove @ osterianove.example;Saffron Yard @ saffronyard.co.uk;Little Heron @ littleheron.com
Subject: [Your table on {weekday}|Table for {2-8}, {dateSoon} at {time}|See you {weekday}!]
Attach: [|booking.ics]

Hi {you},

[Your table for {2-8} on {dateSoon} at {time} is booked.|We've got you down for {2-8} people, {weekday} {time}.] [We hold tables for 15 minutes.|The kitchen takes last orders at 21:30.]

? [Please tell us about allergies by the day before.|We noted: one high chair, no nuts.|The terrace depends on the weather, we can't promise it.]

[To change or cancel: https://{host}/b/{token}|If your plans change, call us on {dial} or reply here.]

{company}, {street} {1-90}

### booking/en/tickets html
From: {company} <[tickets|boxoffice]@{host}>
Org: Tollgate Theatre @ tollgatetheatre.org;Ticketwren @ ticketwren.com;Harbour Hall @ harbourhall.example
Subject: [Your tickets for {dateLater}|Order {order}: your e-tickets|Don't forget: {weekday} at {time}]
Attach: tickets-{booking}.pdf

Hi {you}, [your tickets are attached|here are your {2-5} tickets].

| [The Glass Orchard|An evening of Schubert|Kestrel + support|The Winter Comedy Night] | {dateLater}, {time}
| Doors | one hour before
| Seats | Row [C|F|H|M], {1-12}-{13-24}
| Paid | {amount:24-180}

[Show them on your phone or on paper.|Each ticket can be scanned once, so don't post pictures of the code.] [Latecomers can go in at the interval.|Bags larger than A3 must stay in the cloakroom.]

~ {legal}

### appointment/en/dentist
From: {company} <[reception|appointments|noreply]@{host}>
Org: Millbrook Dental @ millbrookdental.example;Dr Achterberg & Colleagues @ achterbergdental.com;Park Lane Surgery @ parklanesurgery.example;Hill Street Physio @ hillstreetphysio.co.uk
Subject: [Appointment reminder: {dateSoon} at {time}|Reminder - see you on {weekday}|Your appointment with {company}]

[Dear {you}, this is a reminder of your appointment|You have an appointment with us] on {dateSoon} at {time} [with Dr {annFamily}|with our hygienist|for your check-up|for the follow-up on your knee].

% ? [Please bring your insurance card and a list of the medicines you take, with doses.|Please arrive ten minutes early to fill in a form.|Please don't eat for two hours beforehand.]

% [If you can't come, please cancel at least 24 hours before, otherwise we charge {amount:20-50}.|Can't make it? Reply NO or ring {dial}.|To confirm, reply YES. To move it: https://{host}/a/{token}]

{company}
{street} {1-90}, {city}

### appointment/en/test-results html
From: {company} <no-reply@{host}>
Org: Wellspring Clinic @ wellspringclinic.example;Orchard Health @ orchardhealth.example
Subject: [New message from your care team|Your results are in the patient portal|{company}: a new document for you]

[Dear {you},|Hello {youFull},]

[Your blood test results from {dayBefore} are now available|Dr {annFamily} has written to you|A new letter has been added to your record]. For your privacy we don't send medical details by email. [Please sign in to the portal as usual to read it.|You can read it in the app or the portal.]

=> Open the patient portal -> https://portal.{host}/

[If you need a repeat prescription, allow two working days.|If you feel worse, don't wait: call {dial}.]

~ This is an automatic message; replies aren't read. {legal}

### bank/en/statement html own
From: {company} <[statements|no-reply|service]@{host}>
Org: Alder Bank @ alderbank.example;Castle & Moor Building Society @ castlemoor.example;Penny Union @ pennyunion.example
Subject: [Your {month} statement is ready|New statement available|{company}: e-statement for account ending {card}]

Dear {you} {youFamily},

[Your statement for {month} is now available|A new statement for the account ending {card} has been added to your documents]. [Log in to the app or to online banking the way you usually do|You'll find it in the app under Documents] [to read or download it|].

? [Interest of {amount:1-30} was credited on {dayBefore}.|Your arranged overdraft is unchanged.|From {dateLater} our branch in {city} opens at 10.]

[We never ask for your PIN or full password by email or phone.|We've left links out of this email on purpose.]

~ {legal}

### bank/en/card-shipped html own
From: {company} <cards@{host}>
Org: Alder Bank @ alderbank.example;Plover Money @ plovermoney.com
Subject: [Your new card is in the post|A new card is on its way, {you}|Your card ending {card} expires soon]

[Your debit card ending {card} runs out at the end of {month}, so we've sent you a new one.|We've posted your replacement card today.] It should arrive within {3-7} working days. [Your PIN stays the same.|The PIN comes in a separate letter.]

- [Activate it in the app or with your first chip-and-PIN payment|Sign it on the back]
- Update it with services that charge you regularly
- Cut up the old one

? If it hasn't come by {dateLater}, [call us on the number on the back of your old card|tell us in the app].

~ {legal}

### payroll/en/payslip
From: {company} Payroll <[payroll|hr]@{host}>
Subject: [Payslip {month}|Your payslip for {month} {year}|Payslips are out]
Attach: [|payslip-{iso}.pdf]

[Hi {you},|Dear colleague,|Hello,]

[Your payslip for {month} is attached. The password is the one HR gave you on your first day.|Payslips for {month} are in the HR portal: https://hr.{host}/payslips]

? [Salaries will be paid on {dateSoon}, one day early because of the bank holiday.|The new tax code applies from this month, so your net pay may differ slightly.|Overtime up to the {20-25}th is included; the rest comes next month.]

[Queries to payroll@{host}, please.|Any questions, ask {ann} or me.]

[{me}|Payroll team]

### insurance/en/policy html
From: {company} <[service|policies|documents]@{host}>
Org: Castlebrook Insurance @ castlebrookinsurance.com;Mutual of Dunmore @ dunmoremutual.example;Kitewood Cover @ kitewood.example
Subject: [Your policy documents|Policy {num:100000-999999}: renewal documents|Welcome to {company} - your home insurance]
Attach: policy-{num:100000-999999}.pdf;[key-facts.pdf|summary.pdf]

{dear}

[Thank you for insuring your [home|car|bike|cat] with us.|Your [home|car|travel] insurance is due for renewal on {dateLater}.] [The documents are attached; please check that all details are correct.|Attached are your certificate, the schedule and a short summary of the cover.]

| Yearly premium | {amount:90-800}
| Excess | {amount:50-300}
| Cover starts | {dateLater}

[You have 14 days to change your mind.|If anything has changed, such as your address or a claim in the last year, tell us before it renews.]

{bye}
{meFull}
{company}, {dial}
`)
