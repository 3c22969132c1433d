/** Suites of messages without a tree to compare: mailers' and libraries' own test mail, much of it broken on purpose. */
import { costSuite } from './mime-cost.js'

export const mimeCostSuites = [
  costSuite('mime-cassandane', 'Cassandane: messages', 8),
  costSuite('mime-cpython', 'CPython: messages of test_email', 64),
  costSuite('mime-mailparser', 'mailparser: messages', 12),
  costSuite('mime-postal-mime', 'postal-mime: messages', 5),
  costSuite('mime-ruby-mail', 'Ruby mail: messages', 113),
  costSuite('mime-wildduck', 'WildDuck: messages', 12),
]
