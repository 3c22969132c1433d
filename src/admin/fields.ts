/** Fields that several calls share. */
import { z } from 'zod'
import { wholeNumber } from '../http/whole-number.js'
import { normalizeDomain } from '../config/setting/address.js'

export const address = z.string().min(1).max(320)

/** An account's id, its owner's email, or the address of one of its mailboxes. */
export const accountName = z.string().min(1).max(320)

export const timeField = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text))

/** @param most entries in one answer */
export const pageFields = (most: number) => ({
  limit: wholeNumber(1, most).default(100),
  cursor: z.string().min(1).max(1000).optional(),
})

/** In lower case and ASCII. */
export const domainName = z
  .string()
  .min(1)
  .max(255)
  .transform((text, context) => {
    const name = normalizeDomain(text)
    if (name !== undefined) return name
    context.addIssue({ code: 'custom', message: 'It is not a domain. Use one such as example.com.' })
    return z.NEVER
  })
