import { forRoles } from '#lib/core/http/api/procedure.ts'
import * as ask from './schema.ts'
import * as door from './statistics.ts'

const readers = forRoles('OWNER', 'DIRECTOR', 'EXPERT')

/** The statistics room at the API's door. */
export const statistics = {
  list: readers.input(ask.ListStatistics).handler(({ input, context }) => door.listStatistics(context.actor, input)),
  get: readers.input(ask.OneEvent).handler(({ input, context }) => door.getFigures(context.actor, input)),
  getShowings: readers.input(ask.OneEvent).handler(({ input, context }) => door.getShowings(context.actor, input)),
  listViewers: readers.input(ask.ListViewers).handler(({ input, context }) => door.listViewers(context.actor, input)),
  findSaid: readers.input(ask.FindMoments).handler(({ input, context }) => door.findSaid(context.actor, input)),
}
