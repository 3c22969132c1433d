/** All reason codes of the guard, with category and meaning. The documents print this table. */
import type { AbuseClass } from './abuse-classes.js'
import type { Finding } from './finding.js'
import type { Category } from './types.js'

export type { AbuseClass } from './abuse-classes.js'

export interface CodeMeaning {
  category: Exclude<Category, 'legitimate'>
  about: string
  /** Missing for signs of abuse of any class. */
  class?: AbuseClass
}

const meaning =
  (category: CodeMeaning['category']) =>
  (about: string, of?: AbuseClass): CodeMeaning => ({ category, about, ...(of && { class: of }) })
const phishing = meaning('phishing')
const scam = meaning('scam')
const spam = meaning('spam')
const bulk = meaning('bulk')
const malware = meaning('malware')

const CODES = {
  // Links
  active_link: phishing('A link runs a script or contains its page instead of opening one.', 'credentials'),
  user_info_in_link: phishing(
    'A link has a user name in front of its host, where readers look for the host.',
    'credentials',
  ),
  known_bad_link: phishing("A link goes to a host on the operator's list, or from mail that was rejected."),
  disguised_address: phishing('A link goes to an IP address in decimal, octal or hexadecimal notation.', 'credentials'),
  ip_address_link: phishing('A link goes to a public IP address instead of a name.', 'credentials'),
  link_text_mismatch: phishing(
    'The text of a link is an address of one owner, its target belongs to another.',
    'credentials',
  ),
  lookalike_host: phishing(
    'The host of a link looks like another one: other scripts, digits for letters.',
    'credentials',
  ),
  misspelt_brand_host: phishing('The host of a link is one letter away from a well-known name.', 'credentials'),
  brand_in_host: phishing('The host of a link combines a well-known name with words of bait.', 'credentials'),
  brand_in_subdomain: phishing("A link has a well-known name in front of another owner's domain.", 'credentials'),
  brand_other_suffix: phishing(
    'A link has a well-known name under a suffix that is not known to be its own.',
    'credentials',
  ),
  mixed_script_host: phishing('The host of a link mixes scripts within a word.', 'credentials'),
  domain_in_subdomain: phishing('The host of a link starts like another domain.', 'credentials'),
  deep_subdomain: phishing('The host of a link has many labels in front of its domain.'),
  unusual_port: phishing('A link goes to an unusual port.'),
  open_redirect: phishing('A link uses an open redirect at a well-known host.'),
  shortened_link: phishing('A link goes to a shortener, which hides its target.'),
  handler_link: malware('A link opens a program or a folder of another server instead of a page.', 'malware'),
  program_link: malware('A link leads to a program or script.', 'malware'),
  program_at_free_host: malware('A link leads to a program or archive where anyone can put one.', 'malware'),
  brand_in_path: phishing(
    'The path of a link names a well-known name that its host does not belong to.',
    'credentials',
  ),
  free_host: phishing('A link goes to a host where anyone can publish a page at once.'),
  hidden_link: phishing('A request for secrets leads through a shortener, a redirector or a free page.', 'credentials'),
  // Sender
  brand_in_name: phishing(
    "The sender's name contains a well-known name that its domain does not belong to.",
    'credentials',
  ),
  address_in_name: phishing("The sender's name is an address at another domain.", 'credentials'),
  lookalike_sender: phishing("The sender's domain imitates a well-known one.", 'credentials'),
  name_like_brand: phishing("The sender's address or name is made like a well-known name.", 'credentials'),
  host_like_own: phishing("The host of a link looks like the sender's or the recipient's own domain.", 'credentials'),
  answers_to_lookalike: scam("Replies go to a domain that looks like the sender's.", 'bec'),
  sender_like_reader: scam("The sender's domain looks like the recipient's.", 'bec'),
  answers_elsewhere: phishing("Replies go to another domain than the sender's."),
  answers_to_free_mail: phishing('The sender has its own domain, but replies go to a free mail service.', 'bec'),
  brand_without_its_host: phishing(
    'A threat or request in a well-known name, with links to other hosts only.',
    'credentials',
  ),
  // Requests
  credential_request: phishing('Asks to confirm an account, an identity or means of payment.', 'credentials'),
  secret_on_page: phishing('Asks to enter a secret on a page.', 'credentials'),
  secret_by_mail: phishing('Asks to send a secret.', 'credentials'),
  wallet_phrase_request: phishing('Asks for the recovery phrase of a wallet.', 'crypto'),
  account_threat: phishing('Threatens the loss of an account, or reports its misuse.', 'credentials'),
  payment_problem: phishing('Says that a payment failed and asks for payment data again.', 'credentials'),
  urgency: phishing('Urges to act fast.'),
  reward_lure: phishing('Promises a prize, refund or parcel that must be claimed.', 'advance-fee'),
  parcel_fee: phishing('Demands a fee or an address before a parcel is delivered.', 'parcels'),
  qr_code: phishing(
    'Asks to scan a code in an image, or for more with such a code, which hides its link.',
    'credentials',
  ),
  password_field: phishing('Asks for a password within the message.', 'credentials'),
  form: phishing('Contains a form to fill in.', 'credentials'),
  form_to_other_host: phishing("A form in the message submits to a host that is not the named brand's.", 'credentials'),
  html_attachment: phishing(
    'An HTML page is attached, which opens outside the protection of the mail program.',
    'credentials',
  ),
  mailbox_full: phishing('Says that a mailbox is full, and what to do about it.', 'credentials'),
  password_expires: phishing('Says that a password expires, and how to keep it.', 'credentials'),
  mailbox_to_validate: phishing('Asks to validate or upgrade a mailbox.', 'credentials'),
  messages_withheld: phishing('Says that messages are held back until something is done.', 'credentials'),
  account_data_request: phishing('Asks to check or complete account data.', 'credentials'),
  run_command_request: malware('Tells the reader to paste a command and run it.', 'malware'),
  callback_number: scam('Announces a charge and asks to call a number to stop it.', 'credentials'),
  verification_code_request: phishing('Asks for a code that the reader is sent.', 'credentials'),
  safe_account: scam('Asks to move money to an account that is said to be safe.', 'credentials'),
  toll_fee: phishing('Demands an open toll or a fine, to be paid by a link.', 'parcels'),
  protection_off: malware('Tells the reader to switch off protection or to go on despite a warning.', 'malware'),
  impersonal_greeting: phishing('Greets a customer instead of a person.'),
  click_here: phishing('Tells the reader to click here.'),
  // Orders to the program that reads the mail
  ignore_instructions: phishing('Tells a program to ignore its instructions, or that they are void.', 'orders'),
  order_to_machine: phishing('Speaks to the program that reads the mail and orders what only its owner may.', 'orders'),
  without_owner: phishing('Tells a program to act without its owner, or to hide something from them.', 'orders'),
  machine_secrets: phishing('Asks a program for its keys, instructions or settings.', 'orders'),
  machine_forwarding: phishing("Tells a program to pass on its owner's mail or contacts.", 'orders'),
  machine_takeover: phishing('Tells a program to change access, run a command or release a payment.', 'orders'),
  fake_tool_message: phishing(
    'Contains a made-up message of the system or a tool, for a program that reads it.',
    'orders',
  ),
  order_in_hidden_text: phishing('Hidden text speaks to the program that reads the mail.', 'orders'),
  // Threats
  personal_threat: spam('Threatens or degrades the reader.', 'harassment'),
  // Money
  advance_fee: scam('Offers a large sum from a stranger.', 'advance-fee'),
  lottery: scam('Announces a prize in a draw that nobody entered.', 'advance-fee'),
  gift_cards: scam('Asks for gift cards and their codes.', 'gift-cards'),
  extortion: scam('Threatens to publish something unless paid.', 'extortion'),
  changed_bank_details: scam('Says that payments go to another account from now on.', 'bec'),
  invoice_redirect: scam('Says that an account is closed or under review and names another one to pay to.', 'bec'),
  no_calls: scam('Asks for money and not to call, or to answer at one address only.', 'bec'),
  payroll_change: scam('Asks to pay wages to another account.', 'bec'),
  private_channel: scam('Moves to a private channel and asks for secrecy, or says what not to tell.', 'romance'),
  untraceable_donation: scam('Asks for donations by gift card or crypto currency.', 'gift-cards'),
  new_number_plea: scam('Writes as a relative with a new number who has to pay something.', 'advance-fee'),
  ransom: scam('Demands crypto currency by a deadline, with a threat.', 'extortion'),
  task_job: scam('Offers pay for clicks and likes, often after a deposit.', 'jobs'),
  courier_payment: scam(
    'A buyer whose courier collects the goods, and a page where the seller enters a card.',
    'marketplace',
  ),
  deposit_unseen: scam('Asks for rent or a deposit before a viewing.', 'marketplace'),
  secrecy: scam('Asks for secrecy or not to call.', 'bec'),
  money_in_haste: scam('Urges to pay.', 'bec'),
  guaranteed_profit: scam('Promises profit without risk.', 'crypto'),
  job_scam: scam('Offers pay for easy work without an application.', 'jobs'),
  fund_transfer: scam('Looks for a partner to move a fortune.', 'advance-fee'),
  prize_won: scam('Announces a prize or payment that waits.', 'advance-fee'),
  // Advertisements
  pills: spam('Advertises medicine.', 'bulk'),
  gambling: spam('Advertises gambling.', 'bulk'),
  counterfeit: spam('Advertises counterfeits.', 'bulk'),
  easy_money: spam('Promises easy money.', 'jobs'),
  list_selling: spam('Sells addresses, links or ranks in search engines.', 'bulk'),
  miracle_cure: spam('Advertises a miracle cure.', 'bulk'),
  hype: spam('Uses advertising phrases.', 'bulk'),
  removal_by_reply: spam('Offers removal from a list that the recipient did not join.', 'bulk'),
  law_quoted: spam('Cites a law to show that it is no spam.', 'bulk'),
  loan_offer: spam('Offers loans or debt relief.', 'bulk'),
  insurance_offer: spam('Offers insurance or a warranty.', 'bulk'),
  body_promises: spam('Promises a better body or love life.', 'bulk'),
  adult_offer: spam('Advertises sex.', 'bulk'),
  stock_tip: spam('Promotes a stock.', 'bulk'),
  cheap_software: spam('Sells software far below its price.', 'bulk'),
  bought_degree: spam('Sells degrees.', 'bulk'),
  home_business: spam('Promises riches from home.', 'jobs'),
  address_selling: spam('Sells addresses or bulk mailing.', 'bulk'),
  sales_pressure: spam('Urges to buy.', 'bulk'),
  // Style
  hidden_characters: spam('Words contain invisible characters.'),
  disguised_words: spam('Words contain look-alike letters of another script.'),
  not_all_read: spam('The text is so long that parts of it were not read.'),
  parts_differ: spam('The text part says something else than the HTML.'),
  only_linked_picture: spam('Consists of a picture that is a link.'),
  hidden_text: spam('CSS hides much text from the reader.'),
  shouting: spam('The subject is in capitals.'),
  exclamation_marks: spam('Has many exclamation marks.'),
  // Recipients
  many_recipients: bulk('Goes to many recipients.', 'bulk'),
  many_new_recipients: bulk('Goes to many new recipients.', 'bulk'),
  mostly_new_recipients: bulk('Goes to several recipients, nearly all of them new.', 'bulk'),
  near_duplicates: bulk('Nearly the same message went to others within a day.', 'bulk'),
  // The account's own story
  burst: bulk('The account writes to far more new recipients, or far more mail, than it usually does.', 'bulk'),
  first_contact_with_link: bulk(
    'The first mail to somebody has a link to a host that the account never linked to.',
    'bulk',
  ),
  unusual_links: bulk('Links to a host that the account never linked to.', 'bulk'),
  unusual_language: bulk('Written in a language in which the account never wrote.', 'bulk'),
  unusual_recipients: bulk("Goes to many more recipients than the account's mail does.", 'bulk'),
  // Attachments
  test_virus: malware('Contains the test file of virus scanners (EICAR).', 'malware'),
  reversed_file_name: malware('An attachment hides its extension by reversing the direction of text.', 'malware'),
  double_extension: malware('An attachment is a program disguised as a document.', 'malware'),
  disguised_program: malware('The content of an attachment is a program, its name is that of a document.', 'malware'),
  program_attached: malware('An attachment runs when it is opened.', 'malware'),
  macros_attached: malware('An attachment may contain macros.', 'malware'),
  hidden_macros: malware('An attachment contains macros, which its name does not show.', 'malware'),
  program_in_archive: malware('An archive contains a program.', 'malware'),
  encrypted_archive: malware('An archive is encrypted, so its files could not be checked.', 'malware'),
  opener_attached: malware('An attachment opens a page, a server or embedded files elsewhere.', 'malware'),
  shortcut_command: malware('A shortcut starts a command.', 'malware'),
  network_file: malware('An attachment opens files of another server.', 'malware'),
  embedded_program: malware('A document contains a program or script that a click starts.', 'malware'),
  embedded_object: malware('A document contains a packaged object.', 'malware'),
  outside_part: malware('A document loads a template or object from another server when it is opened.', 'malware'),
  command_field: malware('A document has a field that starts a program (DDE).', 'malware'),
  encrypted_document: malware('A document is encrypted, so its content could not be checked.', 'malware'),
  document_script: malware('A PDF contains a script.', 'malware'),
  document_launches: malware('A PDF starts a program or opens another file.', 'malware'),
  page_carries_file: malware(
    'An attached page contains a packed file that it saves on the computer of its reader.',
    'malware',
  ),
  page_builds_file: malware('An attached page builds a file and saves it on the computer of its reader.', 'malware'),
  page_hides_script: malware('An attached page runs a script that it hides from readers.', 'malware'),
  picture_script: malware('An attached picture (SVG) contains a script or a form.', 'malware'),
  page_asks_password: phishing('An attached page asks for a password.', 'credentials'),
  page_redirects: phishing('An attached page only leads to another one.', 'credentials'),
  attachment_not_read: malware('The content of an attachment was not checked.', 'malware'),
  archive_password_in_text: malware(
    'The password of an archive is in the text, which keeps only scanners out.',
    'malware',
  ),
  archive_not_searched: malware('Not everything in an archive could be checked.', 'malware'),
} as const satisfies Record<string, CodeMeaning>

export type FindingCode = keyof typeof CODES

export const FINDING_CODES: Record<string, CodeMeaning> = CODES

const isCode = (code: string): code is FindingCode => Object.hasOwn(CODES, code)

/** The entries of a table by code. */
export function entriesOf<T>(table: Partial<Record<FindingCode, T>>): [FindingCode, T][] {
  return Object.entries(table).flatMap(([code, value]): [FindingCode, T][] => (isCode(code) ? [[code, value]] : []))
}

/** Max characters of evidence marked on a page. */
const MAX_EXCERPT_CHARS = 200

export function excerptOf(text: string): string {
  return text.slice(0, MAX_EXCERPT_CHARS)
}

/**
 * A finding with the category of its code.
 *
 * @param excerpt may be a function, since finding words in their original spelling is slow and rarely needed
 */
export function found(code: FindingCode, weight: number, detail: string, excerpt?: string | (() => string)): Finding {
  const { category, class: of }: CodeMeaning = CODES[code]
  const facts = { code, category, weight, detail, ...(of && { class: of }) }
  if (typeof excerpt !== 'function') return excerpt === undefined ? facts : { ...facts, excerpt: excerptOf(excerpt) }
  let written: string | undefined
  return {
    ...facts,
    get excerpt() {
      return (written ??= excerptOf(excerpt()))
    },
  }
}

/** The finding with another weight; its excerpt is still computed on first use. */
export function reweighed(finding: Finding, weight: number): Finding {
  const { code, category, detail, class: of } = finding
  return {
    code,
    category,
    weight,
    detail,
    ...(of && { class: of }),
    get excerpt() {
      return finding.excerpt
    },
  }
}
