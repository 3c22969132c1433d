import t from 'tap'
import { smtpDialogsSuite } from './smtp-dialogs.js'
import { checkSuite } from './suite.js'

checkSuite(t, smtpDialogsSuite)
