/** What passkeys.ts uses of the library, which is loaded with the first passkey. */
export {
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
