import { decrypt, encrypt } from '#lib/core/encryption.ts'

export type TicketPurpose = 'verification' | 'second-step'

interface Ticket {
  userId: string
  /** The end of the password hash: a new password invalidates the ticket. */
  proof: string
  /** Unix milliseconds. */
  expiresAt: number
}

/** Issues a proof that this browser has sent the right password, valid for one purpose and some minutes. */
export function issueTicket(
  purpose: TicketPurpose,
  user: { id: string; passwordHash: string | null },
  minutes: number,
) {
  const ticket: Ticket = { userId: user.id, proof: proofOf(user), expiresAt: Date.now() + minutes * 60_000 }
  return encrypt(`ticket ${purpose}`, JSON.stringify(ticket))
}

/** Reads a ticket; null when it is forged, of another purpose or expired. */
export function readTicket(purpose: TicketPurpose, encrypted: string): Ticket | null {
  const text = decrypt(`ticket ${purpose}`, encrypted)
  const ticket: Ticket | null = text === null ? null : JSON.parse(text)
  return ticket && ticket.expiresAt > Date.now() ? ticket : null
}

export function isTicketOf(ticket: Ticket, user: { passwordHash: string | null }): boolean {
  return ticket.proof === proofOf(user)
}

function proofOf({ passwordHash }: { passwordHash: string | null }): string {
  return passwordHash?.slice(-12) ?? ''
}
