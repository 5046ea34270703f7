import { z } from 'zod'

/** Bytes of an uploaded picture at most. */
export const IMAGE_LIMIT = 10 * 1024 * 1024

/** The longer side of a stored picture at most, in pixels. */
export const IMAGE_SIDE = 2000

export const FileName = z
  .string()
  .transform((name) =>
    name
      .replace(/[\p{Cc}/\\]/gu, '')
      .trim()
      .slice(0, 200),
  )
  .pipe(z.string().min(1))

export const FileId = z.uuid()
