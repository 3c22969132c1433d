/** The user of this machine, also behind sudo. */
import { userInfo } from 'node:os'
import { asciiOnly } from '../../lib/text.js'

export function operatingUser(): string {
  return asciiOnly(process.env['SUDO_USER'] || userInfo().username, 64)
}
