/**
 * Mail as people write it, as far as a machine can: words with the frequencies of a language (Zipf's law), of many senders and subjects, each
 * message another one, all from one seed. The same line again and again would flatter every index and every cache.
 */
import { createPrivateKey, generateKeyPairSync } from 'node:crypto'
import { createSigner } from '../../src/authentication/sign.js'
import { pick, randomFrom } from '../../test/support/random.js'

/** Not under `.test`: OpenDKIM's own resolver knows that nothing is there. */
export const SENDER_DOMAIN = 'peer.example'
export const SELECTOR = 'bench'

const STEMS =
  `the of and to in that it was for on with as you at this but his from they we say her she or will one all would there their what out
if about who get which go when make can like time just him know take person into year good some could them see other than then now look only
come over think also back after use two how our work first well way even new want because any these give day most find here thing many tell
very call last long great little own old right big high different small large next early young important few public same able meet pay order
ship invoice contract report budget plan team project client office market price quarter deadline agenda minutes review draft version budgetary
account number payment receipt delivery warehouse supplier customer support ticket answer question problem solution weather train station flight
hotel dinner garden kitchen window river mountain village harbour school teacher student lesson library book chapter paper letter stamp post
doctor nurse hospital medicine health exercise bicycle engine battery cable screen keyboard server network password backup storage release
feature measure result figure table average median sample error signal filter design colour paint music concert theatre museum picture story
history science nature animal forest winter summer spring autumn morning evening weekend holiday birthday present family brother sister parent
neighbour friend colleague manager director board council government election policy law court judge lawyer police insurance bank credit loan
interest growth energy water fire stone metal glass wood cotton leather bread butter cheese coffee sugar salt pepper apple orange tomato potato
begin follow remember consider appear build offer serve expect remain suggest raise pass require decide pull explain hope develop carry break
receive agree thank reach involve travel prepare discuss realise contain reduce establish choose happen describe arrive protect compare repeat
quick slow warm cold bright dark heavy light quiet loud gentle careful useful simple clever honest recent final certain clear common local`.split(
    /\s+/,
  )
const ENDINGS = ['', '', '', 's', 'ed', 'ing', 'er', 'ly', 'ment', 'able']
const NAMES =
  'Ada Bela Carla Dinesh Emeka Farah Greta Hiro Ines Jonas Kaya Lior Mbali Nils Oksana Pablo Quinn Rosa Samir Tove'.split(
    ' ',
  )
const SURNAMES =
  'Abel Brook Costa Dahl Eriksen Fox Garcia Hahn Ito Jansen Kaur Lund Moreau Novak Okafor Pires Quist Rossi Sato Tran'.split(
    ' ',
  )

export interface Writer {
  /** @param bytes about so long the body gets */
  message(id: string, to: string, bytes: number): string
}

export function createWriter(seed: number): Writer {
  const random = randomFrom(seed)
  const words = ENDINGS.flatMap((ending) => STEMS.map((stem) => stem + ending))
  // Zipf: the word of rank r has a share of 1/r, so its rank is exponential in a uniform number.
  const word = (): string => words[Math.floor(words.length ** random()) - 1] ?? 'the'

  function sentence(): string {
    const text = Array.from({ length: 5 + Math.floor(random() * 14) }, word).join(random() < 0.1 ? ', ' : ' ')
    const number = random() < 0.15 ? ` ${Math.floor(random() * 10_000)}` : ''
    return `${text.charAt(0).toUpperCase()}${text.slice(1)}${number}${random() < 0.1 ? '?' : '.'}`
  }

  function body(bytes: number): string {
    const lines: string[] = []
    let [line, length] = ['', 0]
    while (length < bytes) {
      for (const next of sentence().split(' ')) {
        if (line.length + next.length > 72) {
          lines.push(line)
          length += line.length + 2
          line = ''
        }
        line += line === '' ? next : ` ${next}`
      }
      if (random() < 0.15) {
        lines.push(line, '')
        line = ''
      }
    }
    return [...lines, line, ''].join('\r\n')
  }

  return {
    message(id, to, bytes) {
      const [name, surname] = [pick(random, NAMES), pick(random, SURNAMES)]
      const subject = Array.from({ length: 3 + Math.floor(random() * 5) }, word).join(' ')
      return [
        `From: ${name} ${surname} <${name}.${surname}@${SENDER_DOMAIN}>`.replace(/<.*>/, (text) => text.toLowerCase()),
        `To: ${to}`,
        `Subject: ${subject}`,
        `Date: ${new Date().toUTCString().replace('GMT', '+0000')}`,
        `Message-ID: <${id}@${SENDER_DOMAIN}>`,
        'MIME-Version: 1.0',
        'Content-Type: text/plain; charset=utf-8',
        '',
        body(bytes),
      ].join('\r\n')
    },
  }
}

export interface SigningKey {
  pem: string
  /** For `bench._domainkey.peer.example`. */
  record: string
}

export function makeSigningKey(): SigningKey {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const spki = publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
  return { pem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), record: `v=DKIM1; k=rsa; p=${spki}` }
}

/** Signs as the senders' own server would, RSA-2048, relaxed/relaxed. */
export function signer(pem: string): (message: string) => Promise<Buffer> {
  const privateKey = createPrivateKey(pem)
  const key = { domain: SENDER_DOMAIN, selector: SELECTOR, algorithm: 'rsa-sha256' as const, privateKey }
  const { sign } = createSigner({ signingKeys: () => [key] })
  return (message) => sign(Buffer.from(message, 'utf8'), SENDER_DOMAIN)
}
