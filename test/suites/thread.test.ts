import t from 'tap'
import { checkSuite } from './suite.js'
import { threadSuite } from './thread.js'

checkSuite(t, threadSuite)
