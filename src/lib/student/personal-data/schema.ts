import { z } from 'zod'

/** The password, or for an account without one the code that was emailed. */
export const RequestDeletion = z
  .object({
    password: z.string().min(1, 'required').max(1000),
    code: z
      .string()
      .max(20)
      .transform((code) => code.replace(/[^0-9]/g, ''))
      .pipe(z.string().length(6, 'code_wrong')),
  })
  .partial()
  .refine(({ password, code }) => password !== undefined || code !== undefined, {
    error: 'required',
    path: ['password'],
  })
export type RequestDeletion = z.infer<typeof RequestDeletion>

/** The data of the page about personal data. */
export const MyData = z.object({
  /** The newest export, unless it has expired. */
  export: z
    .object({
      id: z.string(),
      state: z.enum(['queued', 'ready', 'failed']),
      size: z.number().nullable(),
      expiresAt: z.date().nullable(),
    })
    .nullable(),
  deletionDueAt: z.date().nullable(),
  /** A request for deletion is confirmed with the password; without one, with an emailed code. */
  hasPassword: z.boolean(),
})
export type MyData = z.infer<typeof MyData>

export const ExportId = z.object({ exportId: z.string() })
export const DeletionRequested = z.object({ dueAt: z.date() })
