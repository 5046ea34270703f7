import { procedureForRoles } from '#lib/core/http/api/procedure.ts'
import { getMasterclass, saveMasterclass } from './content.ts'
import { GetCurvesOutput, MasterclassDraft, SaveMasterclassOutput } from './output-schema.ts'
import * as schema from './schema.ts'
import { getViewSeries } from './view-series.ts'

const managers = procedureForRoles('OWNER', 'DIRECTOR', 'EXPERT', 'PRESENTER')
const readers = procedureForRoles('OWNER', 'DIRECTOR', 'EXPERT', 'PRESENTER', 'MODERATOR')
const statisticsReaders = procedureForRoles('OWNER', 'DIRECTOR', 'EXPERT')

/** Procedures of masterclasses. */
export const masterclass = {
  get: readers
    .route({ summary: 'Returns the page of a masterclass for its editor' })
    .input(schema.MasterclassId)
    .output(MasterclassDraft)
    .handler(({ input, context }) => getMasterclass(context.actor, input)),
  save: managers
    .route({ summary: 'Saves the page of a masterclass based on the version it was read at' })
    .input(schema.SaveMasterclass)
    .output(SaveMasterclassOutput)
    .handler(({ input, context }) => saveMasterclass(context.actor, input)),
  getCurves: statisticsReaders
    .route({ summary: 'Returns view series of each part' })
    .input(schema.MasterclassId)
    .output(GetCurvesOutput)
    .handler(({ input, context }) => getViewSeries(context.actor, input)),
}
