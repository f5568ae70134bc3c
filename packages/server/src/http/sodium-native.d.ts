/** The package brings no types; this is all of it that is used here. */
declare module 'sodium-native' {
  const sodium: {
    crypto_sign_verify_detached(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean
  }
  export = sodium
}
