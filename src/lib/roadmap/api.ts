import { Done, done, procedureForRoles } from '#lib/core/http/api/procedure.ts'
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
  list: staff.input(ListRoadmaps).handler(({ input, context }) => listRoadmaps(context.actor, input)),
  get: staff.input(RoadmapId).handler(({ input, context }) => getRoadmap(context.actor, input)),
  create: authors.input(CreateRoadmap).handler(({ input, context }) => createRoadmap(context.actor, input)),
  save: authors.input(SaveRoadmap).handler(({ input, context }) => saveRoadmap(context.actor, input)),
  publish: authors.input(RoadmapId).handler(({ input, context }) => publishRoadmap(context.actor, input)),
  hide: authors.input(RoadmapId).handler(({ input, context }) => hideRoadmap(context.actor, input)),
  delete: authors
    .input(RoadmapId)
    .output(Done)
    .handler(({ input, context }) => deleteRoadmap(context.actor, input).then(done)),
  getProgress: student.input(RoadmapId).handler(({ input, context }) => getProgress(context.actor, input)),
}
