import { NoOutput, noOutput, procedureForRoles } from '#lib/core/http/api/procedure.ts'
import {
  CreateRoadmapOutput,
  HideRoadmapOutput,
  ListRoadmapOutput,
  PublishRoadmapOutput,
  RoadmapDraft,
  RoadmapProgress,
  SaveRoadmapOutput,
} from './output-schema.ts'
import { getProgress } from './progress.ts'
import {
  createRoadmap,
  deleteRoadmap,
  getRoadmap,
  hideRoadmap,
  listRoadmaps,
  publishRoadmap,
  saveRoadmap,
} from './roadmap.ts'
import { CreateRoadmap, ListRoadmaps, RoadmapId, SaveRoadmap } from './schema.ts'

const staff = procedureForRoles('OWNER', 'DIRECTOR', 'EXPERT', 'CURATOR')
const authors = procedureForRoles('OWNER', 'DIRECTOR', 'EXPERT')
const student = procedureForRoles('STUDENT')

/** Procedures of road maps. */
export const roadmap = {
  list: staff
    .route({ summary: 'Returns the road maps of a course, oldest first' })
    .input(ListRoadmaps)
    .output(ListRoadmapOutput)
    .handler(({ input, context }) => listRoadmaps(context.actor, input)),
  get: staff
    .route({ summary: 'Returns one road map for its authors' })
    .input(RoadmapId)
    .output(RoadmapDraft)
    .handler(({ input, context }) => getRoadmap(context.actor, input)),
  create: authors
    .route({ summary: "Creates a road map with the course's modules as stages" })
    .input(CreateRoadmap)
    .output(CreateRoadmapOutput)
    .handler(({ input, context }) => createRoadmap(context.actor, input)),
  save: authors
    .route({ summary: 'Saves a road map based on `version`' })
    .input(SaveRoadmap)
    .output(SaveRoadmapOutput)
    .handler(({ input, context }) => saveRoadmap(context.actor, input)),
  publish: authors
    .route({ summary: 'Publishes a road map' })
    .input(RoadmapId)
    .output(PublishRoadmapOutput)
    .handler(({ input, context }) => publishRoadmap(context.actor, input)),
  hide: authors
    .route({ summary: 'Hides a published road map' })
    .input(RoadmapId)
    .output(HideRoadmapOutput)
    .handler(({ input, context }) => hideRoadmap(context.actor, input)),
  delete: authors
    .route({ summary: 'Deletes a road map' })
    .input(RoadmapId)
    .output(NoOutput)
    .handler(({ input, context }) => deleteRoadmap(context.actor, input).then(noOutput)),
  getProgress: student
    .route({ summary: 'Returns progress of the student on a published road map' })
    .input(RoadmapId)
    .output(RoadmapProgress)
    .handler(({ input, context }) => getProgress(context.actor, input)),
}
