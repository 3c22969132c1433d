/** mailauth's evaluation of DMARC policies, in a file of its own so that it is loaded with the first message. */
export { evaluateDmarc } from 'mailauth/lib/dmarc/index.js'
