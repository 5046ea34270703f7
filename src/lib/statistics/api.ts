import { forRoles } from '#lib/core/http/api/procedure.ts'
import { listStatistics } from './list.ts'
import { findSaid } from './moments.ts'
import * as ask from './schema.ts'
import { getShowings } from './showings.ts'
import { getFigures } from './statistics.ts'
import { listViewers } from './viewers.ts'

const readers = forRoles('OWNER', 'DIRECTOR', 'EXPERT')

/** The statistics room at the API's door. */
export const statistics = {
  list: readers.input(ask.ListStatistics).handler(({ input, context }) => listStatistics(context.actor, input)),
  get: readers.input(ask.OneEvent).handler(({ input, context }) => getFigures(context.actor, input)),
  getShowings: readers.input(ask.OneEvent).handler(({ input, context }) => getShowings(context.actor, input)),
  listViewers: readers.input(ask.ListViewers).handler(({ input, context }) => listViewers(context.actor, input)),
  findSaid: readers.input(ask.FindMoments).handler(({ input, context }) => findSaid(context.actor, input)),
}
