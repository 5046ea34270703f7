import { z } from 'zod'
import { ROADMAP_VISIBILITY } from '#lib/core/shared/learning.ts'
import { isSafeHref } from '#lib/core/shared/lesson-doc.ts'
import { multilineText, textLine } from '#lib/core/shared/text/text.ts'

const ITEM_TYPES = ['course', 'module', 'lesson', 'test', 'milestone', 'text'] as const

/** A stop of a stage; `refId` is its course, module, lesson or test. */
export const RoadmapItem = z.object({
  type: z.enum(ITEM_TYPES),
  refId: z.uuid().nullable().default(null),
  title: textLine(160).min(1),
  description: multilineText(600).default(''),
  duration: textLine(60).default(''),
  optional: z.boolean().default(false),
})
export type RoadmapItem = z.output<typeof RoadmapItem>

export const RoadmapStage = z.object({
  title: textLine(160).min(1),
  period: textLine(60).default(''),
  text: multilineText(1000).default(''),
  items: z.array(RoadmapItem).max(60).default([]),
})
export type RoadmapStage = z.output<typeof RoadmapStage>

export const RoadmapCallToAction = z.object({
  label: textLine(60).min(1),
  href: z.string().refine(isSafeHref, 'format'),
})
export type RoadmapCallToAction = z.output<typeof RoadmapCallToAction>

const id = z.uuid()

export const RoadmapId = z.object({ roadmapId: id })
export const ListRoadmaps = z.object({ courseId: id })
export const CreateRoadmap = z.object({ courseId: id })

/** The text of a road map: one draft, saved based on a version. */
export const RoadmapText = z.object({
  title: textLine(160).min(1, 'required'),
  intro: multilineText(2000).default(''),
  coverFileId: id.nullable().default(null),
  visibility: z.enum(ROADMAP_VISIBILITY).default('link'),
  stages: z.array(RoadmapStage).max(40).default([]),
  callToAct: RoadmapCallToAction.nullable().default(null),
  showProgress: z.boolean().default(true),
})
export type RoadmapText = z.output<typeof RoadmapText>

export const SaveRoadmap = RoadmapText.extend({ roadmapId: id, version: z.int32().min(1) })
export type SaveRoadmap = z.output<typeof SaveRoadmap>
