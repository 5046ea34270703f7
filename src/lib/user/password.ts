import { hash, verify } from '@node-rs/argon2'

// Argon2id is the library's default; cost as in OWASP's Password Storage Cheat Sheet (19 MiB, 2 passes).
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

// Hash of a random text, compared when there is no account, so that both cases take the same time.
const DUMMY_HASH = '$argon2id$v=19$m=19456,t=2,p=1$dtyYK1CgY5wq7oGrgM91og$tD/BXYsRxRxIZSZxSu3MsPqjleRjbjKPGzvF9sBTiuA'

/** A password to its Argon2id hash in PHC form. */
export function hashPassword(password: string): Promise<string> {
  return hash(password.normalize('NFKC'), COST)
}

/** Whether a password matches a hash. Without a hash it takes the same time and returns false. */
export async function verifyPassword(passwordHash: string | null | undefined, password: string): Promise<boolean> {
  const matches = await verify(passwordHash ?? DUMMY_HASH, password.normalize('NFKC'))
  return matches && Boolean(passwordHash)
}
