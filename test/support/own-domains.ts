import { loadConfig } from '../../src/config/load.js'
import { OwnDomains } from '../../src/lifecycle/domains/own-domains.js'
import { fakeResolver, type Found } from './peers/fake-resolver.js'

type Deps = ConstructorParameters<typeof OwnDomains>[0]

/** Domains of accounts beside `agents.example`, two at most for each. @param dns answers, by `<type> <name>` */
export function ownDomainsWith(
  deps: Pick<Deps, 'store' | 'clock' | 'accounts' | 'dkimKeys' | 'held'>,
  dns: ReadonlyMap<string, Found>,
): OwnDomains {
  return new OwnDomains({
    ...deps,
    config: loadConfig({ set: ['domains.names=["agents.example"]', 'limits.domains_per_account=2'] }),
    freshResolver: () => fakeResolver((name, rrtype) => dns.get(`${rrtype} ${name}`) ?? 'not_found'),
  })
}
