/** Account mail in English: it asks to click, warns and names dates, and is honest. */
import { mails } from './mails.js'

export const accountEn = mails(`
### account/en/password-reset html own mixed
From: {company} <[no-reply|accounts|security]@{host}>
Subject: [Reset your password|Password reset for {company}|Reset your {company} password]

[Hi {you},|Hello,]

[Someone (hopefully you) asked to reset the password of your {company} account.|We received a request to reset your password.] [Use the link below to choose a new one.|Click the button to set a new password.]

=> [Reset password|Choose a new password] -> https://[app|accounts|id|www].{host}/[reset|password/reset|auth/reset]?token={token}

[The link works for {20-60} minutes and can be used once.|This link expires in {1-24} hours.] [If you didn't ask for this, you can ignore this email; your password stays as it is.|Didn't request it? No action is needed and nothing has changed.]

? ~ [Requested from {ip}, [Firefox|Chrome|Safari] on [Windows|macOS|Android].|{legal}]

### account/en/one-time-code own html mixed
From: {company} <[no-reply|login|code]@{host}>
Subject: [{code} is your {company} code|Your sign-in code: {code}|Your verification code]

[Your code is|Enter this code to sign in|Here's the sign-in code you asked for]:

# {code}

[It expires in {5-15} minutes.|Valid for {5-30} minutes, for one sign-in.] [Don't share it with anyone; our staff will never ask for it.|If you didn't try to sign in, somebody may have typed your address by mistake, and you can ignore this.]

? ~ {company} - sent to you because you're signing in at {host}

### account/en/magic-link own
From: {company} <[login|no-reply|hello]@{host}>
Subject: [Your sign-in link|Sign in to {company}|Log in to {company}]

[Hi,|Hello {you},|]

[Here is the link to sign in to {company}:|You asked us for a sign-in link. Here you go:]

https://{host}/[auth/magic|login/link|signin]/{token}

[It can be used once, within the next {10-30} minutes, in the browser you started in.|The link stops working after {10-60} minutes.]

? If you didn't ask for it, [delete this mail|please ignore it] - [nobody can get in without the link|nothing happens].

[-- {company}|The {company} team]

### account/en/new-sign-in own html mixed
From: {company} <[security|no-reply|accounts]@{host}>
Subject: [New sign-in to your account|New login from {city}|Was this you? New sign-in to {company}]

Hi {you},

[Your account was just used to sign in on a new device.|We noticed a new sign-in to your {company} account.]

| When | {date}, {time} UTC
| Device | [Chrome on Windows 11|Safari on iPhone|Firefox on Ubuntu|Edge on Windows]
| Where | {city} (roughly)
| IP | {ip}

[If this was you, there's nothing to do.|Was it you? Great, then ignore this.] [If not, <<change your password and sign out everywhere -> https://{host}/account/security>>.|If you don't recognise it, <<check your recent activity -> https://app.{host}/security/activity>>.]

~ [We send this whenever a new device is used.|{legal}]

### account/en/verify-address own html
From: {company} <[welcome|hello|no-reply|verify]@{host}>
Subject: [Confirm your email address|Please verify your email|One more step, {you}]

# [Welcome to {company}|Almost there|Hello {you}]

[Thanks for signing up! Please confirm that this is your address so that we can [finish setting up your account|send you the things you asked for].|You (or someone using your address) created an account at {host}. Confirm it to get started.]

=> [Confirm address|Verify email|Yes, that's me] -> https://{host}/[verify|confirm|email/verify]/{token}

[Link not working? Copy this into your browser: https://{host}/verify/{token}|The link is valid for {2-7} days.]

? [Not you? Ignore this mail and the account will be deleted after {7-30} days.|If you have trouble, write to help@{host}.]

### account/en/two-factor-on own html mixed
From: {company} <security@{host}>
Subject: [Two-factor authentication is on|You turned on two-step verification|Security settings changed]

[You've turned on two-factor authentication for {company}.|Two-step verification is now active for {youLocal}@{mailbox}.] From now on we'll ask for a code from your [authenticator app|security key] when you sign in on a new device.

[Please store your recovery codes somewhere safe.|Keep the {8-12} recovery codes offline: we cannot restore access without them.]

? [Didn't do this? <<Secure your account -> https://{host}/security>> or call {dial}.|If this wasn't you, reply to this message at once.]

[Thanks for keeping your account safe,|]
{company}

### account/en/storage-full own html
From: {company} <[no-reply|storage|notifications]@{host}>
Org: Bluefinch @ bluefinch.example;Quillstack @ quillstack.io;Mooring Mail @ mooringmail.com;Lanternbox @ lanternbox.example
Subject: [You've used {85-99}% of your storage|Your mailbox is almost full|Storage: {85-99}% used]

Hi {you},

You're using [{4-14}.{1-9} of 15 GB|{85-99} percent of the space in your plan]. When it is full, [new mail will be returned to senders|files will stop syncing].

[What you can do:|Two ways to make room:]

- [Empty the bin and the spam folder|Delete large attachments: <<find them -> https://{host}/storage/large>>]
- [Move old files to your own disk|Get {50-200} GB for {amount:1-4} a month in <<Settings -> https://{host}/settings/plan>>]

? [Nothing will be deleted.|Your files are safe in any case.]

~ {legal}

### account/en/api-key-expiring own
From: {company} <[developers|api|no-reply]@{host}>
Subject: [API key "{hash}" expires on {dateSoon}|Your API token expires in {3-14} days|Action needed: rotate key {hash}]

Hi {you},

The API key [{hash}... ("production")|ending in {hash}|named "ci-deploy"] in the workspace {otherCompany} will expire on {dateSoon}. [Requests made with it after that date get a 401.|It was last used {1-9} hours ago, so something still depends on it.]

To rotate it:

- create a new key at https://[console|dashboard|app].{host}/settings/keys
- deploy it
- revoke the old one

? [Both keys work side by side until then.|The docs describe zero-downtime rotation: https://docs.{host}/auth/rotation]

[{company} developer relations|-- {company}]

### account/en/terms-changed html
From: {company} <[legal|updates|no-reply|hello]@{host}>
Subject: [Changes to our terms of service|We're updating our terms and privacy policy|Updated terms from {dateLater}]

[Dear customer,|Hi {you},]

[On {dateLater} new terms of use and a new privacy policy come into force.|We've rewritten our terms so that they are shorter and easier to read.] The main changes:

% - [We name the companies that process data for us|Disputes can be settled by mediation first|You may now share one account within a household]

% - [We say more clearly how long we keep log files ({30-180} days)|Accounts unused for {2-3} years will be closed, with two reminders]

[If you keep using {company} after that date, the new terms apply.|You don't need to do anything. If you disagree, you can close your account before then.] <<[Read the new terms|Compare old and new] -> https://{host}/terms>>

~ [We have to send this to all customers, also those who've opted out of news.|] {legal}

### account/en/workspace-invite own html mixed
From: {meFull} via {company} <[invitations|no-reply|notifications]@{host}>
Reply-To: {meFull} <{meLocal}@{otherHost}>
Subject: [{meFull} invited you to {otherCompany}|Join {otherCompany} on {company}|You've been invited to a workspace]

[{meFull} ({meLocal}@{otherHost}) has invited you to join|{me} wants to work with you in] the workspace "[{otherCompany}|Website relaunch|Q{1-4} planning|Design]" on {company}.

? > [Hi {you}, here's the board I was talking about. Come in!|Adding you so that you can comment on the drafts.]

=> [Join workspace|Accept invitation] -> https://[app|join].{host}/invite/{token}

[The invitation is valid for {7-30} days.|If you don't know {me}, you can ignore this.]

? ~ [What's {company}? A place where teams plan their work.|{legal}]

### account/en/shared-document own html mixed
From: {meFull} ([via {company}|{company}]) <[share|no-reply|drive]@{host}>
Reply-To: {meFull} <{meLocal}@{otherHost}>
Subject: [{me} shared "[Budget {year}|Draft contract v{2-9}|Interview notes|Floor plan]" with you|Document shared with you: [Offer {otherCompany}|Agenda {weekday}|Holiday list]]

{meFull} has shared a [document|spreadsheet|folder] with you[ and gave you the right to edit| and left a message|]:

? > [Numbers from yesterday, please check column F.|Could you look over section {2-6} before {weekday}?|As discussed on the phone.]

=> Open -> https://[docs|drive|files].{host}/[d|s|doc]/{token}

~ You [can|may] stop getting these mails in your <<notification settings -> https://{host}/settings/notifications>>.

### account/en/google-docs-share client
From: {meFull} <{meLocal}@{host}>
Subject: [the sheet|Link to the doc|Slides for {weekday}|notes + numbers]

{hi}

[here's the doc I mentioned|the sheet is at the link below|as promised]: https://docs.google.com/[document|spreadsheets|presentation]/d/1{token}/edit

[You should have comment rights, shout if not.|I gave edit access to everyone at {host}.|Request access if it asks you to, I'll approve it.]

? [{ann} already filled in her part.|Tab {2-4} is still rough.|Please don't sort column A, the formulas hate that.]

{cheers}
{me}

### account/en/esign own html
From: {company} <[sign|no-reply|contracts]@{host}>
Org: Signet Loop @ signetloop.com;Inkwell Sign @ inkwellsign.example;Papersigned @ papersigned.eu
Reply-To: {meFull} <{meLocal}@{otherHost}>
Subject: [Signature requested: [Rental agreement|NDA|Employment contract|Service agreement {year}]|{meFull} sent you a document to sign|Please sign: [offer|mandate|addendum] for {otherCompany}]

{youFull},

[{meFull} of {otherCompany} asks you to review and sign a document.|You have a document to sign from {meFull} ({otherCompany}).]

| Document | [Agreement|Offer|NDA|Addendum]-{num:100-999}.pdf ({2-14} pages)
| Sign by | {dateLater}

=> [Review document|Review and sign] -> https://[app|eu].{host}/s/{token}

? > [Hi {you}, this is the version with the changes we agreed on last week.|Please sign on page {3-9}; I've already signed.]

~ [Don't forward this email: the link is personal.|If you have questions about the content, contact the sender.] {legal}

### account/en/incident own html
From: {company} Security <[security|trust|privacy]@{host}>
Subject: [Notice of a security incident|Security incident on {dayBefore}: what happened|Information about your data at {company}]

{dear}

[We are writing to tell you about a security incident that affected some of our customers.|On {dayBefore} we found that an unauthorised person had access to one of our systems.] [Names and email addresses were visible; passwords and payment data were not.|According to our investigation, your name, address and order history may have been read. Card data were not stored there.]

What we did: [the access was closed within {2-9} hours|all internal keys were replaced], [the data protection authority was told|an outside firm is checking our work][, and we're adding further checks|].

What you can do: [be wary of messages that pretend to be from us|no need to change your password, but it never hurts]. [We will not phone you about this.|] [Details: https://{host}/incident-{iso}|Questions and answers are at https://status.{host}/incidents/{hash}]

We are sorry.

{meFull}
[Chief Information Security Officer|Managing Director|Data protection officer], {company}

### account/en/domain-renewal own html mixed
From: {company} <[domains|renewals|billing]@{host}>
Org: Nameroost @ nameroost.com;Zonefield @ zonefield.net;Hostharbour @ hostharbour.example
Subject: [Domain {otherHost} renews on {dateLater}|Reminder: {otherHost} expires on {dateLater}|Renewal notice for {1-4} domains]

Hello {youFull},

[The following domain is due for renewal:|Your domain will expire unless it's renewed:]

| {otherHost} | {dateLater} | {amount:9-28}

[Auto-renew is on: we'll charge the card ending {card} {7-14} days before.|Auto-renew is off. To keep it, renew in the control panel: <<Domains -> https://[my|panel|cp].{host}/domains>>] [If you no longer need it, just let it lapse.|]

? [Please check as well that the contact data are right, as ICANN rules require: <<whois data -> https://my.{host}/contacts>>|Name servers and DNS records stay as they are.]

{company} [Support|Domains team]
~ {legal}

### account/en/certificate-expiry own
From: {company} <[certs|monitor|alerts]@{host}>
Subject: [Certificate for {otherHost} expires in {5-20} days|TLS certificate expiry notice: www.{otherHost}|[warn] cert {otherHost} {5-20}d left]

[Hello,|Your certificate (or certificates) for the names listed below will expire soon.|]

  {otherHost}
  www.{otherHost}
  [api|mail|shop].{otherHost}

Expires: {iso}[T{10-23}:{10-59}:00Z|]
[Issuer: R{10-14}|Serial: 0{hash}{hash}]

[If renewal is automatic, check why it did not run; the last attempt failed with "[urn:acme:error:dns|timeout during connect|NXDOMAIN]".|If you have already renewed, you can ignore this.]

? [You get this because you're listed as contact. Stop: https://{host}/optout/{token}|Docs: https://docs.{host}/renewal]

### account/en/company-password-expiry own
From: IT Service Desk <[servicedesk|it|helpdesk]@{host}>
Subject: [Your password expires in {5-14} days|Reminder: change your {company} password by {dateSoon}|Password change due]

Dear {you},

[The password of your Windows account will expire on {dateSoon}.|Your {company} password is {76-85} days old and has to be changed every 90 days.]

To change it, press Ctrl+Alt+Del on your work computer and choose "Change a password". [From home, connect to the VPN first.|On a Mac, use the Self Service app.] [You can also do it at https://password.{host} from the office network.|We don't send links for this; please don't follow any.]

? [Remember to update it on your phone as well, or the account will be locked after a few tries.|At least {12-16} characters; a phrase is fine.]

[IT Service Desk, ext. {1000-9999}|Regards, {me} (IT)]

### account/en/email-changed own html mixed
From: {company} <[no-reply|security]@{host}>
Subject: [Your email address was changed|Contact details updated|You changed your [phone number|email address|delivery address]]

Hello {you},

[On {date} at {time} the [email address|phone number] of your account was changed.|This is to confirm that you've updated your contact details.] [The old address gets this note as well, for safety.|]

[If you made this change, all is well.|Nothing else to do if it was you.] If you did not, [contact us within 7 days and we'll undo it: https://{host}/support|reply to this mail or call {dial}].

{company}

### account/en/account-closed own
From: {company} <[support|no-reply|privacy]@{host}>
Subject: [Your account has been deleted|Account closed as you asked|Confirmation: deletion of your data]

{dear}

[As you asked, we closed your account on {date}.|Your account and the data in it were deleted today.] [Invoices are kept for {6-10} years because the law says so.|Backups are overwritten within {30-90} days.]

? [Any remaining balance of {amount:2-30} was sent back to your card ending {card}.|Your username is free again.]

[Thank you for the {2-9} years with us.|We're sorry to see you go. If you ever want to come back, you can simply sign up again.]

{bye}
{company}

### account/en/dormant html own
From: {company} <[accounts|hello|no-reply]@{host}>
Subject: [We'll close your unused account on {dateLater}|Do you still need your {company} account?|Your account has been inactive for {2-4} years]

Hello {you},

[You last signed in to {company} in {lastMonth}, {2-4} years ago.|Nobody has used your account for a long time.] To keep as little data as possible, we delete accounts that aren't used. Yours would be deleted on {dateLater}.

[Want to keep it? Sign in once before then.|To keep it, it's enough to sign in.] [Otherwise do nothing, and everything is removed for good.|]

=> Sign in -> https://{host}/login

~ {legal}

### account/en/app-authorized own html mixed
From: {company} <[noreply|notifications]@{host}>
Subject: [A third-party application was added to your account|[{company}] A new SSH key was added|New personal access token created]

Hey {youLocal}!

[A new [public key|deploy key|access token] was added to your account|The application "{otherCompany} CI" was given access to [two|three] of your repositories]: [ci-runner-{1-20}|{hash}|laptop-{you}].

If [you believe this was done in error|you don't recognise it], [remove it at https://{host}/settings/keys|visit https://{host}/settings/applications to revoke it].

? [To see what it did, open https://{host}/settings/security-log|The scopes are: read:user, repo.]

Thanks,
[The {company} team|{company}]
`)
