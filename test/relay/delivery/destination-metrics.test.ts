/** Metrics by destination stay few, however many domains there are. */
import t from 'tap'
import { DAY, ManualClock } from '../../../src/lib/clock.js'
import { createMetrics } from '../../../src/observe/metrics.js'
import { createDestinationMetrics } from '../../../src/relay/delivery/destination-metrics.js'

t.test(
  'a domain has its own numbers when it comes often, fifty at most, and makes room when it is quiet',
  async (t) => {
    const metrics = createMetrics()
    const clock = new ManualClock()
    const destinations = createDestinationMetrics({ metrics, clock })
    const attempt = (domain: string, times = 1): void => {
      for (let i = 0; i < times; i++) destinations.begin(domain)({ delivered: 1 })
    }
    const named = async (): Promise<Set<string>> => {
      const { body } = await metrics.render()
      return new Set(
        [...body.matchAll(/relay_destination_recipients_total\{destination="([^"]+)"/g)].map(([, name = '']) => name),
      )
    }
    for (let i = 0; i < 5000; i++) attempt(`once${i}.test`)
    t.same(await named(), new Set(['other']))
    for (let i = 0; i < 60; i++) attempt(`often${i}.test`, 6)
    t.equal((await named()).size, 51)
    t.ok((await named()).has('often0.test'))
    t.notOk((await named()).has('often59.test'))
    clock.advance(DAY)
    attempt('often1.test')
    attempt('late.test', 5)
    t.equal((await named()).size, 51)
    t.ok((await named()).has('late.test'))
    t.ok((await named()).has('often1.test'), 'it was not quiet')
    const end = destinations.begin('late.test')
    t.match((await metrics.render()).body, /restante_relay_destination_active\{destination="late\.test"\} 1\n/)
    end()
    t.notMatch((await metrics.render()).body, /restante_relay_destination_active\{/)
  },
)
