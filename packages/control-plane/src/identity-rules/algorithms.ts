/**
 * Signatures that tokens may carry. Only asymmetric ones: with a shared secret, whoever can check tokens can also make
 * them, and a public key passed off as such a secret is a classic way in.
 */
export const asymmetricAlgorithms = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "Ed25519",
  "EdDSA",
] as const;
