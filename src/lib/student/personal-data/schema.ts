import { z } from 'zod'

export const RequestDeletion = z.object({ password: z.string().min(1, 'required').max(1000) })
export type RequestDeletion = z.infer<typeof RequestDeletion>

/** What the page about the own data shows. */
export const MyData = z.object({
  /** The newest export, while it is useful. */
  export: z
    .object({
      id: z.string(),
      state: z.enum(['queued', 'ready', 'failed']),
      size: z.number().nullable(),
      expiresAt: z.date().nullable(),
    })
    .nullable(),
  deletionDueAt: z.date().nullable(),
})
export type MyData = z.infer<typeof MyData>

export const ExportId = z.object({ exportId: z.string() })
export const DeletionRequested = z.object({ dueAt: z.date() })
