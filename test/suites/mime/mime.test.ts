import t from 'tap'
import { enmimeSuite } from './enmime.js'
import { mimeCostSuites } from './mime-messages.js'
import { mime4jSuite } from './mime4j.js'
import { checkSuite } from '../suite.js'

for (const suite of [mime4jSuite, enmimeSuite, ...mimeCostSuites]) checkSuite(t, suite)
