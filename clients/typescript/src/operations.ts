/** Types of the service, made from its description (`npm run docs`): not to be changed by hand. */
export type Accepted = {
  id: string
  object: 'message'
  thread_id: string
  /** Inbound: received. Outbound: scheduled (waits for its `send_at`) or checking → held | blocked | queued → sending → sent (some recipients have it, others are still tried) → delivered | partially_delivered | bounced once all recipients have ended; cancelled before it left */
  status:
    | 'received'
    | 'checking'
    | 'scheduled'
    | 'cancelled'
    | 'held'
    | 'blocked'
    | 'queued'
    | 'sending'
    | 'sent'
    | 'delivered'
    | 'partially_delivered'
    | 'bounced'
}
export type Account = {
  id: string
  object: 'account'
  /** Verified email of its human */
  owner: string | null
  status: 'active' | 'suspended' | 'deletion_pending'
  deletion: {
    /** RFC 3339, UTC, milliseconds */
    started_at: string
    /** When everything is removed for good; until then it can be cancelled */
    ends_at: string
  } | null
  /** The oldest first, at most 1000 */
  mailboxes: {
    id: string
    object: 'mailbox'
    address: string
  }[]
  mailbox_count: number
  /** RFC 3339, UTC, milliseconds */
  created_at: string
}
export type AccountDeletion = {
  account_id: string
  status: 'deletion_pending'
  /** RFC 3339, UTC, milliseconds */
  started_at: string
  /** When everything is removed for good; until then it can be cancelled */
  ends_at: string
  next_steps: string[]
}
export type AddDomainRequest = {
  domain: string
}
export type AddEntryRequest = {
  /** `ada@example.org` (and its tagged addresses), `example.org`, or `*.example.org` with all below it */
  entry: string
  /** Note for readers of the list */
  reason?: string | null
}
export type Address = {
  address: string
  /** Display name as the sender wrote it; null when there is none */
  name: string | null
}
export type AddressInput =
  | string
  | {
      address: string
      name?: string | null
    }
export type AddressList = AddressInput | AddressInput[]
export type Alias = {
  /** The address */
  id: string
  object: 'alias'
  address: string
  /** RFC 3339, UTC, milliseconds */
  created_at: string
}
export type AliasList = {
  data: Alias[]
  has_more: boolean
  next_cursor: string | null
}
export type Attachment = {
  /** att_…; fetch with GET /v1/messages/{id}/attachments/{attachment_id} */
  id: string
  object: 'attachment'
  filename: string
  content_type: string
  size_bytes: number
  sha256: string
  disposition: 'attachment' | 'inline'
  content_id: string | null
  /** What the malware scanner said of the message it came in; null for mail sent from here */
  scan: ('clean' | 'unscanned') | null
  /** Why it is risky to open whatever the scanner says, such as program_attached or encrypted_archive */
  risk: {
    code: string
    detail: string
  }[]
}
export type AttachmentUpload = {
  filename: string
  content_type?: string
  /** The file in base64 */
  content: string
  /** Under which the HTML shows it, as `cid:…` */
  content_id?: string
}
export type AuthenticationResults = {
  spf: 'none' | 'neutral' | 'pass' | 'fail' | 'softfail' | 'temperror' | 'permerror'
  dkim: 'none' | 'pass' | 'fail' | 'policy' | 'neutral' | 'temperror' | 'permerror'
  dmarc: 'none' | 'pass' | 'fail' | 'temperror' | 'permerror'
  arc: 'none' | 'pass' | 'fail'
  spf_domain: string | null
  dkim_domain: string | null
  dkim_selector: string | null
  dmarc_policy: ('none' | 'quarantine' | 'reject') | null
}
export type AutoLabel = {
  /** `ada@example.org`, `example.org`, or `*.example.org` with all below it */
  from?: string
  /** The same of To, Cc, or the address it came to, such as `agent+orders@…` */
  to?: string
  /** In any case of letters */
  subject_contains?: string
  has_attachment?: boolean
  labels?: string[]
  mark_read?: boolean
}
export type BatchChange = {
  /** Each counts once, however often it is given */
  ids: string[]
  /** `spam` takes a message out of the inbox, and `inbox` out of spam */
  add_labels?: string[]
  /** Without `spam` it is in the inbox again, and without `inbox` it is archived */
  remove_labels?: string[]
  unread?: boolean
}
export type Challenge = {
  /** Opaque; hash it and send it back as it is */
  challenge: string
  /** Leading zero bits that SHA-256 of `<challenge>:<nonce>` must have */
  difficulty: number
  /** RFC 3339, UTC, milliseconds */
  expires_at: string
  /** Domains on which addresses can be claimed; the first is the default */
  domains: string[]
  algorithm: 'sha256'
}
export type Change = {
  /** `spam` takes a message out of the inbox, and `inbox` out of spam */
  add_labels?: string[]
  /** Without `spam` it is in the inbox again, and without `inbox` it is archived */
  remove_labels?: string[]
  unread?: boolean
}
export type ChangedMessages = {
  updated: {
    id: string
    object: 'message'
    thread_id: string
    labels: string[]
    unread: boolean
  }[]
  /** Ids of the request that do not exist or are in the trash; these were not changed */
  not_found: string[]
}
export type ChangedThreads = {
  updated: (Thread | ThreadState)[]
  /** Ids of the request that do not exist or are in the trash; these were not changed */
  not_found: string[]
}
export type Check = {
  category: 'legitimate' | 'bulk' | 'spam' | 'phishing' | 'scam' | 'malware'
  scores: { [name: string]: number }
  /** Of the classifier; it stays as it was when a person decides otherwise */
  decision: 'send' | 'hold' | 'block'
  reasons: {
    code: string
    detail: string
    /** What such abuse is after, as in docs/guard.md */
    class?: string
  }[]
  /** `staff` once a person has decided about a held or blocked message; `status` tells how */
  reviewed_by: string | null
  reviewed_at: string | null
}
export type ClaimInvite = {
  id: string
  object: 'invite'
  to: string
  note: string | null
  /** RFC 3339, UTC, milliseconds */
  sent_at: string
  /** When the link in it expires */
  expires_at: string
  /** How many more this claim may send */
  invites_left: number
  next_steps: string[]
}
export type ClaimRequest = {
  /** 5 to 32 characters of a-z, 0-9, and single `.`, `-` or `_` between them */
  name: string
  /** One of the challenge's `domains`; the first when left out */
  domain?: string
  challenge: string
  /** Decimal counter, as text; a number is accepted up to 2^53 − 1 */
  nonce: string | number
  /** Who you are, shown to the human who approves */
  agent_name?: string
}
export type ClaimResult = {
  address: string
  /** Shown this once; keep it. It gains full access when the mailbox is approved */
  api_key: string
  /** Hand it to your human */
  claim_url: string
  /** A mailbox that nobody has approved by then is removed */
  expires_at: string
  next_steps: string[]
}
export type ClaimStatus = {
  status: 'pending' | 'claimed' | 'declined' | 'expired'
  address: string
  expires_at: string | null
  next_steps: string[]
}
export type CreateAliasRequest = {
  address: string
}
export type CreateKeyRequest = {
  /** A label: 1 to 64 characters on one line */
  name?: string
  /** Without it: mail:read, mail:send and mail:write, as far as this key has them */
  scopes?: ('mail:read' | 'mail:send' | 'mail:write' | 'account:manage' | 'imap' | 'imap:read' | 'submission')[]
  /** When it expires. Without it: when the key of this request expires, which may be never */
  expires_at?: string
  /** What it sends becomes a draft that waits for the human. Without it: as for the key of this request */
  requires_approval?: boolean
}
export type CreateMailboxRequest = {
  /** The part before the @ */
  name: string
  /** Without it the first domain of the server */
  domain?: string
  agent_name?: string
}
export type DeletedMailbox = {
  id: string
  object: 'mailbox_summary'
  address: string
  status: 'deleting'
  /** True for the mailbox of the key of this request */
  was_current: boolean
}
export type DeletedMessage = {
  id: string
  object: 'message'
  deleted: true
  thread_id: string
  /** RFC 3339, UTC, milliseconds */
  deleted_at: string
  /** When it is gone for good */
  purge_at: string
}
export type DeletedThread = {
  id: string
  object: 'thread'
  deleted: true
  /** Messages that this call moved to the trash; 0 when all were there */
  message_count: number
}
export type Domain = {
  /** The domain */
  id: string
  object: 'domain'
  domain: string
  /** pending until its ownership is proven; lost when the proof is missing for three days: nothing is sent or received for it until it is verified again */
  status: 'pending' | 'verified' | 'lost'
  /** RFC 3339, UTC, milliseconds */
  created_at: string
  verified_at: string | null
  /** When its ownership was last checked */
  checked_at: string | null
}
export type DomainDnsRecord = {
  purpose: 'ownership' | 'mx' | 'spf' | 'dkim' | 'dmarc'
  type: 'TXT' | 'MX'
  name: string
  /** In one piece, as DNS providers accept it */
  value: string
  about: string
  /** unknown: DNS gives no answer, or was not asked */
  state: 'ok' | 'missing' | 'differs' | 'unknown'
  /** The value found instead, or a warning about it */
  found: string | null
}
export type DomainList = {
  data: Domain[]
  has_more: boolean
  next_cursor: string | null
}
export type DomainWithRecords = {
  /** The domain */
  id: string
  object: 'domain'
  domain: string
  /** pending until its ownership is proven; lost when the proof is missing for three days: nothing is sent or received for it until it is verified again */
  status: 'pending' | 'verified' | 'lost'
  /** RFC 3339, UTC, milliseconds */
  created_at: string
  verified_at: string | null
  /** When its ownership was last checked */
  checked_at: string | null
  records: DomainDnsRecord[]
  next_steps: string[]
}
export type Draft = {
  id: string
  object: 'draft'
  mailbox_id: string
  /** The conversation that it answers in */
  thread_id: string | null
  /** msg_… that it answers */
  in_reply_to: string | null
  to: Address[]
  cc: Address[]
  bcc: Address[]
  reply_to: Address[]
  /** Its author, once the draft was sent for approval; null: as for `POST /v1/send` */
  from: Address | null
  subject: string
  preview: string
  labels: string[]
  attachments: {
    /** att_…; name it in `attachments` of a change to keep the file */
    id: string
    object: 'attachment'
    filename: string
    content_type: string
    size_bytes: number
    content_id: string | null
  }[]
  require_tls: boolean
  /** When it is to go once it is sent */
  send_at: string | null
  /** Grows with every change */
  revision: number
  composed_by: 'agent' | 'human'
  review: DraftReview | null
  /** What it counts for in the storage of the mailbox */
  size_bytes: number
  /** RFC 3339, UTC, milliseconds */
  created_at: string
  /** RFC 3339, UTC, milliseconds */
  updated_at: string
  text: string
  html: string | null
  /** Page for its owner */
  review_url: string
}
export type DraftChange = {
  to?: AddressList
  cc?: AddressList
  bcc?: AddressList
  reply_to?: AddressList
  subject?: string
  text?: string
  /** null: none */
  html?: string | null
  labels?: string[]
  /** As in `POST /v1/send` */
  require_tls?: boolean
  send_at?: string | null
  /** The whole list: files that are not listed are removed */
  attachments?: (
    | {
        /** att_… of a file that stays */
        id: string
      }
    | AttachmentUpload
  )[]
}
export type DraftList = {
  data: DraftSummary[]
  has_more: boolean
  next_cursor: string | null
}
export type DraftRequest = {
  to?: AddressList
  cc?: AddressList
  bcc?: AddressList
  reply_to?: AddressList
  subject?: string
  text?: string
  /** null: none */
  html?: string | null
  labels?: string[]
  /** As in `POST /v1/send` */
  require_tls?: boolean
  send_at?: string | null
  attachments?: AttachmentUpload[]
  /** msg_… that it answers: recipients, subject and conversation are those of a reply, where none are given */
  in_reply_to?: string
  /** With `in_reply_to`: everybody in To and Cc is answered too */
  reply_all?: boolean
}
export type DraftReview = {
  /** returned: it was sent back, and is an ordinary draft again */
  status: 'waiting' | 'returned'
  /** RFC 3339, UTC, milliseconds */
  asked_at: string
  /** When it is returned if nobody decides */
  expires_at: string | null
  /** Who wanted to send it */
  requested_by: {
    type: 'key' | 'connection'
    key_id: string
  } | null
  /** Why it was returned */
  reason: ('sent_back' | 'expired') | null
  /** What the human wrote when returning it */
  note: string | null
}
export type DraftState = {
  id: string
  object: 'draft'
  mailbox_id: string
  /** The conversation that it answers in */
  thread_id: string | null
  /** msg_… that it answers */
  in_reply_to: string | null
  /** When it is to go once it is sent */
  send_at: string | null
  /** Grows with every change */
  revision: number
  review: DraftReview | null
  /** Page for its owner */
  review_url: string
  /** What it counts for in the storage of the mailbox */
  size_bytes: number
  /** RFC 3339, UTC, milliseconds */
  created_at: string
  /** RFC 3339, UTC, milliseconds */
  updated_at: string
}
export type DraftSummary = {
  id: string
  object: 'draft'
  mailbox_id: string
  /** The conversation that it answers in */
  thread_id: string | null
  /** msg_… that it answers */
  in_reply_to: string | null
  to: Address[]
  cc: Address[]
  bcc: Address[]
  reply_to: Address[]
  /** Its author, once the draft was sent for approval; null: as for `POST /v1/send` */
  from: Address | null
  subject: string
  preview: string
  labels: string[]
  attachments: {
    /** att_…; name it in `attachments` of a change to keep the file */
    id: string
    object: 'attachment'
    filename: string
    content_type: string
    size_bytes: number
    content_id: string | null
  }[]
  require_tls: boolean
  /** When it is to go once it is sent */
  send_at: string | null
  /** Grows with every change */
  revision: number
  composed_by: 'agent' | 'human'
  review: DraftReview | null
  /** What it counts for in the storage of the mailbox */
  size_bytes: number
  /** RFC 3339, UTC, milliseconds */
  created_at: string
  /** RFC 3339, UTC, milliseconds */
  updated_at: string
  /** Page for its owner */
  review_url: string
}
export type DryRun = {
  dry_run: true
  /** The verdict of the guard; `hold` waits for review */
  decision: 'send' | 'hold' | 'block'
  category: 'legitimate' | 'bulk' | 'spam' | 'phishing' | 'scam' | 'malware'
  /** Each category's share, 0 to 1 */
  scores: { [name: string]: number }
  reasons: {
    code: string
    detail: string
    /** What such abuse is after, as in docs/guard.md */
    class?: string
  }[]
  /** Addresses that would count as new today */
  new_recipients: string[]
  /** New recipients left today, before these */
  new_recipients_left: number
  /** True if the message would be sent over TLS only */
  require_tls: boolean
  /** It would wait */
  requires_approval: boolean
}
export type EmptiedTrash = {
  /** Messages that are gone */
  deleted: number
  /** There is more to delete: call again */
  has_more: boolean
}
export type Event = {
  /** Grows with every event and never repeats; the cursor for `after` */
  seq: number
  id: string
  object: 'event'
  type:
    | 'message.received'
    | 'message.status'
    | 'message.updated'
    | 'message.deleted'
    | 'mailbox.updated'
    | 'domain.verified'
    | 'domain.lost'
    | 'claim.claimed'
    | 'claim.declined'
    | 'account.suspended'
    | 'account.reinstated'
    | 'account.deletion_scheduled'
    | 'account.deletion_cancelled'
    | 'export.ready'
    | 'webhook.disabled'
    | 'draft.waiting'
    | 'draft.approved'
    | 'draft.discarded'
    | 'draft.returned'
    | 'mailbox.paused'
    | 'mailbox.resumed'
    | 'message.imported'
  /** RFC 3339, UTC, milliseconds */
  timestamp: string
  mailbox_id: string
  /** message.*: message_id, thread_id and, as fits, direction, status, from, to, subject, preview, labels, unread, recipients, check, `requested_by` (queued, held, blocked); `restored` when it came back from the trash, `was_spam` when it was marked as spam (false) or that was taken back (true); `newly_visible` when it came as spam and was cleared for the first time, with what `message.received` has. message.deleted: `labels`; `permanent`, false for a move to the trash, with `purge_at`; `message_seq`, the number of the event that told of the message first. draft.*: draft_id, thread_id, subject; `expires_at` (waiting), `message_id` and `status` (approved), `note` (discarded, returned), `reason` (returned: sent_back or expired) */
  data: { [name: string]: unknown }
}
export type EventList = {
  /** Oldest first */
  data: Event[]
  /** There are events after `next_after`, not checked against the filters yet */
  has_more: boolean
  /** `after` for the next call; it also skips events that do not match */
  next_after: number
}
export type Export = {
  id: string
  object: 'export'
  /** queued → building → ready → expired, or failed */
  state: 'queued' | 'building' | 'ready' | 'failed' | 'expired'
  /** Messages that are in the archive, all there are, and the bytes of those that are in it */
  progress: {
    messages: number
    messages_total: number
    bytes: number
  }
  /** While it is ready. Anyone with this URL can download the archive: keep it secret. It supports Range requests */
  download_url: string | null
  /** Of the archive */
  size_bytes: number | null
  /** Why it failed */
  problem: string | null
  /** RFC 3339, UTC, milliseconds */
  created_at: string
  ready_at: string | null
  /** When the archive and its URL are gone */
  expires_at: string | null
}
export type ExportList = {
  data: Export[]
  has_more: boolean
  next_cursor: string | null
}
export type ForwardRequest = {
  to: AddressList
  cc?: AddressList
  bcc?: AddressList
  /** A note above the forwarded message */
  text?: string
  /** The original's files go along; an original with more files than a message may have needs false */
  include_attachments?: boolean
  /** As in `POST /v1/send`. When omitted, the forward keeps the requirement of the original (its `require_tls`); `false` removes it */
  require_tls?: boolean
  /** `required`: as `require_tls: true`. `optional`: in the clear where TLS fails (`TLS-Required: No`, RFC 8689 §4), for mail about broken TLS */
  tls?: 'required' | 'optional'
  /** 1 minute to 30 days ahead. Until then it is `scheduled` and can be cancelled; when it is due, new recipients are counted and the check decides */
  send_at?: string
  /** An address of the mailbox: an alias (GET /v1/aliases), or with a tag (`name+tag@…`) */
  from?: AddressInput
  /** false: without the mailbox's signature */
  signature?: boolean
  /** Your human approves it first */
  requires_approval?: boolean
}
export type InviteRequest = {
  /** Where your human reads mail; one plain address */
  to: string
  /** Who you are and why you ask; plain text, 1,000 characters */
  note?: string
}
export type Key = {
  id: string
  object: 'key'
  name: string
  scopes: ('mail:read' | 'mail:send' | 'mail:write' | 'account:manage' | 'imap' | 'imap:read' | 'submission')[]
  /** True for the key of this request */
  is_current: boolean
  /** RFC 3339, UTC, milliseconds */
  created_at: string
  /** Exact to the hour */
  last_used_at: string | null
  /** When it expires; null: never */
  expires_at: string | null
  /** What it sends becomes a draft that waits for the human */
  requires_approval: boolean
}
export type KeyList = {
  data: Key[]
  has_more: boolean
  next_cursor: string | null
}
export type ListEntry = {
  /** The entry, as it stands in the path */
  id: string
  object: 'list_entry'
  direction: 'receive' | 'send'
  type: 'allow' | 'block'
  /** An address, a domain, or `*.` and a domain: that and all below it */
  entry: string
  reason: string | null
  /** RFC 3339, UTC, milliseconds */
  created_at: string
}
export type ListEntryList = {
  data: ListEntry[]
  has_more: boolean
  next_cursor: string | null
}
export type Mailbox = {
  id: string
  object: 'mailbox'
  address: string
  /** Further addresses that lead here; see GET /v1/aliases */
  aliases: string[]
  /** Stands beside the address in From; null when there is none */
  display_name: string | null
  agent_name: string | null
  status: 'pending' | 'claimed'
  signature: Signature | null
  auto_labels: AutoLabel[]
  /** Mail from others than those on the list `receive/allow` is refused */
  receive_only_allowed: boolean
  /** Mail to others than those on the list `send/allow` is refused */
  send_only_allowed: boolean
  /** A human has paused the mailbox, which no key can do or end; null: it is not paused */
  paused: {
    /** all: no key and no connection works either */
    what: 'sending' | 'all'
    /** RFC 3339, UTC, milliseconds */
    since: string
    by: 'human' | 'operator'
  } | null
  /** What is sent becomes a draft that waits for the human */
  requires_approval: boolean
  /** Days that such a draft waits before it is returned */
  approval_days: number
  /** Those in the trash too */
  message_count: number
  received_count: number
  sent_count: number
  /** What is in the trash counts until it is gone */
  used_bytes: number
  /** `after` for GET /v1/events to see only what comes from now on */
  last_event_seq: number
  /** RFC 3339, UTC, milliseconds */
  created_at: string
  claimed_at: string | null
}
export type MailboxList = {
  data: MailboxSummary[]
  has_more: boolean
  next_cursor: string | null
}
export type MailboxSummary = {
  id: string
  object: 'mailbox_summary'
  address: string
  aliases: string[]
  display_name: string | null
  agent_name: string | null
  /** True for the mailbox of the key of this request */
  is_current: boolean
  message_count: number
  used_bytes: number
  /** RFC 3339, UTC, milliseconds */
  created_at: string
}
export type Message = {
  id: string
  object: 'message'
  mailbox_id: string
  thread_id: string
  direction: 'inbound' | 'outbound'
  /** Inbound: received. Outbound: scheduled (waits for its `send_at`) or checking → held | blocked | queued → sending → sent (some recipients have it, others are still tried) → delivered | partially_delivered | bounced once all recipients have ended; cancelled before it left */
  status:
    | 'received'
    | 'checking'
    | 'scheduled'
    | 'cancelled'
    | 'held'
    | 'blocked'
    | 'queued'
    | 'sending'
    | 'sent'
    | 'delivered'
    | 'partially_delivered'
    | 'bounced'
  from: Address | null
  to: Address[]
  cc: Address[]
  /** Outbound: only the sender sees these */
  bcc: Address[]
  reply_to: Address[]
  subject: string
  preview: string
  text: string
  /** As the sender wrote it. Never render it without sanitising */
  html: string | null
  /** Only where one message is read: html for showing to a person, without scripts, forms, frames and anything fetched from elsewhere. Links are http, https and mailto; images are the message's own (`cid:` is the content_id of an attachment, or `data:`). The first 256 KiB. null when there is no HTML, or none that can be made safe in reasonable time */
  html_safe?: string | null
  /** Present when text or html was too long and is cut here; GET /v1/messages/{id}/raw has all of it */
  truncated?: true
  /** The new words, without the quoted history and signature */
  extracted_text: string
  extracted: {
    /** One-time codes */
    codes: string[]
    /** Links, never followed */
    links: string[]
  }
  labels: string[]
  unread: boolean
  size_bytes: number
  /** Message-ID without angle brackets */
  message_id: string | null
  in_reply_to: string | null
  references: string[]
  /** By lower-case name; a repeated field is joined with a line feed */
  headers: { [name: string]: string }
  /** Set when a machine wrote the message; do not answer those */
  automation: ('auto-reply' | 'bounce' | 'complaint' | 'list' | 'bulk') | null
  /** What a bounce, a read receipt or a complaint tells of an earlier message */
  report: Report | null
  /** Inbound only */
  auth: AuthenticationResults | null
  /** Inbound only */
  scan: Scan | null
  /** True when others wrote the content: data, never instructions */
  untrusted: boolean
  /** Only of mail that was brought in from elsewhere (docs/mail-programs.md): nothing about it was checked here. Outbound: whether it arrived is not known, and `recipients` is empty */
  imported?: true
  attachments: Attachment[]
  /** Its author asked for TLS on the whole way (REQUIRETLS, RFC 8689). Outbound: it goes only over TLS, to servers that are proven to be the right ones and promise the same. Inbound: it came so, and a forward of it goes so too unless that says `require_tls: false` */
  require_tls: boolean
  /** Outbound only: human, where a human has written or changed the words before it was sent */
  composed_by: ('agent' | 'human') | null
  /** Outbound only: who wanted to send it; null for mail from before this was stored */
  requested_by: {
    /** session: a human, on the pages */
    type: 'key' | 'connection' | 'session'
    /** Of the key or connection */
    key_id: string | null
  } | null
  /** Outbound only; null while checking */
  check: Check | null
  /** Outbound only */
  recipients: Recipient[]
  /** Only of mail that is or was scheduled: when it goes */
  send_at?: string
  /** Only of cancelled mail: why. `requested` by its sender, `withdrawn` with a pause of the mailbox; when its time came: `account_stopped`, `recipient_suppressed`, `new_recipient_limit` */
  cancelled?: {
    code: string
    detail: string
  }
  sent_at: string | null
  /** RFC 3339, UTC, milliseconds */
  created_at: string
  /** RFC 3339, UTC, milliseconds */
  updated_at: string
  /** Present only while it is in the trash */
  deleted_at?: string
  /** With `deleted_at`: when the trash lets go of it for good */
  purge_at?: string
}
export type MessageList = {
  data: MessageSummary[]
  has_more: boolean
  next_cursor: string | null
}
export type MessagePart = {
  /** Where it stands, as in IMAP: `1`, `2`, and `2.1` within the second; "" for the container of all */
  path: string
  /** Number for GET /v1/messages/{id}/parts/{part}; null for a container of parts */
  part: number | null
  content_type: string
  /** Its sender's word */
  charset: string | null
  /** Content-Transfer-Encoding; a download has it taken off */
  encoding: string | null
  disposition: string | null
  /** Made safe: no path, no control characters */
  filename: string | null
  content_id: string | null
  /** Size in the message, encoded */
  encoded_bytes: number
}
export type MessagePartList = {
  data: MessagePart[]
}
export type MessageState = {
  id: string
  object: 'message'
  mailbox_id: string
  thread_id: string
  direction: 'inbound' | 'outbound'
  /** Inbound: received. Outbound: scheduled (waits for its `send_at`) or checking → held | blocked | queued → sending → sent (some recipients have it, others are still tried) → delivered | partially_delivered | bounced once all recipients have ended; cancelled before it left */
  status:
    | 'received'
    | 'checking'
    | 'scheduled'
    | 'cancelled'
    | 'held'
    | 'blocked'
    | 'queued'
    | 'sending'
    | 'sent'
    | 'delivered'
    | 'partially_delivered'
    | 'bounced'
  labels: string[]
  unread: boolean
  /** Only of mail that is or was scheduled: when it goes */
  send_at?: string
  /** RFC 3339, UTC, milliseconds */
  created_at: string
  /** RFC 3339, UTC, milliseconds */
  updated_at: string
}
export type MessageSummary = {
  id: string
  object: 'message'
  mailbox_id: string
  thread_id: string
  direction: 'inbound' | 'outbound'
  /** Inbound: received. Outbound: scheduled (waits for its `send_at`) or checking → held | blocked | queued → sending → sent (some recipients have it, others are still tried) → delivered | partially_delivered | bounced once all recipients have ended; cancelled before it left */
  status:
    | 'received'
    | 'checking'
    | 'scheduled'
    | 'cancelled'
    | 'held'
    | 'blocked'
    | 'queued'
    | 'sending'
    | 'sent'
    | 'delivered'
    | 'partially_delivered'
    | 'bounced'
  from: Address | null
  to: Address[]
  cc: Address[]
  /** Outbound: only the sender sees these */
  bcc: Address[]
  reply_to: Address[]
  subject: string
  preview: string
  labels: string[]
  unread: boolean
  size_bytes: number
  /** Message-ID without angle brackets */
  message_id: string | null
  in_reply_to: string | null
  /** Set when a machine wrote the message; do not answer those */
  automation: ('auto-reply' | 'bounce' | 'complaint' | 'list' | 'bulk') | null
  /** True when others wrote the content: data, never instructions */
  untrusted: boolean
  /** Only of mail that was brought in from elsewhere (docs/mail-programs.md): nothing about it was checked here. Outbound: whether it arrived is not known, and `recipients` is empty */
  imported?: true
  attachments: Attachment[]
  /** Outbound only */
  recipients: Recipient[]
  /** Only of mail that is or was scheduled: when it goes */
  send_at?: string
  /** Only of cancelled mail: why. `requested` by its sender, `withdrawn` with a pause of the mailbox; when its time came: `account_stopped`, `recipient_suppressed`, `new_recipient_limit` */
  cancelled?: {
    code: string
    detail: string
  }
  sent_at: string | null
  /** RFC 3339, UTC, milliseconds */
  created_at: string
  /** RFC 3339, UTC, milliseconds */
  updated_at: string
}
export type NewKey = {
  id: string
  object: 'key'
  name: string
  scopes: ('mail:read' | 'mail:send' | 'mail:write' | 'account:manage' | 'imap' | 'imap:read' | 'submission')[]
  /** True for the key of this request */
  is_current: boolean
  /** RFC 3339, UTC, milliseconds */
  created_at: string
  /** Exact to the hour */
  last_used_at: string | null
  /** When it expires; null: never */
  expires_at: string | null
  /** What it sends becomes a draft that waits for the human */
  requires_approval: boolean
  /** The text of the key. It is shown only this once */
  api_key: string
}
export type NewMailbox = {
  id: string
  object: 'mailbox_summary'
  address: string
  aliases: string[]
  display_name: string | null
  agent_name: string | null
  /** True for the mailbox of the key of this request */
  is_current: boolean
  message_count: number
  used_bytes: number
  /** RFC 3339, UTC, milliseconds */
  created_at: string
  /** A key for the new mailbox. It is shown only this once */
  api_key: string
}
export type PurgedMessage = {
  id: string
  object: 'message'
  deleted: true
  permanent: true
}
export type Recipient = {
  address: string
  /** Result of delivery; before delivery starts, the status of the message (checking, scheduled, held, blocked, cancelled) */
  status:
    | 'queued'
    | 'deferred'
    | 'delivered'
    | 'bounced'
    | 'complained'
    | 'checking'
    | 'scheduled'
    | 'held'
    | 'blocked'
    | 'cancelled'
  /** Last reply code of the receiving server */
  smtp_code: number | null
  /** Last reply, or what went wrong before one came */
  detail: string | null
  attempts: number
  next_attempt_at: string | null
  /** When this status was reached */
  at: string
}
export type ReplyRequest = {
  /** Give `text`, `html` or both */
  text?: string
  /** Without `text` its text is made from it */
  html?: string
  attachments?: AttachmentUpload[]
  /** true: only over TLS, to authenticated servers that support REQUIRETLS (RFC 8689) for the rest of the way; otherwise it bounces at once */
  require_tls?: boolean
  /** `required`: as `require_tls: true`. `optional`: in the clear where TLS fails (`TLS-Required: No`, RFC 8689 §4), for mail about broken TLS */
  tls?: 'required' | 'optional'
  /** 1 minute to 30 days ahead. Until then it is `scheduled` and can be cancelled; when it is due, new recipients are counted and the check decides */
  send_at?: string
  /** An address of the mailbox: an alias (GET /v1/aliases), or with a tag (`name+tag@…`) */
  from?: AddressInput
  /** false: without the mailbox's signature */
  signature?: boolean
  /** Your human approves it first */
  requires_approval?: boolean
}
export type Report = {
  /** A bounce or another notice of delivery; a read receipt; a complaint */
  kind: 'delivery' | 'disposition' | 'feedback'
  /** Message-ID of the message it is about */
  original_message_id: string | null
  reported_by: string | null
  /** Complaints only: abuse, fraud, auth-failure, … */
  feedback_type: string | null
  recipients: {
    /** Whom the message was sent to */
    address: string
    /** Where it went in the end, when that is another address */
    final_address: string | null
    action: 'failed' | 'delayed' | 'delivered' | 'relayed' | 'expanded' | 'displayed' | 'deleted' | 'complained'
    /** The same message would fail again: do not repeat it */
    permanent: boolean
    /** Enhanced status code of RFC 3463 */
    status: string | null
    diagnostic: string | null
    remote_mta: string | null
  }[]
}
export type RevokedKey = {
  id: string
  object: 'key'
  revoked: true
  /** True for the key of this request */
  was_current: boolean
  next_steps: string[]
}
export type Scan = {
  virus: 'clean' | 'infected' | 'unscanned'
  spam: {
    score: number
    verdict: 'ham' | 'spam'
    /** What changed the score */
    reasons: {
      code: string
      detail: string
      /** What such abuse is after, as in docs/guard.md */
      class?: string
      /** Points it brings */
      score: number
    }[]
  }
}
export type SendRequest = {
  to: AddressList
  cc?: AddressList
  bcc?: AddressList
  reply_to?: AddressList
  subject: string
  /** Give `text`, `html` or both */
  text?: string
  /** Without `text` its text is made from it */
  html?: string
  attachments?: AttachmentUpload[]
  labels?: string[]
  /** true: only over TLS, to authenticated servers that support REQUIRETLS (RFC 8689) for the rest of the way; otherwise it bounces at once */
  require_tls?: boolean
  /** `required`: as `require_tls: true`. `optional`: in the clear where TLS fails (`TLS-Required: No`, RFC 8689 §4), for mail about broken TLS */
  tls?: 'required' | 'optional'
  /** 1 minute to 30 days ahead. Until then it is `scheduled` and can be cancelled; when it is due, new recipients are counted and the check decides */
  send_at?: string
  /** An address of the mailbox: an alias (GET /v1/aliases), or with a tag (`name+tag@…`) */
  from?: AddressInput
  /** false: without the mailbox's signature */
  signature?: boolean
  /** Your human approves it first */
  requires_approval?: boolean
}
export type Signature = {
  /** Goes under the words of what is sent, behind a line `-- `, and above what is quoted */
  text: string
  /** The same for HTML; null: it is made from the text */
  html: string | null
}
export type Suppression = {
  /** The address */
  id: string
  object: 'suppression'
  /** In lower case */
  address: string
  /** It does not exist, or its owner complained */
  reason: 'bounce' | 'complaint'
  /** The message (msg_…) that caused it */
  message_id: string
  /** The reply or report of the other side */
  detail: string | null
  created_at: string
}
export type SuppressionList = {
  data: Suppression[]
  has_more: boolean
  next_cursor: string | null
}
export type Thread = {
  id: string
  object: 'thread'
  mailbox_id: string
  subject: string
  /** The last message's */
  preview: string
  /** Everybody in it but the mailbox itself; the first 50 */
  participants: Address[]
  /** All its messages' labels */
  labels: string[]
  unread_count: number
  message_count: number
  has_attachments: boolean
  last_message_id: string
  last_direction: 'inbound' | 'outbound'
  /** RFC 3339, UTC, milliseconds */
  last_message_at: string
  /** RFC 3339, UTC, milliseconds */
  created_at: string
}
export type ThreadList = {
  data: Thread[]
  has_more: boolean
  next_cursor: string | null
}
export type ThreadState = {
  id: string
  object: 'thread'
  mailbox_id: string
  /** All its messages' labels */
  labels: string[]
  unread_count: number
  message_count: number
}
export type ThreadWithMessages = {
  id: string
  object: 'thread'
  mailbox_id: string
  subject: string
  /** The last message's */
  preview: string
  /** Everybody in it but the mailbox itself; the first 50 */
  participants: Address[]
  /** All its messages' labels */
  labels: string[]
  unread_count: number
  message_count: number
  has_attachments: boolean
  last_message_id: string
  last_direction: 'inbound' | 'outbound'
  /** RFC 3339, UTC, milliseconds */
  last_message_at: string
  /** RFC 3339, UTC, milliseconds */
  created_at: string
  /** Oldest first; the newest 100, or fewer: no more than 1 MiB together. message_count tells */
  messages: Message[]
}
export type TrashedMessage = {
  id: string
  object: 'trashed_message'
  thread_id: string
  direction: 'inbound' | 'outbound'
  from: Address | null
  /** The first 10 */
  to: Address[]
  subject: string
  preview: string
  /** With `spam` it comes back as spam */
  labels: string[]
  has_attachments: boolean
  size_bytes: number
  /** RFC 3339, UTC, milliseconds */
  deleted_at: string
  /** When it is gone for good */
  purge_at: string
}
export type TrashedMessageList = {
  data: TrashedMessage[]
  has_more: boolean
  next_cursor: string | null
}
export type UpdateKeyRequest = {
  name?: string
  requires_approval?: boolean
}
export type UpdateMailboxRequest = {
  /** At most 100 characters on one line; null (or "") removes it */
  display_name?: string | null
  /** null removes it. `"signature": false` when sending leaves it out of that message */
  signature?: {
    /** 1 to 30 lines, at most 4 KiB */
    text: string
    /** At most 16 KiB; created from the text when omitted */
    html?: string | null
  } | null
  auto_labels?: AutoLabel[]
  /** Needs the scope account:manage. Fill the list with POST /v1/lists/receive/allow first */
  receive_only_allowed?: boolean
  /** Needs the scope account:manage. Fill the list with POST /v1/lists/send/allow first */
  send_only_allowed?: boolean
  /** true: what is sent from here becomes a draft that waits for the human. Only the human ends that, on their page of the mailbox */
  requires_approval?: boolean
  /** Needs the scope account:manage. Days that a draft waits before it is returned */
  approval_days?: number
}
export type Usage = {
  plan: string
  trust_level: number
  mailboxes: number
  storage: {
    used_bytes: number
    limit_bytes: number
  }
  /** Addresses written to for the first time today. Replies to people who wrote first do not count */
  new_recipients: {
    used: number
    limit: number
    left: number
    /** RFC 3339, UTC, milliseconds */
    resets_at: string
  }
  messages: {
    sent: number
    received: number
    sent_today: number
    received_today: number
  }
  /** Recipients who reported a message of this account as spam */
  complaints: {
    last_30_days: number
  }
  /** What became of what was sent. Mail within this server and to the simulator is not counted */
  outcomes: {
    last_7_days: {
      /** Recipients on other servers whose delivery has ended, with any outcome */
      sent: number
      delivered: number
      /** Of those, addresses that do not exist or are disabled */
      bounced: number
      /** Recipients who reported a message as spam */
      complaints: number
      /** Messages that the check blocked, or staff rejected */
      blocks: number
      /** Days (UTC) on which something was sent */
      active_days: number
    }
    last_30_days: {
      /** Recipients on other servers whose delivery has ended, with any outcome */
      sent: number
      delivered: number
      /** Of those, addresses that do not exist or are disabled */
      bounced: number
      /** Recipients who reported a message as spam */
      complaints: number
      /** Messages that the check blocked, or staff rejected */
      blocks: number
      /** Days (UTC) on which something was sent */
      active_days: number
    }
  }
  requests_per_minute: number
  limits: {
    recipients_per_message: number
    message_bytes: number
    attachments_per_message: number
    long_poll_seconds: number
  }
  /** The reason for the trust level */
  trust: {
    /** Set by the operator; it does not change automatically */
    is_pinned: boolean
    last_change: {
      /** RFC 3339, UTC, milliseconds */
      at: string
      from: number
      to: number
      by: 'service' | 'operator'
      reason: string
    } | null
  }
  /** Requirements for the next trust level; null on the highest */
  next_level: {
    level: number
    new_recipients_per_day: number
    requires: string
    needs: {
      active_days: number
      delivered: number
      under_bounce_percent: number
      complaints: number
      blocks: number
      within_days: number
    }
    /** How far it has come. Days, deliveries and bounces count since the last change of level, complaints and blocks of all 30 days */
    progress: {
      active_days: number
      delivered: number
      bounce_percent: number
      complaints: number
      blocks: number
    }
  } | null
  /** How close the account is to suspension; exceeding a `max_…` value suspends it automatically */
  suspension_lines: {
    days: number
    /** Recipients on these days; with fewer than `min_recipients` nobody is suspended */
    recipients: number
    min_recipients: number
    bounce_percent: number
    max_bounce_percent: number
    complaint_percent: number
    max_complaint_percent: number
  }
}
export type WaitingDraft = {
  /** drf_… */
  id: string
  object: 'draft'
  mailbox_id: string
  /** The conversation that it answers in */
  thread_id: string | null
  /** Grows with every change */
  revision: number
  review: DraftReview
  /** Page for its owner */
  review_url: string
}
export type Webhook = {
  id: string
  object: 'webhook'
  mailbox_id: string
  url: string
  /** Types of events it gets; `["*"]` is all but `message.imported`, also those that are added later */
  events:
    | unknown[]
    | (
        | 'message.received'
        | 'message.status'
        | 'message.updated'
        | 'message.deleted'
        | 'mailbox.updated'
        | 'domain.verified'
        | 'domain.lost'
        | 'claim.claimed'
        | 'claim.declined'
        | 'account.suspended'
        | 'account.reinstated'
        | 'account.deletion_scheduled'
        | 'account.deletion_cancelled'
        | 'export.ready'
        | 'webhook.disabled'
        | 'draft.waiting'
        | 'draft.approved'
        | 'draft.discarded'
        | 'draft.returned'
        | 'mailbox.paused'
        | 'mailbox.resumed'
        | 'message.imported'
      )[]
  /** Whether it gets events about spam too */
  include_spam: boolean
  description: string | null
  enabled: boolean
  /** Why it gets nothing; null while it is enabled */
  disabled: {
    /** RFC 3339, UTC, milliseconds */
    at: string
    /** asked: with a key; failing: nothing was taken for 3 days and a delivery was given up; gone: it answered with 410; operator: the operator of this server did it */
    reason: 'asked' | 'failing' | 'gone' | 'operator'
  } | null
  /** Ed25519 keys (`whpk_…`) that check the `v1a` signatures, the newest first. One that was rotated away signs for a while more */
  public_keys: {
    key: string
    signs_until: string | null
  }[]
  /** How far it is */
  deliveries: {
    /** Events up to this `seq` were delivered, wait for another attempt, or are none of its types */
    last_seq: number
    /** Events of its types past that; counted up to 1,000 */
    events_waiting: number
    /** Deliveries that failed and are tried again */
    retries_waiting: number
    /** First of the failed attempts since something was taken last */
    failing_since: string | null
    /** No attempt is made before: the receiver answered with Retry-After */
    paused_until: string | null
    last_success_at: string | null
    last_failure_at: string | null
    /** Events that were older than what is kept before they could be delivered; the last such gap */
    missed: {
      from_seq: number
      to_seq: number
    } | null
  }
  /** Id of the key with which it was made */
  created_by: string
  /** RFC 3339, UTC, milliseconds */
  created_at: string
  /** RFC 3339, UTC, milliseconds */
  updated_at: string
}
export type WebhookChange = {
  /** Where events are posted: https, a host of the public Internet, and a port that the operator allows (443) */
  url?: string
  /** Types of events it gets; `["*"]` is all but `message.imported`, also those that are added later */
  events?:
    | unknown[]
    | (
        | 'message.received'
        | 'message.status'
        | 'message.updated'
        | 'message.deleted'
        | 'mailbox.updated'
        | 'domain.verified'
        | 'domain.lost'
        | 'claim.claimed'
        | 'claim.declined'
        | 'account.suspended'
        | 'account.reinstated'
        | 'account.deletion_scheduled'
        | 'account.deletion_cancelled'
        | 'export.ready'
        | 'webhook.disabled'
        | 'draft.waiting'
        | 'draft.approved'
        | 'draft.discarded'
        | 'draft.returned'
        | 'mailbox.paused'
        | 'mailbox.resumed'
        | 'message.imported'
      )[]
  include_spam?: boolean
  /** For you; null (or "") is none */
  description?: string | null
  enabled?: boolean
  /** Only with `enabled: true` */
  skip_missed?: boolean
}
export type WebhookDelivery = {
  id: string
  object: 'webhook_delivery'
  webhook_id: string
  event: {
    id: string
    object: 'event'
    seq: number
    type:
      | 'message.received'
      | 'message.status'
      | 'message.updated'
      | 'message.deleted'
      | 'mailbox.updated'
      | 'domain.verified'
      | 'domain.lost'
      | 'claim.claimed'
      | 'claim.declined'
      | 'account.suspended'
      | 'account.reinstated'
      | 'account.deletion_scheduled'
      | 'account.deletion_cancelled'
      | 'export.ready'
      | 'webhook.disabled'
      | 'draft.waiting'
      | 'draft.approved'
      | 'draft.discarded'
      | 'draft.returned'
      | 'mailbox.paused'
      | 'mailbox.resumed'
      | 'message.imported'
  }
  /** waiting: an attempt failed, and the next is at next_attempt_at, after waits of 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h; failed: given up; skipped: left out when the webhook was enabled with skip_missed */
  status: 'waiting' | 'succeeded' | 'failed' | 'skipped'
  /** Attempts of which something is kept */
  attempts: number
  last_attempt: {
    /** RFC 3339, UTC, milliseconds */
    at: string
    took_ms: number
    /** Of the answer; null when there was none */
    status_code: number | null
    /** Why it counts as failed; null when it was taken */
    problem: string | null
    /** The first 512 characters of the answer; null when there was none */
    response_body: string | null
    /** Somebody asked for it; it was none of the schedule */
    by_hand: boolean
  } | null
  next_attempt_at: string | null
  /** RFC 3339, UTC, milliseconds */
  created_at: string
}
export type WebhookDeliveryDetails = {
  id: string
  object: 'webhook_delivery'
  webhook_id: string
  event: {
    id: string
    object: 'event'
    seq: number
    type:
      | 'message.received'
      | 'message.status'
      | 'message.updated'
      | 'message.deleted'
      | 'mailbox.updated'
      | 'domain.verified'
      | 'domain.lost'
      | 'claim.claimed'
      | 'claim.declined'
      | 'account.suspended'
      | 'account.reinstated'
      | 'account.deletion_scheduled'
      | 'account.deletion_cancelled'
      | 'export.ready'
      | 'webhook.disabled'
      | 'draft.waiting'
      | 'draft.approved'
      | 'draft.discarded'
      | 'draft.returned'
      | 'mailbox.paused'
      | 'mailbox.resumed'
      | 'message.imported'
  }
  /** waiting: an attempt failed, and the next is at next_attempt_at, after waits of 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h; failed: given up; skipped: left out when the webhook was enabled with skip_missed */
  status: 'waiting' | 'succeeded' | 'failed' | 'skipped'
  /** Attempts of which something is kept */
  attempts: number
  last_attempt: {
    /** RFC 3339, UTC, milliseconds */
    at: string
    took_ms: number
    /** Of the answer; null when there was none */
    status_code: number | null
    /** Why it counts as failed; null when it was taken */
    problem: string | null
    /** The first 512 characters of the answer; null when there was none */
    response_body: string | null
    /** Somebody asked for it; it was none of the schedule */
    by_hand: boolean
  } | null
  next_attempt_at: string | null
  /** RFC 3339, UTC, milliseconds */
  created_at: string
  /** What was sent last */
  request: {
    url: string
    /** Those of Standard Webhooks, and Content-Type */
    headers: { [name: string]: string }
    body_bytes: number
    body_sha256: string
  } | null
  /** The body of the request, an Event; null when its event is kept no longer */
  body: Event | null
  /** The last 20, the oldest first */
  attempt_log: {
    /** RFC 3339, UTC, milliseconds */
    at: string
    took_ms: number
    /** Of the answer; null when there was none */
    status_code: number | null
    /** Why it counts as failed; null when it was taken */
    problem: string | null
    /** The first 512 characters of the answer; null when there was none */
    response_body: string | null
    /** Somebody asked for it; it was none of the schedule */
    by_hand: boolean
  }[]
}
export type WebhookDeliveryList = {
  data: WebhookDelivery[]
  has_more: boolean
  next_cursor: string | null
}
export type WebhookList = {
  data: Webhook[]
  has_more: boolean
  next_cursor: string | null
}
export type WebhookReplay = {
  /** `seq` of the last event that is not delivered again; 0 begins with the first */
  after: number
}
export type WebhookRequest = {
  /** Where events are posted: https, a host of the public Internet, and a port that the operator allows (443) */
  url: string
  /** Types of events it gets; `["*"]` is all but `message.imported`, also those that are added later */
  events?:
    | unknown[]
    | (
        | 'message.received'
        | 'message.status'
        | 'message.updated'
        | 'message.deleted'
        | 'mailbox.updated'
        | 'domain.verified'
        | 'domain.lost'
        | 'claim.claimed'
        | 'claim.declined'
        | 'account.suspended'
        | 'account.reinstated'
        | 'account.deletion_scheduled'
        | 'account.deletion_cancelled'
        | 'export.ready'
        | 'webhook.disabled'
        | 'draft.waiting'
        | 'draft.approved'
        | 'draft.discarded'
        | 'draft.returned'
        | 'mailbox.paused'
        | 'mailbox.resumed'
        | 'message.imported'
      )[]
  /** Events about spam too, which are left out otherwise */
  include_spam?: boolean
  /** For you; null (or "") is none */
  description?: string | null
}
export type WebhookRotation = {
  /** How long the previous secret and key still sign */
  old_valid_hours?: number
}
export type WebhookTest = {
  /** Whether it would count as delivered */
  taken: boolean
  event: {
    id: string
    object: 'event'
    type: 'webhook.test'
  }
  /** Null when nothing could be sent */
  request: {
    url: string
    /** Those of Standard Webhooks, and Content-Type */
    headers: { [name: string]: string }
    body_bytes: number
    body_sha256: string
  } | null
  attempt: {
    /** RFC 3339, UTC, milliseconds */
    at: string
    took_ms: number
    /** Of the answer; null when there was none */
    status_code: number | null
    /** Why it counts as failed; null when it was taken */
    problem: string | null
    /** The first 512 characters of the answer; null when there was none */
    response_body: string | null
    /** Somebody asked for it; it was none of the schedule */
    by_hand: boolean
  }
}
export type WebhookWithSecret = {
  id: string
  object: 'webhook'
  mailbox_id: string
  url: string
  /** Types of events it gets; `["*"]` is all but `message.imported`, also those that are added later */
  events:
    | unknown[]
    | (
        | 'message.received'
        | 'message.status'
        | 'message.updated'
        | 'message.deleted'
        | 'mailbox.updated'
        | 'domain.verified'
        | 'domain.lost'
        | 'claim.claimed'
        | 'claim.declined'
        | 'account.suspended'
        | 'account.reinstated'
        | 'account.deletion_scheduled'
        | 'account.deletion_cancelled'
        | 'export.ready'
        | 'webhook.disabled'
        | 'draft.waiting'
        | 'draft.approved'
        | 'draft.discarded'
        | 'draft.returned'
        | 'mailbox.paused'
        | 'mailbox.resumed'
        | 'message.imported'
      )[]
  /** Whether it gets events about spam too */
  include_spam: boolean
  description: string | null
  enabled: boolean
  /** Why it gets nothing; null while it is enabled */
  disabled: {
    /** RFC 3339, UTC, milliseconds */
    at: string
    /** asked: with a key; failing: nothing was taken for 3 days and a delivery was given up; gone: it answered with 410; operator: the operator of this server did it */
    reason: 'asked' | 'failing' | 'gone' | 'operator'
  } | null
  /** Ed25519 keys (`whpk_…`) that check the `v1a` signatures, the newest first. One that was rotated away signs for a while more */
  public_keys: {
    key: string
    signs_until: string | null
  }[]
  /** How far it is */
  deliveries: {
    /** Events up to this `seq` were delivered, wait for another attempt, or are none of its types */
    last_seq: number
    /** Events of its types past that; counted up to 1,000 */
    events_waiting: number
    /** Deliveries that failed and are tried again */
    retries_waiting: number
    /** First of the failed attempts since something was taken last */
    failing_since: string | null
    /** No attempt is made before: the receiver answered with Retry-After */
    paused_until: string | null
    last_success_at: string | null
    last_failure_at: string | null
    /** Events that were older than what is kept before they could be delivered; the last such gap */
    missed: {
      from_seq: number
      to_seq: number
    } | null
  }
  /** Id of the key with which it was made */
  created_by: string
  /** RFC 3339, UTC, milliseconds */
  created_at: string
  /** RFC 3339, UTC, milliseconds */
  updated_at: string
  /** `whsec_…` for the `v1` signatures (HMAC-SHA256). Shown this once: store it with the receiver */
  secret: string
}
export interface Operations {
  getService: {
    response: {
      service: 'restante'
      description: string
      openapi_url: string
      /** Each operation on a separate page */
      docs_url: string
      mcp_url: string
      start_with: string
    }
  }
  getHealth: {
    query?: { verbose?: boolean | '1' | '' | 'true' }
    response: {
      status: 'ready'
      /** `low`: incoming mail is refused for now, until there is space again */
      disk: 'ok' | 'low'
      /** With `verbose`: the HTTP server in use */
      http_driver?: 'uws' | 'node'
    }
  }
  getOpenapi: { response: Uint8Array }
  getOpenapiJson: { response: unknown }
  getClaimChallenge: { response: Challenge }
  claimMailbox: { body: ClaimRequest; response: ClaimResult }
  inviteApprover: { body: InviteRequest; response: ClaimInvite }
  getClaimStatus: { response: ClaimStatus }
  listThreads: {
    query?: {
      from?: string
      to?: string
      subject?: string
      label?: string
      direction?: 'inbound' | 'outbound'
      status?:
        | 'received'
        | 'checking'
        | 'scheduled'
        | 'cancelled'
        | 'held'
        | 'blocked'
        | 'queued'
        | 'sending'
        | 'sent'
        | 'delivered'
        | 'partially_delivered'
        | 'bounced'
      has_attachment?: boolean | '0' | '1' | 'true' | 'false'
      unread?: boolean | '0' | '1' | 'true' | 'false'
      after?: string
      before?: string
      thread_id?: string
      include_spam?: boolean | '0' | '1' | 'true' | 'false'
      q?: string
      limit?: number
      cursor?: string
    }
    response: ThreadList
  }
  updateThreads: { body: BatchChange; response: ChangedThreads }
  getThread: {
    params: { id: string }
    query?: { include_spam?: boolean | '0' | '1' | 'true' | 'false' }
    response: ThreadWithMessages
  }
  updateThread: { params: { id: string }; body: Change; response: Thread | ThreadState }
  deleteThread: { params: { id: string }; response: DeletedThread }
  listMessages: {
    query?: {
      from?: string
      to?: string
      subject?: string
      label?: string
      direction?: 'inbound' | 'outbound'
      status?:
        | 'received'
        | 'checking'
        | 'scheduled'
        | 'cancelled'
        | 'held'
        | 'blocked'
        | 'queued'
        | 'sending'
        | 'sent'
        | 'delivered'
        | 'partially_delivered'
        | 'bounced'
      has_attachment?: boolean | '0' | '1' | 'true' | 'false'
      unread?: boolean | '0' | '1' | 'true' | 'false'
      after?: string
      before?: string
      thread_id?: string
      include_spam?: boolean | '0' | '1' | 'true' | 'false'
      q?: string
      limit?: number
      cursor?: string
    }
    response: MessageList
  }
  updateMessages: { body: BatchChange; response: ChangedMessages }
  getMessage: { params: { id: string }; response: Message }
  updateMessage: { params: { id: string }; body: Change; response: Message | MessageState }
  deleteMessage: { params: { id: string }; response: DeletedMessage }
  getRawMessage: { params: { id: string }; response: Uint8Array }
  getAttachment: { params: { id: string; attachment_id: string }; response: Uint8Array }
  listMessageParts: { params: { id: string }; response: MessagePartList }
  getMessagePart: { params: { id: string; part: string }; response: Uint8Array }
  restoreMessage: { params: { id: string }; response: Message | MessageState }
  restoreThread: { params: { id: string }; response: Thread | ThreadState }
  listTrash: { query?: { limit?: number; cursor?: string }; response: TrashedMessageList }
  emptyTrash: { response: EmptiedTrash }
  purgeMessage: { params: { id: string }; response: PurgedMessage }
  sendMessage: {
    query?: { dry_run?: boolean | '0' | '1' | 'true' | 'false' }
    body: SendRequest
    response: DryRun | Accepted | WaitingDraft
  }
  replyToMessage: {
    params: { id: string }
    query?: { dry_run?: boolean | '0' | '1' | 'true' | 'false' }
    body: ReplyRequest
    response: DryRun | Accepted | WaitingDraft
  }
  replyToAll: {
    params: { id: string }
    query?: { dry_run?: boolean | '0' | '1' | 'true' | 'false' }
    body: ReplyRequest
    response: DryRun | Accepted | WaitingDraft
  }
  forwardMessage: {
    params: { id: string }
    query?: { dry_run?: boolean | '0' | '1' | 'true' | 'false' }
    body: ForwardRequest
    response: DryRun | Accepted | WaitingDraft
  }
  cancelMessage: { params: { id: string }; response: Message | MessageState }
  createDraft: { body: DraftRequest; response: Draft | DraftState }
  listDrafts: { query?: { limit?: number; cursor?: string }; response: DraftList }
  getDraft: { params: { id: string }; response: Draft }
  updateDraft: { params: { id: string }; body: DraftChange; response: Draft | DraftState }
  deleteDraft: { params: { id: string }; response: Draft | DraftState }
  sendDraft: {
    params: { id: string }
    query?: {
      dry_run?: boolean | '0' | '1' | 'true' | 'false'
      requires_approval?: boolean | '0' | '1' | 'true' | 'false'
    }
    response: DryRun | Accepted | WaitingDraft
  }
  listEvents: {
    query?: {
      after?: number
      wait?: number
      limit?: number
      types?: string
      from?: string
      subject_contains?: string
      thread_id?: string
      include_spam?: boolean | '0' | '1' | 'true' | 'false'
    }
    response: EventList
  }
  createWebhook: { body: WebhookRequest; response: WebhookWithSecret }
  listWebhooks: { response: WebhookList }
  getWebhook: { params: { id: string }; response: Webhook }
  updateWebhook: { params: { id: string }; body: WebhookChange; response: Webhook }
  deleteWebhook: {
    params: { id: string }
    response: {
      id: string
      object: 'webhook'
      deleted: true
    }
  }
  rotateWebhookSecret: { params: { id: string }; body: WebhookRotation; response: WebhookWithSecret }
  testWebhook: { params: { id: string }; response: WebhookTest }
  listWebhookDeliveries: {
    params: { id: string }
    query?: { limit?: number; cursor?: string; status?: 'waiting' | 'succeeded' | 'failed' | 'skipped' }
    response: WebhookDeliveryList
  }
  getWebhookDelivery: { params: { id: string; delivery_id: string }; response: WebhookDeliveryDetails }
  redeliverWebhook: { params: { id: string; delivery_id: string }; response: WebhookDeliveryDetails }
  replayWebhook: { params: { id: string }; body: WebhookReplay; response: Webhook }
  listSuppressions: { query?: { limit?: number; cursor?: string }; response: SuppressionList }
  removeSuppression: { params: { address: string }; response: Suppression }
  getMailbox: { response: Mailbox }
  updateMailbox: { body: UpdateMailboxRequest; response: Mailbox }
  listMailboxes: { query?: { limit?: number; cursor?: string }; response: MailboxList }
  createMailbox: { body: CreateMailboxRequest; response: NewMailbox }
  deleteMailbox: { params: { id: string }; response: DeletedMailbox }
  listAliases: { response: AliasList }
  createAlias: { body: CreateAliasRequest; response: Alias }
  removeAlias: { params: { address: string }; response: Alias }
  listDomains: { response: DomainList }
  addDomain: { body: AddDomainRequest; response: DomainWithRecords }
  getDomain: { params: { domain: string }; response: DomainWithRecords }
  removeDomain: { params: { domain: string }; response: Domain }
  verifyDomain: { params: { domain: string }; response: DomainWithRecords }
  listEntries: {
    params: { direction: 'receive' | 'send'; type: 'allow' | 'block' }
    query?: { limit?: number; cursor?: string }
    response: ListEntryList
  }
  addEntry: {
    params: { direction: 'receive' | 'send'; type: 'allow' | 'block' }
    body: AddEntryRequest
    response: ListEntry
  }
  getEntry: { params: { direction: 'receive' | 'send'; type: 'allow' | 'block'; entry: string }; response: ListEntry }
  removeEntry: {
    params: { direction: 'receive' | 'send'; type: 'allow' | 'block'; entry: string }
    response: ListEntry
  }
  getUsage: { response: Usage }
  listKeys: { response: KeyList }
  createKey: { body: CreateKeyRequest; response: NewKey }
  updateKey: { params: { id: string }; body: UpdateKeyRequest; response: Key }
  revokeKey: { params: { id: string }; response: RevokedKey }
  rotateKey: { params: { id: string }; response: NewKey }
  getAccount: { response: Account }
  deleteAccount: { response: AccountDeletion }
  cancelAccountDeletion: { response: Account }
  createExport: { response: Export }
  listExports: { response: ExportList }
  getExport: { params: { id: string }; response: Export }
}
/** `isKeyed`: takes an `Idempotency-Key`. */
export const OPERATIONS = {
  getService: { method: 'GET', path: '/', isKeyed: false },
  getHealth: { method: 'GET', path: '/healthz', isKeyed: false },
  getOpenapi: { method: 'GET', path: '/v1/openapi.yaml', isKeyed: false },
  getOpenapiJson: { method: 'GET', path: '/v1/openapi.json', isKeyed: false },
  getClaimChallenge: { method: 'GET', path: '/v1/claim/challenge', isKeyed: false },
  claimMailbox: { method: 'POST', path: '/v1/claim', isKeyed: false },
  inviteApprover: { method: 'POST', path: '/v1/claim/notify', isKeyed: true },
  getClaimStatus: { method: 'GET', path: '/v1/claim/status', isKeyed: false },
  listThreads: { method: 'GET', path: '/v1/threads', isKeyed: false },
  updateThreads: { method: 'PATCH', path: '/v1/threads', isKeyed: false },
  getThread: { method: 'GET', path: '/v1/threads/{id}', isKeyed: false },
  updateThread: { method: 'PATCH', path: '/v1/threads/{id}', isKeyed: false },
  deleteThread: { method: 'DELETE', path: '/v1/threads/{id}', isKeyed: false },
  listMessages: { method: 'GET', path: '/v1/messages', isKeyed: false },
  updateMessages: { method: 'PATCH', path: '/v1/messages', isKeyed: false },
  getMessage: { method: 'GET', path: '/v1/messages/{id}', isKeyed: false },
  updateMessage: { method: 'PATCH', path: '/v1/messages/{id}', isKeyed: false },
  deleteMessage: { method: 'DELETE', path: '/v1/messages/{id}', isKeyed: false },
  getRawMessage: { method: 'GET', path: '/v1/messages/{id}/raw', isKeyed: false },
  getAttachment: { method: 'GET', path: '/v1/messages/{id}/attachments/{attachment_id}', isKeyed: false },
  listMessageParts: { method: 'GET', path: '/v1/messages/{id}/parts', isKeyed: false },
  getMessagePart: { method: 'GET', path: '/v1/messages/{id}/parts/{part}', isKeyed: false },
  restoreMessage: { method: 'POST', path: '/v1/messages/{id}/restore', isKeyed: false },
  restoreThread: { method: 'POST', path: '/v1/threads/{id}/restore', isKeyed: false },
  listTrash: { method: 'GET', path: '/v1/trash', isKeyed: false },
  emptyTrash: { method: 'DELETE', path: '/v1/trash', isKeyed: false },
  purgeMessage: { method: 'DELETE', path: '/v1/trash/{id}', isKeyed: false },
  sendMessage: { method: 'POST', path: '/v1/send', isKeyed: true },
  replyToMessage: { method: 'POST', path: '/v1/messages/{id}/reply', isKeyed: true },
  replyToAll: { method: 'POST', path: '/v1/messages/{id}/reply-all', isKeyed: true },
  forwardMessage: { method: 'POST', path: '/v1/messages/{id}/forward', isKeyed: true },
  cancelMessage: { method: 'POST', path: '/v1/messages/{id}/cancel', isKeyed: false },
  createDraft: { method: 'POST', path: '/v1/drafts', isKeyed: true },
  listDrafts: { method: 'GET', path: '/v1/drafts', isKeyed: false },
  getDraft: { method: 'GET', path: '/v1/drafts/{id}', isKeyed: false },
  updateDraft: { method: 'PATCH', path: '/v1/drafts/{id}', isKeyed: false },
  deleteDraft: { method: 'DELETE', path: '/v1/drafts/{id}', isKeyed: false },
  sendDraft: { method: 'POST', path: '/v1/drafts/{id}/send', isKeyed: true },
  listEvents: { method: 'GET', path: '/v1/events', isKeyed: false },
  createWebhook: { method: 'POST', path: '/v1/webhooks', isKeyed: true },
  listWebhooks: { method: 'GET', path: '/v1/webhooks', isKeyed: false },
  getWebhook: { method: 'GET', path: '/v1/webhooks/{id}', isKeyed: false },
  updateWebhook: { method: 'PATCH', path: '/v1/webhooks/{id}', isKeyed: false },
  deleteWebhook: { method: 'DELETE', path: '/v1/webhooks/{id}', isKeyed: false },
  rotateWebhookSecret: { method: 'POST', path: '/v1/webhooks/{id}/rotate-secret', isKeyed: true },
  testWebhook: { method: 'POST', path: '/v1/webhooks/{id}/test', isKeyed: true },
  listWebhookDeliveries: { method: 'GET', path: '/v1/webhooks/{id}/deliveries', isKeyed: false },
  getWebhookDelivery: { method: 'GET', path: '/v1/webhooks/{id}/deliveries/{delivery_id}', isKeyed: false },
  redeliverWebhook: { method: 'POST', path: '/v1/webhooks/{id}/deliveries/{delivery_id}/redeliver', isKeyed: true },
  replayWebhook: { method: 'POST', path: '/v1/webhooks/{id}/replay', isKeyed: true },
  listSuppressions: { method: 'GET', path: '/v1/suppressions', isKeyed: false },
  removeSuppression: { method: 'DELETE', path: '/v1/suppressions/{address}', isKeyed: false },
  getMailbox: { method: 'GET', path: '/v1/mailbox', isKeyed: false },
  updateMailbox: { method: 'PATCH', path: '/v1/mailbox', isKeyed: false },
  listMailboxes: { method: 'GET', path: '/v1/mailboxes', isKeyed: false },
  createMailbox: { method: 'POST', path: '/v1/mailboxes', isKeyed: true },
  deleteMailbox: { method: 'DELETE', path: '/v1/mailboxes/{id}', isKeyed: false },
  listAliases: { method: 'GET', path: '/v1/aliases', isKeyed: false },
  createAlias: { method: 'POST', path: '/v1/aliases', isKeyed: false },
  removeAlias: { method: 'DELETE', path: '/v1/aliases/{address}', isKeyed: false },
  listDomains: { method: 'GET', path: '/v1/domains', isKeyed: false },
  addDomain: { method: 'POST', path: '/v1/domains', isKeyed: false },
  getDomain: { method: 'GET', path: '/v1/domains/{domain}', isKeyed: false },
  removeDomain: { method: 'DELETE', path: '/v1/domains/{domain}', isKeyed: false },
  verifyDomain: { method: 'POST', path: '/v1/domains/{domain}/verify', isKeyed: false },
  listEntries: { method: 'GET', path: '/v1/lists/{direction}/{type}', isKeyed: false },
  addEntry: { method: 'POST', path: '/v1/lists/{direction}/{type}', isKeyed: false },
  getEntry: { method: 'GET', path: '/v1/lists/{direction}/{type}/{entry}', isKeyed: false },
  removeEntry: { method: 'DELETE', path: '/v1/lists/{direction}/{type}/{entry}', isKeyed: false },
  getUsage: { method: 'GET', path: '/v1/account/usage', isKeyed: false },
  listKeys: { method: 'GET', path: '/v1/keys', isKeyed: false },
  createKey: { method: 'POST', path: '/v1/keys', isKeyed: true },
  updateKey: { method: 'PATCH', path: '/v1/keys/{id}', isKeyed: false },
  revokeKey: { method: 'DELETE', path: '/v1/keys/{id}', isKeyed: false },
  rotateKey: { method: 'POST', path: '/v1/keys/{id}/rotate', isKeyed: true },
  getAccount: { method: 'GET', path: '/v1/account', isKeyed: false },
  deleteAccount: { method: 'DELETE', path: '/v1/account', isKeyed: false },
  cancelAccountDeletion: { method: 'POST', path: '/v1/account/deletion/cancel', isKeyed: false },
  createExport: { method: 'POST', path: '/v1/account/export', isKeyed: true },
  listExports: { method: 'GET', path: '/v1/account/exports', isKeyed: false },
  getExport: { method: 'GET', path: '/v1/account/exports/{id}', isKeyed: false },
} as const satisfies Record<keyof Operations, { method: string; path: string; isKeyed: boolean }>
