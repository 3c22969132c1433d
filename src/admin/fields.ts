/** Fields that several calls share. */
import { z } from 'zod'
import { normalizeDomain } from '../config/setting/address.js'

export const address = z.string().min(1).max(320)

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
