import { z } from 'zod'
import { FILE_EVENTS, VIDEO_STATES } from '#lib/core/shared/stored-file.ts'

/** The events of a file, oldest first. */
export const FileHistory = z.array(
  z.object({ event: z.enum(FILE_EVENTS), detail: z.string().nullable(), at: z.date() }),
)

export const VideoView = z.object({
  fileId: z.string(),
  state: z.enum(VIDEO_STATES),
  progress: z.number(),
  queuePosition: z.number().nullable(),
  attempts: z.number(),
  failure: z.string().nullable(),
  failureDetail: z.string().nullable(),
  encoder: z.boolean(),
  waitsForDisk: z.boolean(),
  duration: z.number().nullable(),
  truncated: z.boolean(),
  hasPicture: z.boolean(),
  hasSound: z.boolean(),
  renditions: z.array(z.object({ size: z.number(), width: z.number(), height: z.number(), ready: z.boolean() })),
  soundReady: z.boolean(),
  posters: z.number(),
  poster: z.number(),
  history: FileHistory,
})
