import { z } from 'zod'
import { ROADMAP_VISIBILITY } from '#lib/core/shared/learning.ts'
import { isSafeHref } from '#lib/core/shared/lesson-doc.ts'
import { line, text } from '#lib/core/shared/text/text.ts'

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

const id = z.uuid()

export const RoadmapId = z.object({ roadmapId: id })
export const ListRoadmaps = z.object({ courseId: id })
export const CreateRoadmap = z.object({ courseId: id })

/** What an author types: all of it is one draft, saved over the version it was written on. */
export const RoadmapText = z.object({
  title: line(160).min(1, 'required'),
  intro: text(2000).default(''),
  coverFileId: id.nullable().default(null),
  visibility: z.enum(ROADMAP_VISIBILITY).default('link'),
  stages: z.array(Stage).max(40).default([]),
  callToAct: CallToAct.nullable().default(null),
  showProgress: z.boolean().default(true),
})
export type RoadmapText = z.output<typeof RoadmapText>

export const SaveRoadmap = RoadmapText.extend({ roadmapId: id, version: z.int32().min(1) })
export type SaveRoadmap = z.input<typeof SaveRoadmap>
