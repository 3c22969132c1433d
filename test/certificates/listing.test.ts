/** What an operator sees of certificates where no authority is asked. */
import t from 'tap'
import { createCertificateListing } from '../../src/certificates/listing.js'
import { openCertificates } from '../../src/certificates/certificates.js'
import { loadConfig } from '../../src/config/load.js'
import { createAuthority, opensslPeer } from '../support/peers/certificates.js'

t.test("the operator's own are listed, and nothing can be ordered", opensslPeer(), async (t) => {
  const pair = createAuthority(t.testdir()).issue(['mx.agents.example', 'mail.agents.example'])
  const config = loadConfig({
    set: ['domains.hostname=mx.agents.example', `smtp.tls_key=${pair.keyFile}`, `smtp.tls_cert=${pair.certFile}`],
  })
  const listing = createCertificateListing(await openCertificates(config, { read: async () => undefined }), undefined)
  t.match(await listing.list(), [
    {
      name: 'mx.agents.example',
      names: ['mx.agents.example', 'mail.agents.example'],
      source: 'smtp.tls_cert',
      issuer: 'Test CA',
      error: null,
      next_try_at: null,
      ordering: false,
    },
  ])
  t.throws(() => listing.renew(), { code: 'invalid_request', hint: /tls\.acme/ })
  await listing.wait(1000)
})
