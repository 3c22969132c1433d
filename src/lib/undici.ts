/** What is used of undici, in a file of its own so that it is loaded with the first request. */
export { Agent, Client } from 'undici'
