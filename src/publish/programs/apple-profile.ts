/** A configuration profile for iPhone, iPad and Mac (Apple's `com.apple.mail.managed` payload), which sets up an account in Mail. */
import { createHash } from 'node:crypto'
import { escapeHtml } from '../../lib/text.js'
import type { ProgramService } from './services.js'

export const APPLE_PROFILE_TYPE = 'application/x-apple-aspen-config'

export interface ProfileAccount {
  address: string
  incoming: ProgramService
  outgoing: ProgramService
  /** Without one the device asks for it. */
  password?: string
}

type PlistValue = string | number | boolean | Plist | Plist[]
interface Plist {
  [key: string]: PlistValue
}

/** The ids follow from the address: installing it again replaces the account on the device. */
export function appleProfile({ address, incoming, outgoing, password }: ProfileAccount): string {
  const label = `${incoming.host.split('.').reverse().join('.')}.mail.${hashOf(address).slice(0, 16)}`
  const account: Plist = {
    PayloadType: 'com.apple.mail.managed',
    PayloadVersion: 1,
    PayloadIdentifier: `${label}.account`,
    PayloadUUID: uuidOf(`account ${address}`),
    PayloadDisplayName: address,
    EmailAccountDescription: address,
    EmailAccountType: 'EmailTypeIMAP',
    EmailAddress: address,
    ...server('Incoming', address, incoming),
    ...server('Outgoing', address, outgoing),
    OutgoingPasswordSameAsIncomingPassword: true,
    ...(password !== undefined && { IncomingPassword: password, OutgoingPassword: password }),
  }
  const profile: Plist = {
    PayloadType: 'Configuration',
    PayloadVersion: 1,
    PayloadIdentifier: label,
    PayloadUUID: uuidOf(`profile ${address}`),
    PayloadDisplayName: `Mail of ${address}`,
    PayloadDescription: `Sets up the mailbox ${address} in Mail.`,
    PayloadOrganization: address.slice(address.lastIndexOf('@') + 1),
    PayloadRemovalDisallowed: false,
    PayloadContent: [account],
  }
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">',
    '<plist version="1.0">',
    ...written(profile, ''),
    '</plist>',
    '',
  ].join('\n')
}

/** UseSSL at a port of STARTTLS is STARTTLS. */
function server(side: 'Incoming' | 'Outgoing', address: string, { host, port }: ProgramService): Plist {
  return {
    [`${side}MailServerHostName`]: host,
    [`${side}MailServerPortNumber`]: port,
    [`${side}MailServerUseSSL`]: true,
    [`${side}MailServerUsername`]: address,
    [`${side}MailServerAuthentication`]: 'EmailAuthPassword',
  }
}

function written(value: PlistValue, indent: string): string[] {
  if (typeof value === 'string') return [`${indent}<string>${escapeHtml(value)}</string>`]
  if (typeof value === 'number') return [`${indent}<integer>${value}</integer>`]
  if (typeof value === 'boolean') return [`${indent}<${String(value)}/>`]
  const inner = `${indent}  `
  if (Array.isArray(value))
    return [`${indent}<array>`, ...value.flatMap((each) => written(each, inner)), `${indent}</array>`]
  const entries = Object.entries(value).flatMap(([key, each]) => [`${inner}<key>${key}</key>`, ...written(each, inner)])
  return [`${indent}<dict>`, ...entries, `${indent}</dict>`]
}

function hashOf(text: string): string {
  return createHash('sha256').update(text.toLowerCase()).digest('hex')
}

/** RFC 9562 §5.8: a UUID of our own making. */
function uuidOf(text: string): string {
  const hash = hashOf(text)
  const parts = [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `8${hash.slice(13, 16)}`,
    `a${hash.slice(17, 20)}`,
    hash.slice(20, 32),
  ]
  return parts.join('-').toUpperCase()
}
