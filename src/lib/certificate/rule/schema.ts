import { z } from 'zod'
import { CERTIFICATE_TYPES } from '#lib/certificate/state-schema.ts'
import { Cursor } from '#lib/core/shared/cursor.ts'
import { textLine } from '#lib/core/shared/text/text.ts'
import { isNumberFormat } from './number-rules.ts'

const id = z.uuid()

/** How certificates of a course are earned and issued. */
export const RuleText = z.object({
  enabled: z.boolean().default(true),
  type: z.enum(CERTIFICATE_TYPES).default('electronic'),
  templateId: id.nullable().default(null),
  /** Percent of the visible lessons. */
  minCompletion: z.int().min(1).max(100).default(100),
  requireTasks: z.boolean().default(false),
  testId: id.nullable().default(null),
  /** Percent; null: the pass mark of the test. */
  minScore: z.int().min(1).max(100).nullable().default(null),
  deadline: z.coerce.date().nullable().default(null),
  autoIssue: z.boolean().default(true),
  confirmName: z.boolean().default(true),
  validMonths: z.int().min(1).max(240).nullable().default(null),
  hours: z.number().min(0.5).max(10_000).multipleOf(0.5).nullable().default(null),
  numberFormat: textLine(60).refine(isNumberFormat, 'number_format').default('{TENANT}-{YYYY}-{SEQ5}'),
})
export type RuleText = z.output<typeof RuleText>

export const CertificateCourse = z.object({ courseId: id })
export const SaveRule = RuleText.extend({ courseId: id, version: z.int32().min(0) })
export type SaveRule = z.output<typeof SaveRule>

export const ListQualified = CertificateCourse.extend({
  q: textLine(100).default(''),
  cursor: Cursor,
  limit: z.coerce.number().int().min(1).max(100).default(50),
})
export type ListQualified = z.output<typeof ListQualified>
