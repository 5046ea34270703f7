export const INVITATION_LINK_STATES = ['open', 'revoked', 'expired', 'used_up'] as const
export type InvitationLinkState = (typeof INVITATION_LINK_STATES)[number]

interface LinkLimits {
  revokedAt: Date | null
  expiresAt: Date | null
  maxUses: number | null
  useCount: number
}

/** The state of an invitation link at an instant. Decisions of staff take precedence over expiry and number of uses. */
export function invitationLinkState(link: LinkLimits, now: Date): InvitationLinkState {
  if (link.revokedAt) return 'revoked'
  if (link.expiresAt && link.expiresAt <= now) return 'expired'
  return link.maxUses !== null && link.useCount >= link.maxUses ? 'used_up' : 'open'
}

/** Whether an email address is of the domain to which a link is limited; its subdomains are other domains. */
export function isOfDomain(email: string, domain: string | null): boolean {
  return domain === null || email.slice(email.lastIndexOf('@') + 1) === domain
}
