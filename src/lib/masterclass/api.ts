import { procedureForRoles } from '#lib/core/http/api/procedure.ts'
import { getMasterclass, saveMasterclass } from './content.ts'
import * as ask from './schema.ts'
import { getViewSeries } from './view-series.ts'

const managers = procedureForRoles('OWNER', 'DIRECTOR', 'EXPERT', 'PRESENTER')
const readers = procedureForRoles('OWNER', 'DIRECTOR', 'EXPERT', 'PRESENTER', 'MODERATOR')
const statisticsReaders = procedureForRoles('OWNER', 'DIRECTOR', 'EXPERT')

/** Procedures of masterclasses. */
export const masterclass = {
  get: readers.input(ask.MasterclassId).handler(({ input, context }) => getMasterclass(context.actor, input)),
  save: managers.input(ask.SaveMasterclass).handler(({ input, context }) => saveMasterclass(context.actor, input)),
  getCurves: statisticsReaders
    .input(ask.MasterclassId)
    .handler(({ input, context }) => getViewSeries(context.actor, input)),
}
