export const INVITATION_STATES = ['created', 'sent', 'opened', 'accepted', 'failed', 'expired', 'revoked'] as const
/** The state of an invitation, for staff. */
export type InvitationListState = (typeof INVITATION_STATES)[number]

/** Whether a new link can be sent instead of the old one. */
export const canResendInvitation = (state: InvitationListState): boolean => state !== 'accepted'

/** Whether the link can still be used, so that it can be revoked. */
export const canRevokeInvitation = (state: InvitationListState): boolean =>
  state === 'created' || state === 'sent' || state === 'opened' || state === 'failed'
