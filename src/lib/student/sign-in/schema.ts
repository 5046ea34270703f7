import { z } from 'zod'
import { Email } from '#lib/core/shared/text/email.ts'

export const CorrectEmail = z.object({ studentId: z.uuid(), email: Email })
export type CorrectEmail = z.infer<typeof CorrectEmail>

/** The two parts of a link about a student: its token and the subdomain of the school. */
export const StudentLink = z.object({
  token: z.string().regex(/^[\w-]{20,128}$/, 'link_wrong'),
  tenant: z.string().regex(/^[a-z0-9-]{1,63}$/, 'link_wrong'),
})
export type StudentLink = z.infer<typeof StudentLink>

export type LinkState = 'open' | 'used' | 'canceled' | 'expired'

export const CreatedLoginLink = z.object({ url: z.url(), expiresAt: z.date() })
export type CreatedLoginLink = z.infer<typeof CreatedLoginLink>

/** `invitation` is the token of the invitation by which a student without an account continues. */
export const ConfirmedCorrection = z.object({ email: z.string(), invitation: z.string().nullable() })
export type ConfirmedCorrection = z.infer<typeof ConfirmedCorrection>

export const CorrectionRequested = z.object({ expiresAt: z.date() })
