import { forRoles } from '#lib/core/http/api/procedure.ts'
import { getMasterclass, saveMasterclass } from './content.ts'
import { getCurves } from './curve.ts'
import * as ask from './schema.ts'

const managers = forRoles('OWNER', 'DIRECTOR', 'EXPERT', 'PRESENTER')
const readers = forRoles('OWNER', 'DIRECTOR', 'EXPERT', 'PRESENTER', 'MODERATOR')
const figures = forRoles('OWNER', 'DIRECTOR', 'EXPERT')

/** The masterclass room at the API's door. */
export const masterclass = {
  get: readers.input(ask.MasterclassId).handler(({ input, context }) => getMasterclass(context.actor, input)),
  save: managers.input(ask.SaveMasterclass).handler(({ input, context }) => saveMasterclass(context.actor, input)),
  getCurves: figures.input(ask.MasterclassId).handler(({ input, context }) => getCurves(context.actor, input)),
}
