import { z } from 'zod'
import { int4 } from '#lib/core/shared/int4.ts'
import { LESSON_LIMITS, LessonDoc, type LessonNode } from '#lib/core/shared/lesson-doc.ts'
import { textLine } from '#lib/core/shared/text/text.ts'

const id = z.uuid()
const version = int4.min(1)
/** Names a tab: one author may have two. */
const tab = z.string().regex(/^[\w-]{4,40}$/)
const blockIndex = z.number().int().min(0).max(LESSON_LIMITS.nodes)

/** Whole blocks of a text, or none. */
const Blocks: z.ZodType<LessonNode[], unknown[]> = z.array(z.unknown()).transform((content, context) => {
  if (content.length === 0) return []
  const parsed = LessonDoc.safeParse({ type: 'doc', content })
  if (parsed.success) return parsed.data.content
  context.addIssue({ code: 'custom', message: parsed.error.issues[0]?.message ?? 'lesson_content' })
  return z.NEVER
})

/** From the block at `at` so many go, and these come: what a pause in writing changes in a text. */
export const LessonChange = z.object({ at: blockIndex, remove: blockIndex, insert: Blocks })
export type LessonChange = z.infer<typeof LessonChange>

/**
 * What changed in a draft since its `version`; what is not named stays. `tab`: this one, given when others have the text
 * open too and want to know. `chosen`: the author took this text in place of another's, which must stay in the history.
 */
export const SaveLesson = z.object({
  lessonId: id,
  version,
  title: textLine(160).min(1).optional(),
  change: LessonChange.optional(),
  tab: tab.optional(),
  chosen: z.boolean().optional(),
})
export type SaveLesson = z.input<typeof SaveLesson>

/** `version` is the draft that the author has looked at: another one is not published unseen. */
export const PublishLesson = z.object({ lessonId: id, version: version.optional() })
export type PublishLesson = z.infer<typeof PublishLesson>

/** What students read, the author's draft, or the text of an earlier version. */
export const GetLessonText = z.object({
  lessonId: id,
  of: z.union([z.literal(['published', 'draft']), z.coerce.number().pipe(version)]),
})
export type GetLessonText = z.input<typeof GetLessonText>

export const NameRevision = z.object({ lessonId: id, version, note: textLine(120).min(1) })
export type NameRevision = z.infer<typeof NameRevision>

export const RestoreRevision = z.object({ lessonId: id, version })
export type RestoreRevision = z.infer<typeof RestoreRevision>

/** An open editor makes itself known: it comes and asks who else is there, is still there, or goes. */
export const AttendLesson = z.object({
  lessonId: id,
  tab,
  announce: z.enum(['come', 'stay', 'go']),
})
export type AttendLesson = z.infer<typeof AttendLesson>
