import { decrypt, encrypt } from '#lib/core/encryption.ts'

export type TicketPurpose = 'verification' | 'second-step'

interface Ticket {
  userId: string
  /** Of the password's hash: a new password makes the ticket worthless. */
  proof: string
  /** Unix milliseconds. */
  until: number
}

/** Proof that this browser gave the right password a moment ago, good for one purpose and some minutes. */
export function issueTicket(
  purpose: TicketPurpose,
  person: { id: string; passwordHash: string | null },
  minutes: number,
) {
  const ticket: Ticket = { userId: person.id, proof: proofOf(person), until: Date.now() + minutes * 60_000 }
  return encrypt(`ticket ${purpose}`, JSON.stringify(ticket))
}

/** The ticket that was issued, or null when it is forged, of another purpose or too old. */
export function readTicket(purpose: TicketPurpose, sealed: string): Ticket | null {
  const text = decrypt(`ticket ${purpose}`, sealed)
  const ticket: Ticket | null = text === null ? null : JSON.parse(text)
  return ticket && ticket.until > Date.now() ? ticket : null
}

export function isTicketOf(ticket: Ticket, person: { passwordHash: string | null }): boolean {
  return ticket.proof === proofOf(person)
}

function proofOf({ passwordHash }: { passwordHash: string | null }): string {
  return passwordHash?.slice(-12) ?? ''
}
