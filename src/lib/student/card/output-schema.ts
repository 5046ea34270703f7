import { z } from 'zod'
import { RISK_KINDS } from './rules.ts'

export const ListRisksOutput = z.array(
  z.object({ kind: z.enum(RISK_KINDS), count: z.number(), title: z.string().optional() }),
)
export const ListStudentNotesOutput = z.object({
  items: z.array(
    z.object({
      id: z.string(),
      text: z.string(),
      revision: z.number(),
      author: z.string(),
      createdAt: z.date(),
      updatedAt: z.date(),
    }),
  ),
  next: z.string().nullable(),
})
export const UpdateNoteOutput = z.object({ revision: z.number() })
export const ListDevicesOutput = z.array(
  z.object({
    sessionId: z.string(),
    createdAt: z.date(),
    lastSeenAt: z.date(),
    address: z.string().nullable(),
    userAgent: z.string().nullable(),
  }),
)
export const EndAllDevicesOutput = z.object({ ended: z.number() })
export const RemindOutput = z.object({ sent: z.boolean() })
export const ListSectionOutput = z.object({
  items: z.array(
    z.object({
      id: z.string(),
      title: z.string(),
      context: z.string().nullable(),
      href: z.string().nullable(),
      stateKey: z.string(),
      isGood: z.boolean().nullable(),
      percent: z.number().nullable().optional(),
      at: z.date().nullable(),
      noteKey: z.string().nullable(),
    }),
  ),
  next: z.string().nullable(),
})
