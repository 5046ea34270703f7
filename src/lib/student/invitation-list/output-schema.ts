import { z } from 'zod'
import { INVITATION_STATES } from './rules.ts'

const instant = z.iso.datetime().nullable()

export const InvitationRow = z.object({
  id: z.uuid(),
  studentId: z.uuid(),
  /** Empty when only the email address is known. */
  name: z.string(),
  email: z.string(),
  state: z.enum(INVITATION_STATES),
  /** The reply of the mail server when the email failed. */
  error: z.string().nullable(),
  createdAt: z.iso.datetime(),
  openedAt: instant,
  acceptedAt: instant,
  expiresAt: z.iso.datetime(),
})
export type InvitationRow = z.infer<typeof InvitationRow>

export const InvitationPage = z.object({ items: z.array(InvitationRow), next: z.string().nullable() })
export type InvitationPage = z.infer<typeof InvitationPage>
