import { z } from 'zod'
import { Picture } from '#lib/storage/output-schema.ts'
import { RoadmapCallToAction, RoadmapStage } from './schema.ts'

export const RoadmapDraft = z.object({
  id: z.string(),
  courseId: z.string(),
  version: z.number(),
  publishedAt: z.date().nullable(),
  views: z.number(),
  calls: z.number(),
  cover: Picture.nullable(),
  coverName: z.string().nullable(),
  title: z.string(),
  intro: z.string(),
  coverFileId: z.string().nullable(),
  visibility: z.enum(['students', 'link', 'public']),
  stages: z.array(RoadmapStage),
  callToAct: RoadmapCallToAction.nullable(),
  showProgress: z.boolean(),
})

export const ListRoadmapOutput = z.array(RoadmapDraft)

export const CreateRoadmapOutput = z.object({ roadmapId: z.string() })

export const SaveRoadmapOutput = z.object({ version: z.number() })

export const PublishRoadmapOutput = z.object({ published: z.boolean() })

export const HideRoadmapOutput = z.object({ published: z.boolean() })

const ProgressState = z.enum(['done', 'started', 'ahead'])

export const RoadmapProgress = z.object({
  marks: z.record(z.string(), ProgressState),
  done: z.number(),
  total: z.number(),
  continueHref: z.string().nullable(),
})
