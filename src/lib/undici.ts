/** Exports of undici, in a separate file so that the package is loaded with the first request. */
export { Agent, Client } from 'undici'
