import { z } from 'zod'
import { INVITATION_LINK_STATES } from './rules.ts'

const instant = z.iso.datetime().nullable()

export const InvitationLinkView = z.object({
  id: z.uuid(),
  groupId: z.uuid().nullable(),
  groupName: z.string().nullable(),
  label: z.string(),
  state: z.enum(INVITATION_LINK_STATES),
  /** The URL to publish; null when the link has ended. */
  url: z.string().nullable(),
  useCount: z.int(),
  maxUses: z.int().nullable(),
  emailDomain: z.string().nullable(),
  createdByName: z.string(),
  createdAt: z.iso.datetime(),
  expiresAt: instant,
  revokedAt: instant,
})
export type InvitationLinkView = z.infer<typeof InvitationLinkView>

export const InvitationLinks = z.array(InvitationLinkView)
export const InvitationLinkCreated = z.object({ linkId: z.uuid(), url: z.string() })
export const JoinRequested = z.object({ sent: z.literal(true) })
export const JoinedStudent = z.object({ studentId: z.uuid() })
