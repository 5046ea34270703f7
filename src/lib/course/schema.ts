import { z } from 'zod'

export const COURSE_STATUS = ['draft', 'published', 'archived'] as const

const zone = z.string().min(1).max(64)
const time = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/)

/** When a module or a lesson opens for a student. */
export const AccessRule = z.discriminatedUnion('mode', [
  z.object({ mode: z.literal('open') }),
  z.object({ mode: z.literal('date'), at: z.iso.datetime() }),
  z.object({ mode: z.literal('afterStart'), days: z.number().int().min(0).max(3650), time, zone }),
  z.object({
    mode: z.literal('afterPrevious'),
    of: z.enum(['lesson', 'module']),
    require: z.enum(['opened', 'completed', 'homeworkAccepted', 'testPassed']),
    delayHours: z.number().int().min(0).optional(),
  }),
  z.object({ mode: z.literal('manual') }),
  z.object({ mode: z.literal('all'), get rules() { return z.array(AccessRule).min(1).max(8) } }),
  z.object({ mode: z.literal('any'), get rules() { return z.array(AccessRule).min(1).max(8) } }),
])
export type AccessRule = z.infer<typeof AccessRule>

export const CompletionRule = z.discriminatedUnion('mode', [
  z.object({ mode: z.literal('manual') }),
  z.object({ mode: z.literal('watched'), percent: z.number().int().min(1).max(100) }),
  z.object({ mode: z.literal('taskAccepted') }),
  z.object({ mode: z.literal('testPassed') }),
])
export type CompletionRule = z.infer<typeof CompletionRule>

/** ISO instants; `to` is open while the freeze lasts. */
export const FrozenInterval = z.object({ from: z.iso.datetime(), to: z.iso.datetime().nullable() })
export type FrozenInterval = z.infer<typeof FrozenInterval>

export interface LessonNode { type: string; attrs?: Record<string, unknown>; content?: LessonNode[]; marks?: { type: string; attrs?: Record<string, unknown> }[]; text?: string }
export interface LessonDoc { type: 'doc'; content: LessonNode[] }
