/** Sending to real Postfix servers, with good and bad certificates, under each policy. */
import { createHash, X509Certificate } from 'node:crypto'
import t from 'tap'
import { createResolver } from '../../src/dns/resolver.js'
import { systemClock } from '../../src/lib/clock.js'
import { Deliverer } from '../../src/relay/delivery/delivery.js'
import { createRouting, type RoutingDeps } from '../../src/relay/routing/routes.js'
import { createAuthority, EXPIRED, type Certificate } from '../support/peers/certificates.js'
import { startDnsServer } from '../support/peers/dns-server.js'
import { postfixPeer, startPostfix } from '../support/peers/postfix.js'

t.test(
  'Postfix takes mail over TLS, and what its certificate has to be depends on the policy',
  postfixPeer(),
  async (t) => {
    const authority = createAuthority(t.testdir({}))
    const dns = await startDnsServer({
      'peer.test': { MX: [{ priority: 1, exchange: 'mx.peer.test' }], signed: true },
      'mx.peer.test': { A: ['127.0.0.1'], signed: true },
    })
    const resolver = createResolver({ servers: [dns.address], clock: systemClock, timeoutMs: 1000 })
    t.teardown(async () => {
      resolver.close()
      await dns.close()
    })
    const enforced = {
      mtaSts: {
        policyFor: async () => ({ id: '1', mode: 'enforce' as const, mx: ['mx.peer.test'], maxAgeSeconds: 1 }),
      },
    }

    async function postfix({ certFile, keyFile }: Certificate) {
      const tls = [
        'smtpd_tls_security_level = may',
        `smtpd_tls_chain_files = ${keyFile}, ${certFile}`,
        'smtpd_tls_received_header = yes',
      ]
      const services = ['tlsmgr unix - - n 1000? 1 tlsmgr']
      const server = await startPostfix('peer.test', tls, { services })
      t.teardown(() => server.stop())
      const send = async (to: string, change: Partial<RoutingDeps> = {}) => {
        const { port } = server
        const routing = createRouting({
          resolver,
          port,
          hostname: 'mx.agents.test',
          allowPrivateAddresses: true,
          ...change,
        })
        const relay = new Deliverer({
          hostname: 'mx.agents.test',
          connectTimeoutMs: 20_000,
          responseTimeoutMs: 20_000,
        })
        const route = await routing.find('peer.test', { requireTls: false, anyTls: false })
        if (route.kind !== 'targets') return route
        // The test's authority stands for one that everybody trusts.
        const targets = route.targets.map((target) => ({
          ...target,
          security: { ...target.security, ca: authority.ca },
        }))
        const recipients = [`${to}@peer.test`]
        const raw = Buffer.from(`From: a@agents.test\r\nTo: ${to}@peer.test\r\nSubject: x\r\n\r\ntext\r\n`)
        const { outcomes } = await relay.attempt(targets, { from: 'a@agents.test', recipients, raw })
        relay.destroy()
        return outcomes.get(`${to}@peer.test`)
      }
      return { ...server, send }
    }

    const good = await postfix(authority.issue(['mx.peer.test']))
    t.match(await good.send('any'), { kind: 'delivered' })
    t.match(String((await good.nextMail('any'))[0]), /using TLSv1\.\d/)
    t.match(await good.send('sts', enforced), { kind: 'delivered' })

    const wrong = authority.issue(['else.test'])
    const other = await postfix(wrong)
    t.match(await other.send('any'), { kind: 'delivered' }, 'without a policy any certificate is better than none')
    t.match(await other.send('sts', enforced), { kind: 'deferred', detail: /^4\.7\.5 .*certificate-host-mismatch/ })
    const data = createHash('sha256').update(new X509Certificate(wrong.cert).raw).digest()
    dns.set(`_${other.port}._tcp.mx.peer.test`, 'TLSA', [{ usage: 3, selector: 0, matchingType: 1, certificate: data }])
    t.match(await other.send('dane', { dane: true, ...enforced }), { kind: 'delivered' }, 'DNSSEC vouches for it')

    const old = await postfix(authority.issue(['mx.peer.test'], EXPIRED))
    t.match(await old.send('any'), { kind: 'delivered' })
    t.match(await old.send('sts', enforced), { kind: 'deferred', detail: /certificate-expired/ })
    dns.set(`_${old.port}._tcp.mx.peer.test`, 'TLSA', [{ usage: 3, selector: 0, matchingType: 1, certificate: data }])
    t.match(await old.send('dane', { dane: true }), { kind: 'deferred', detail: /matches no TLSA record/ })
  },
)
