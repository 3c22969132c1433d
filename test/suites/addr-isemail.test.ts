import t from 'tap'
import { addressSuite } from './addr-isemail.js'
import { checkSuite } from './suite.js'

checkSuite(t, addressSuite)
