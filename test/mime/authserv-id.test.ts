import t from 'tap'
import { claimsToBe } from '../../src/mime/authserv-id.js'
import { removeAuthenticationResults } from '../../src/mime/headers.js'
import { lines } from './support.js'

const claims = (text: string, name = 'mx.example.org'): boolean =>
  claimsToBe(Buffer.from(text, 'utf8').toString('latin1'), name)

t.test('our name is known in every spelling', async (t) => {
  for (const value of [
    ' mx.example.org; spf=pass',
    'MX.Example.ORG;spf=pass',
    ' mx.example.org 1; spf=pass',
    ' mx.example.org/1; spf=pass',
    ' mx.example.org(a comment)1; spf=pass',
    '\r\n\tmx.example.org;\r\n spf=pass',
    ' (a (nested \\) one)) (two)\r\n mx.example.org; spf=pass',
    ' "mx.example.org"; spf=pass',
    ' "mx\\.example.org" 1; spf=pass',
    ' "mx.example.org ; spf=pass',
    ' mx.example.org.; spf=pass',
    ' mx.example.org',
    ' ｍｘ．ｅｘａｍｐｌｅ．ｏｒｇ; spf=pass',
    ' mx。example。org; spf=pass',
  ]) {
    t.ok(claims(value), value)
  }
})

t.test('an internationalized name is the same as U-labels and as A-labels', async (t) => {
  for (const own of ['mx.bücher.example', 'mx.xn--bcher-kva.example']) {
    for (const value of [' mx.bücher.example; spf=pass', ' MX.BÜCHER.example 1;', ' mx.XN--bcher-kva.example; none']) {
      t.ok(claims(value, own), `${own}: ${value}`)
    }
    t.notOk(claims(' mx.bucher.example; spf=pass', own))
  }
})

t.test('names of others are not ours', async (t) => {
  for (const value of [
    ' mx.example.org.evil.example; spf=pass',
    ' evil-mx.example.org; spf=pass',
    ' example.org; spf=pass',
    ' other.example (mx.example.org); spf=pass',
    ' (mx.example.org) other.example; spf=pass',
    ' other.example; x=mx.example.org',
    '',
    ' ',
    ' ;',
    ' (',
    ' "',
  ]) {
    t.notOk(claims(value), value)
  }
})

t.test('a forged field goes, whichever way its own name is written', async (t) => {
  const raw = lines(
    'AUTHENTICATION-RESULTS: mx.example.org; dmarc=pass',
    'Authentication-Results : mx.example.org; dmarc=pass',
    'Authentication-Results',
    ' : mx.example.org; dmarc=pass',
    'From: a@x.example',
    '',
    'x',
  )
  t.equal(removeAuthenticationResults(raw, 'mx.example.org').toString(), lines('From: a@x.example', '', 'x').toString())
})
