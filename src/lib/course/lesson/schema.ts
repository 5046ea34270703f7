import { z } from 'zod'
import { int4 } from '#lib/core/shared/int4.ts'
import { LESSON_LIMITS, LessonDoc, type LessonNode } from '#lib/core/shared/lesson-doc.ts'
import { textLine } from '#lib/core/shared/text/text.ts'

const id = z.uuid()
const version = int4.min(1)
/** Identifies a browser tab: one author may have several. */
const tab = z.string().regex(/^[\w-]{4,40}$/)
const blockIndex = z.number().int().min(0).max(LESSON_LIMITS.nodes)

/** Complete blocks of a document, possibly none. */
const Blocks: z.ZodType<LessonNode[], unknown[]> = z.array(z.unknown()).transform((content, context) => {
  if (content.length === 0) return []
  const parsed = LessonDoc.safeParse({ type: 'doc', content })
  if (parsed.success) return parsed.data.content
  context.addIssue({ code: 'custom', message: parsed.error.issues[0]?.message ?? 'lesson_content' })
  return z.NEVER
})

/** Replaces `remove` blocks from index `at` with `insert`. */
export const LessonChange = z.object({ at: blockIndex, remove: blockIndex, insert: Blocks })
export type LessonChange = z.infer<typeof LessonChange>

/**
 * Change of a draft since `version`; omitted fields stay. `tab` is given when others have the lesson open. `chosen`:
 * the author chose this text over another's, which must be kept in the revisions.
 */
export const SaveLesson = z.object({
  lessonId: id,
  version,
  title: textLine(160).min(1).optional(),
  change: LessonChange.optional(),
  tab: tab.optional(),
  chosen: z.boolean().optional(),
})
export type SaveLesson = z.output<typeof SaveLesson>

/** `version` is the draft that the author has seen; another one is not published. */
export const PublishLesson = z.object({ lessonId: id, version: version.optional() })
export type PublishLesson = z.infer<typeof PublishLesson>

/** The published text, the draft, or the version of a revision. */
export const GetLessonText = z.object({
  lessonId: id,
  revision: z.union([z.literal(['published', 'draft']), z.coerce.number().pipe(version)]),
})
export type GetLessonText = z.output<typeof GetLessonText>

export const NameRevision = z.object({ lessonId: id, version, note: textLine(120).min(1) })
export type NameRevision = z.infer<typeof NameRevision>

export const RestoreRevision = z.object({ lessonId: id, version })
export type RestoreRevision = z.infer<typeof RestoreRevision>

/** Presence of an open editor: it joins and asks for others, is still open, or leaves. */
export const AttendLesson = z.object({
  lessonId: id,
  tab,
  announce: z.enum(['come', 'stay', 'go']),
})
export type AttendLesson = z.infer<typeof AttendLesson>
