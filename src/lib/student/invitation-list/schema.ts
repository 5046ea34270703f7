import { z } from 'zod'
import { Cursor } from '#lib/core/shared/cursor.ts'
import { multilineText } from '#lib/core/shared/text/text.ts'
import { INVITATION_STATES } from './rules.ts'

export const ListInvitations = z.object({
  /** A part of the name or the email address. */
  q: multilineText(100).default(''),
  state: z.enum(INVITATION_STATES).optional(),
  cursor: Cursor,
  limit: z.coerce.number().int().min(1).max(100).default(50),
})
export type ListInvitations = z.output<typeof ListInvitations>
