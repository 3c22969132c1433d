/** The functions of the library that passkeys.ts uses; it is loaded with the first passkey. */
export {
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
