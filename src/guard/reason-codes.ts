/** All codes of the guard: what kind of mail each speaks for, and what it means. The documents print this table. */
import type { Finding } from './finding.js'
import type { Category } from './types.js'

export interface CodeMeaning {
  category: Exclude<Category, 'legitimate'>
  about: string
}

const phishing = (about: string): CodeMeaning => ({ category: 'phishing', about })
const scam = (about: string): CodeMeaning => ({ category: 'scam', about })
const spam = (about: string): CodeMeaning => ({ category: 'spam', about })
const bulk = (about: string): CodeMeaning => ({ category: 'bulk', about })
const malware = (about: string): CodeMeaning => ({ category: 'malware', about })

const CODES = {
  // Links
  active_link: phishing('A link runs a script or carries its page in itself instead of opening one.'),
  user_info_in_link: phishing('A user name stands before the host of a link, where readers look for the host.'),
  known_bad_link: phishing('A link goes to a host that the operator listed, or that stood in mail which was rejected.'),
  disguised_address: phishing('A link goes to an IP address in decimal, octal or hexadecimal notation.'),
  ip_address_link: phishing('A link goes to a public IP address and not to a name.'),
  link_text_mismatch: phishing('The words of a link are an address of one owner, and it goes to another.'),
  lookalike_host: phishing('The host of a link is drawn like another one: other scripts, digits for letters.'),
  misspelt_brand_host: phishing('The host of a link is one letter away from a well-known name.'),
  brand_in_host: phishing('The host of a link uses a well-known name among words that promise something.'),
  brand_in_subdomain: phishing("A well-known name stands in front of somebody else's domain."),
  brand_other_suffix: phishing('A well-known name under a suffix that is not known to be its own.'),
  mixed_script_host: phishing('The host of a link mixes scripts within a word.'),
  domain_in_subdomain: phishing('The host of a link starts like another domain.'),
  deep_subdomain: phishing('The host of a link has many names in front of its domain.'),
  unusual_port: phishing('A link goes to a port that pages are not served from.'),
  open_redirect: phishing('A link goes through a page of a well-known host that sends readers on to anywhere.'),
  shortened_link: phishing('A link hides where it goes behind a shortener.'),
  free_host: phishing('A link goes to a page of a service where anybody gets one at once.'),
  hidden_link: phishing('A request for secrets leads through a shortener, a redirector or a page that anybody gets.'),
  // Sender
  brand_in_name: phishing("The sender's name has a well-known name in it, its domain has nothing to do with it."),
  address_in_name: phishing("The sender's name is an address at another domain."),
  lookalike_sender: phishing("The sender's domain imitates a well-known one."),
  answers_elsewhere: phishing('Answers go to another domain than the one it comes from.'),
  answers_to_free_mail: phishing('It comes from a domain of its own and wants answers at a free mail service.'),
  brand_without_its_host: phishing('A threat or a request in a well-known name, with links to other hosts only.'),
  // Requests
  credential_request: phishing('Asks to confirm an account, an identity or means of payment.'),
  secret_on_page: phishing('Asks to enter a secret on a page.'),
  secret_by_mail: phishing('Asks to send a secret.'),
  wallet_phrase_request: phishing('Asks for the recovery phrase of a wallet.'),
  account_threat: phishing('Threatens the loss of an account, or tells of its misuse.'),
  payment_problem: phishing('Says that a payment failed and wants its data again.'),
  urgency: phishing('Presses for time.'),
  reward_lure: phishing('Promises a prize, refund or parcel that has to be claimed.'),
  parcel_fee: phishing('Wants a fee or an address before a parcel comes.'),
  qr_code: phishing('Asks to scan a code in an image, behind which no link can be seen.'),
  password_field: phishing('Asks for a password within the message.'),
  form: phishing('Holds a form to be filled in within the message.'),
  form_to_other_host: phishing('What is filled in within the message goes to a host that is not of the named brand.'),
  html_attachment: phishing('A page is attached, which opens outside of all that guards the reader.'),
  mailbox_full: phishing('Says that a mailbox is full, and what to do about it.'),
  password_expires: phishing('Says that a password expires, and how to keep it.'),
  mailbox_to_validate: phishing('Asks to validate or upgrade a mailbox.'),
  messages_withheld: phishing('Says that messages are held back until something is done.'),
  account_data_request: phishing('Wants account data checked or completed.'),
  impersonal_greeting: phishing('Greets a customer and not a person.'),
  click_here: phishing('Tells the reader to click here.'),
  // Money
  advance_fee: scam('Offers a large sum from a stranger.'),
  lottery: scam('Tells of a prize in a draw that nobody took part in.'),
  gift_cards: scam('Wants gift cards bought and their codes sent.'),
  extortion: scam('Threatens to publish something unless it is paid for.'),
  changed_bank_details: scam('Says that payments go to another account from now on.'),
  secrecy: scam('Asks to keep it secret or not to call.'),
  money_in_haste: scam('Presses for a payment.'),
  guaranteed_profit: scam('Promises profit without risk.'),
  job_scam: scam('Offers pay for easy work without an application.'),
  fund_transfer: scam('Seeks a partner for moving a fortune.'),
  prize_won: scam('Tells of a prize or a payment that waits.'),
  // Advertisements
  pills: spam('Advertises medicine.'),
  gambling: spam('Advertises gambling.'),
  counterfeit: spam('Advertises counterfeits.'),
  easy_money: spam('Promises easy money.'),
  list_selling: spam('Sells addresses, links or ranks in search engines.'),
  miracle_cure: spam('Advertises a miracle cure.'),
  hype: spam('Uses the words of advertisements.'),
  removal_by_reply: spam('Offers to be removed from a list that nobody joined.'),
  law_quoted: spam('Quotes a law to show that it is no spam.'),
  loan_offer: spam('Offers loans or freedom from debts.'),
  insurance_offer: spam('Offers insurance or a warranty.'),
  body_promises: spam('Promises another body or another love life.'),
  adult_offer: spam('Advertises sex.'),
  stock_tip: spam('Praises a stock.'),
  cheap_software: spam('Sells software far under its price.'),
  bought_degree: spam('Sells degrees.'),
  home_business: spam('Offers riches from home.'),
  address_selling: spam('Sells addresses or the sending of bulk mail.'),
  sales_pressure: spam('Presses for a purchase.'),
  // How it is written
  hidden_characters: spam('Words hide invisible characters.'),
  disguised_words: spam('Words have look-alike letters of another script in them.'),
  hidden_text: spam('Style hides much text from the reader.'),
  shouting: spam('The subject is in capitals.'),
  exclamation_marks: spam('Many exclamation marks.'),
  // Recipients
  many_recipients: bulk('Goes to many recipients.'),
  many_new_recipients: bulk('Goes to many who were never written to.'),
  mostly_new_recipients: bulk('Goes to several, nearly all of whom were never written to.'),
  near_duplicates: bulk('Nearly the same went to others within a day.'),
  // Attachments
  test_virus: malware('Holds the file with which virus scanners are tested.'),
  reversed_file_name: malware('An attachment hides its ending by turning the text around.'),
  double_extension: malware('An attachment is a program that poses as a document.'),
  program_attached: malware('An attachment runs when it is opened.'),
  macros_attached: malware('An attachment may hold macros.'),
  hidden_macros: malware('An attachment holds macros, which its name does not say.'),
  program_in_archive: malware('An archive holds a program.'),
  encrypted_archive: malware('An archive takes a password, so nobody has looked into it.'),
  archive_password_in_text: malware(
    'The password of an archive stands in the text, so that only scanners are kept out.',
  ),
  archive_not_searched: malware('Not everything in an archive could be looked at.'),
} as const satisfies Record<string, CodeMeaning>

export type FindingCode = keyof typeof CODES

/** Codes of findings. */
export const FINDING_CODES: Record<string, CodeMeaning> = CODES

const isCode = (code: string): code is FindingCode => Object.hasOwn(CODES, code)

/** What a table says of codes. */
export function entriesOf<T>(table: Partial<Record<FindingCode, T>>): [FindingCode, T][] {
  return Object.entries(table).flatMap(([code, value]): [FindingCode, T][] => (isCode(code) ? [[code, value]] : []))
}

/** As much of the evidence as a page marks. */
const MAX_EXCERPT_CHARS = 200

export function excerptOf(text: string): string {
  return text.slice(0, MAX_EXCERPT_CHARS)
}

/**
 * A finding of a known code.
 *
 * @param excerpt may be a function: looking for words as they were written takes longer than finding that they are there, and few ask
 */
export function found(code: FindingCode, weight: number, detail: string, excerpt?: string | (() => string)): Finding {
  const { category } = CODES[code]
  if (typeof excerpt !== 'function')
    return { code, category, weight, detail, ...(excerpt === undefined ? {} : { excerpt: excerptOf(excerpt) }) }
  let written: string | undefined
  return {
    code,
    category,
    weight,
    detail,
    get excerpt() {
      return (written ??= excerptOf(excerpt()))
    },
  }
}

/** A finding that weighs something else; what is costly to tell of it stays untold until it is asked for. */
export function reweighed(finding: Finding, weight: number): Finding {
  const { code, category, detail } = finding
  return {
    code,
    category,
    weight,
    detail,
    get excerpt() {
      return finding.excerpt
    },
  }
}
