import t from 'tap'
import { spfSuite } from './spf.js'
import { checkSuite } from '../suite.js'

checkSuite(t, spfSuite)
