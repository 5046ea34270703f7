import { forRoles } from '#lib/core/http/procedure.ts'
import * as ask from './schema.ts'
import * as door from './storage.ts'

const staff = forRoles('OWNER', 'DIRECTOR', 'EXPERT')

/** The storage room at the API's door. */
export const storage = {
  find: staff.input(ask.OneFile).handler(({ input, context }) => door.findFile(context.actor, input.fileId)),
}
