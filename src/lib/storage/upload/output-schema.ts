import { z } from 'zod'
import { FILE_AREAS } from '#lib/core/shared/stored-file.ts'

export const UnfinishedUpload = z.object({
  id: z.string(),
  name: z.string(),
  size: z.number(),
  sample: z.string(),
  parentId: z.string().nullable(),
  area: z.enum(FILE_AREAS),
  uploadedBytes: z.number(),
})

export const Quota = z.object({
  used: z.number(),
  reserved: z.number(),
  limit: z.number().nullable(),
  derived: z.number(),
  largest: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      size: z.number(),
      kind: z.enum(['folder', 'image', 'video', 'audio', 'doc', 'file']),
    }),
  ),
})
