import t from 'tap'
import { pslSuite } from './psl.js'
import { checkSuite } from '../suite.js'

checkSuite(t, pslSuite)
