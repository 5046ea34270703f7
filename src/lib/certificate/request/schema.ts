import { z } from 'zod'
import { MANUAL_STATES } from '#lib/certificate/state-schema.ts'
import { Cursor } from '#lib/core/shared/cursor.ts'
import { textLine } from '#lib/core/shared/text/text.ts'

const id = z.uuid()

export const ListRequests = z.object({
  courseId: id,
  state: z.enum(['open', ...MANUAL_STATES]).default('open'),
  cursor: Cursor,
  limit: z.coerce.number().int().min(1).max(100).default(50),
})
export type ListRequests = z.output<typeof ListRequests>

const step = { certificateId: id }
/** A transition of a request. */
export const ChangeRequest = z.discriminatedUnion('action', [
  z.object({ ...step, action: z.literal('approve') }),
  z.object({ ...step, action: z.literal('produce') }),
  z.object({ ...step, action: z.literal('send'), trackingNumber: textLine(100).default('') }),
  z.object({ ...step, action: z.literal('receive') }),
  z.object({ ...step, action: z.literal('decline'), reason: textLine(500).min(1, 'required') }),
])
export type ChangeRequest = z.output<typeof ChangeRequest>

export const SetScan = z.object({ ...step, fileId: id.nullable() })
