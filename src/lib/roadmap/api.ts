import { Done, done, forRoles } from '#lib/core/http/api/procedure.ts'
import * as door from './roadmap.ts'
import * as ask from './schema.ts'

const staff = forRoles('OWNER', 'DIRECTOR', 'EXPERT', 'CURATOR')
const authors = forRoles('OWNER', 'DIRECTOR', 'EXPERT')
const student = forRoles('STUDENT')

/** The road map room at the API's door. */
export const roadmap = {
  list: staff.input(ask.ListRoadmaps).handler(({ input, context }) => door.listRoadmaps(context.actor, input)),
  get: staff.input(ask.RoadmapId).handler(({ input, context }) => door.getRoadmap(context.actor, input)),
  create: authors.input(ask.CreateRoadmap).handler(({ input, context }) => door.createRoadmap(context.actor, input)),
  save: authors.input(ask.SaveRoadmap).handler(({ input, context }) => door.saveRoadmap(context.actor, input)),
  publish: authors.input(ask.RoadmapId).handler(({ input, context }) => door.publishRoadmap(context.actor, input)),
  hide: authors.input(ask.RoadmapId).handler(({ input, context }) => door.hideRoadmap(context.actor, input)),
  delete: authors
    .input(ask.RoadmapId)
    .output(Done)
    .handler(({ input, context }) => door.deleteRoadmap(context.actor, input).then(done)),
  getProgress: student.input(ask.RoadmapId).handler(({ input, context }) => door.getProgress(context.actor, input)),
}
