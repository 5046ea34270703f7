import { z } from 'zod'
import { LessonDoc } from '#lib/core/shared/lesson-doc.ts'
import { CAPTION_LANGS } from '#lib/core/shared/stored-file.ts'
import { multilineText, textLine } from '#lib/core/shared/text/text.ts'
import { AccessRule, CompletionRule } from '../schema.ts'
import { CourseSettings } from '../settings-schema.ts'

/*
 * A course as one file: a ZIP with `course.json` and its files under `files/`. The ids are those of the exporting
 * school; they only connect the parts of the bundle, and the import creates new ones.
 */

export const BUNDLE_FORMAT = 'kafedra-course'
export const BUNDLE_VERSION = 1
export const BUNDLE_JSON = 'course.json'

const id = z.uuid()
const title = textLine(160).min(1)

export const BundleLesson = z.object({
  id,
  title,
  blocks: LessonDoc,
  /** The published text: none, the same as the draft, or an earlier one. */
  published: z.union([z.null(), z.literal('same'), z.object({ title, blocks: LessonDoc })]),
  availability: AccessRule,
  completionRule: CompletionRule,
  durationMinutes: z.number().int().min(1).max(100_000).nullable(),
  freePreview: z.boolean(),
  required: z.boolean(),
  hidden: z.boolean(),
})
export type BundleLesson = z.output<typeof BundleLesson>

export const BundleModule = z.object({
  id,
  title,
  description: multilineText(5000),
  availability: AccessRule,
  hidden: z.boolean(),
  lessons: z.array(BundleLesson).max(2000),
})
export type BundleModule = z.output<typeof BundleModule>

export const BundleFile = z.object({
  id,
  /** Path of the file in the ZIP. */
  path: z.string().regex(/^files\/[^/\\]{1,250}$/),
  name: z.string().min(1).max(200),
  description: z.string().max(2000),
  size: z.number().int().min(1),
  chapters: z
    .array(z.object({ at: z.number().min(0), title: z.string().min(1).max(120) }))
    .max(100)
    .optional(),
  captions: z
    .array(z.object({ lang: z.enum(CAPTION_LANGS), text: z.string().min(1).max(1_048_576), auto: z.boolean() }))
    .optional(),
})
export type BundleFile = z.output<typeof BundleFile>

/** The part of a bundle that the course module owns; other modules add their own parts. */
export const CourseBundle = z.object({
  format: z.literal(BUNDLE_FORMAT),
  version: z.literal(BUNDLE_VERSION),
  exportedAt: z.iso.datetime(),
  course: CourseSettings,
  modules: z.array(BundleModule).max(500),
  files: z.array(BundleFile).max(20_000),
})
export type CourseBundle = z.output<typeof CourseBundle>
