import { decrypt, encrypt } from '#lib/core/encryption.ts'
import { MINUTE_MS } from '#lib/core/shared/time.ts'

export type PendingTokenPurpose = 'verification' | 'second-step'

interface PendingToken {
  userId: string
  /** The end of the password hash: a new password invalidates the pending token. */
  passwordHashEnd: string
  /** Unix milliseconds. */
  expiresAt: number
}

/** Issues a proof that this browser has sent the right password, valid for one purpose and some minutes. */
export function issuePendingToken(
  purpose: PendingTokenPurpose,
  user: { id: string; passwordHash: string | null },
  minutes: number,
) {
  const pendingToken: PendingToken = {
    userId: user.id,
    passwordHashEnd: passwordHashEndOf(user),
    expiresAt: Date.now() + minutes * MINUTE_MS,
  }
  return encrypt(`pending-token ${purpose}`, JSON.stringify(pendingToken))
}

/** Reads a pending token; null when it is forged, of another purpose or expired. */
export function readPendingToken(purpose: PendingTokenPurpose, encrypted: string): PendingToken | null {
  const text = decrypt(`pending-token ${purpose}`, encrypted)
  const pendingToken: PendingToken | null = text === null ? null : JSON.parse(text)
  return pendingToken && pendingToken.expiresAt > Date.now() ? pendingToken : null
}

export function isPendingTokenOf(pendingToken: PendingToken, user: { passwordHash: string | null }): boolean {
  return pendingToken.passwordHashEnd === passwordHashEndOf(user)
}

function passwordHashEndOf({ passwordHash }: { passwordHash: string | null }): string {
  return passwordHash?.slice(-12) ?? ''
}
