/** The examples of Amazon's documentation of Signature Version 4 for S3. */
import t from 'tap'
import { sha256Hex } from '../../../../src/lib/ids.js'
import { queryOf, signedHeaders } from '../../../../src/store/blobs/s3/signature.js'

const credentials = {
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
}
const at = Date.parse('2013-05-24T00:00:00Z')
const EMPTY = sha256Hex('')
const HOST = 'https://examplebucket.s3.amazonaws.com'

const EXAMPLES: [name: string, path: string, headers: Record<string, string>, signature: string][] = [
  [
    'an object',
    '/test.txt',
    { range: 'bytes=0-9' },
    'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  ],
  [
    'a subresource',
    `/${queryOf({ lifecycle: '' })}`,
    {},
    'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
  ],
  [
    'a listing',
    `/${queryOf({ prefix: 'J', 'max-keys': '2' })}`,
    {},
    '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
  ],
]

for (const [name, path, headers, signature] of EXAMPLES)
  t.test(`a request for ${name} has the signature of the documentation`, async (t) => {
    const url = new URL(HOST + path)
    const signed = signedHeaders({ method: 'GET', url, headers, payload: EMPTY, region: 'us-east-1', at }, credentials)
    t.equal(/Signature=(\w+)$/.exec(signed.authorization ?? '')?.[1], signature)
  })

t.test('a session token is sent and signed', async (t) => {
  const unsigned = { method: 'GET', url: new URL(HOST), headers: {}, payload: EMPTY, region: 'us-east-1', at }
  const signed = signedHeaders(unsigned, { ...credentials, sessionToken: 'token' })
  t.equal(signed['x-amz-security-token'], 'token')
  t.match(signed.authorization, /SignedHeaders=host;x-amz-content-sha256;x-amz-date;x-amz-security-token,/)
})

t.test('a query is encoded as it is signed', async (t) => {
  t.equal(
    queryOf({ uploadId: "a+b/c=d e'(*)!", partNumber: '1' }),
    '?partNumber=1&uploadId=a%2Bb%2Fc%3Dd%20e%27%28%2A%29%21',
  )
})
