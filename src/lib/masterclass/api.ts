import { forRoles } from '#lib/core/http/api/procedure.ts'
import * as door from './masterclass.ts'
import * as ask from './schema.ts'

export { filmChecks } from './film-check.ts'

const managers = forRoles('OWNER', 'DIRECTOR', 'EXPERT', 'PRESENTER')
const readers = forRoles('OWNER', 'DIRECTOR', 'EXPERT', 'PRESENTER', 'MODERATOR')
const figures = forRoles('OWNER', 'DIRECTOR', 'EXPERT')

/** The masterclass room at the API's door. */
export const masterclass = {
  get: readers.input(ask.MasterclassId).handler(({ input, context }) => door.getMasterclass(context.actor, input)),
  save: managers.input(ask.SaveMasterclass).handler(({ input, context }) => door.saveMasterclass(context.actor, input)),
  getCurves: figures.input(ask.MasterclassId).handler(({ input, context }) => door.getCurves(context.actor, input)),
}
