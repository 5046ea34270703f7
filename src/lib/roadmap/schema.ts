import { z } from 'zod'
import { isSafeHref } from '#lib/core/shared/lesson-doc.ts'
import { line, text } from '#lib/core/shared/text.ts'

export const ITEM_TYPES = ['course', 'module', 'lesson', 'milestone', 'text'] as const

/** One stop on the way; `refId` is the course, module or lesson that it stands for. */
export const Item = z.object({
  type: z.enum(ITEM_TYPES),
  refId: z.uuid().nullable().default(null),
  title: line(160).min(1),
  description: text(600).default(''),
  duration: line(60).default(''),
  optional: z.boolean().default(false),
})
export type Item = z.output<typeof Item>

export const Stage = z.object({
  title: line(160).min(1),
  period: line(60).default(''),
  text: text(1000).default(''),
  items: z.array(Item).max(60).default([]),
})
export type Stage = z.output<typeof Stage>

export const CallToAct = z.object({ label: line(60).min(1), href: z.string().refine(isSafeHref, 'format') })
export type CallToAct = z.output<typeof CallToAct>
