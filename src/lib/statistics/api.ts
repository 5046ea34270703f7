import { procedureForRoles } from '#lib/core/http/api/procedure.ts'
import { getAutoSessionStatistics } from './auto-sessions.ts'
import { findSessionMessages } from './find-messages.ts'
import { listStatistics } from './list.ts'
import * as ask from './schema.ts'
import { getStatistics } from './statistics.ts'
import { listViewers } from './viewers.ts'

const readers = procedureForRoles('OWNER', 'DIRECTOR', 'EXPERT')

/** Procedures of statistics. */
export const statistics = {
  list: readers.input(ask.ListStatistics).handler(({ input, context }) => listStatistics(context.actor, input)),
  get: readers.input(ask.EventInput).handler(({ input, context }) => getStatistics(context.actor, input)),
  getShowings: readers
    .input(ask.EventInput)
    .handler(({ input, context }) => getAutoSessionStatistics(context.actor, input)),
  listViewers: readers.input(ask.ListViewers).handler(({ input, context }) => listViewers(context.actor, input)),
  findSaid: readers.input(ask.FindMoments).handler(({ input, context }) => findSessionMessages(context.actor, input)),
}
