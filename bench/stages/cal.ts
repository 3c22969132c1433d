/** The unit of cost: one cal is SHA-256 of 4 KB and one RSA-2048 verification. Multiples of it move little from machine to machine. */
import { createHash, generateKeyPairSync, randomBytes, sign, verify } from 'node:crypto'

const TIMES = 400

export interface Cal {
  /** CPU time of one, in microseconds, as the machine is now. */
  measure(): number
}

export function createCal(): Cal {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const [hashed, signed] = [randomBytes(4096), randomBytes(256)]
  const signature = sign('sha256', signed, privateKey)
  const once = (): void => {
    createHash('sha256').update(hashed).digest()
    if (!verify('sha256', signed, publicKey, signature)) throw new Error('the signature does not verify')
  }
  return {
    measure() {
      const before = process.cpuUsage()
      for (let n = 0; n < TIMES; n++) once()
      const { user, system } = process.cpuUsage(before)
      return (user + system) / TIMES
    },
  }
}
