import { procedureForRoles } from '#lib/core/http/api/procedure.ts'
import { getAutoSessionStatistics } from './auto-sessions.ts'
import { findSessionMessages } from './find-messages.ts'
import { listStatistics } from './list.ts'
import {
  AutoSessionsStatistics,
  EventStatistics,
  ListStatisticsOutput,
  ListViewersOutput,
  SearchMessagesOutput,
} from './output-schema.ts'
import * as schema from './schema.ts'
import { getStatistics } from './statistics.ts'
import { listViewers } from './viewers.ts'

const readers = procedureForRoles('OWNER', 'DIRECTOR', 'EXPERT')

/** Procedures of statistics. */
export const statistics = {
  list: readers
    .route({ summary: 'Returns sessions that took place, newest first, 30 per page' })
    .input(schema.ListStatistics)
    .output(ListStatisticsOutput)
    .handler(({ input, context }) => listStatistics(context.actor, input)),
  get: readers
    .route({ summary: 'Returns statistics of one session of an event, exact at this instant' })
    .input(schema.StatisticsInput)
    .output(EventStatistics)
    .handler(({ input, context }) => getStatistics(context.actor, input)),
  getSessions: readers
    .route({ summary: 'Returns statistics of all sessions of an auto-webinar, as counted a minute ago at most' })
    .input(schema.StatisticsInput)
    .output(AutoSessionsStatistics)
    .handler(({ input, context }) => getAutoSessionStatistics(context.actor, input)),
  listViewers: readers
    .route({ summary: 'Returns viewers of a session, 50 per page, by join time or watched time' })
    .input(schema.ListViewers)
    .output(ListViewersOutput)
    .handler(({ input, context }) => listViewers(context.actor, input)),
  findMessages: readers
    .route({ summary: 'Returns messages of a session in order, 100 per page' })
    .input(schema.FindMoments)
    .output(SearchMessagesOutput)
    .handler(({ input, context }) => findSessionMessages(context.actor, input)),
}
