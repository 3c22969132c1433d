/** Addresses that accept mail from everybody: listed senders must be able to ask why (RFC 5321 §4.5.1, RFC 6471 §2.3). */
export const ALWAYS_REACHABLE = /^(?:postmaster|abuse)@/i
