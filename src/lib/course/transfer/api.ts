import { forRoles } from '#lib/core/http/api/procedure.ts'
import * as door from '../course.ts'
import { StartImport, TransferId } from './schema.ts'

const authors = forRoles('OWNER', 'DIRECTOR', 'EXPERT')

/** Reading files of other systems, and of our own, into courses. */
export const transferCalls = {
  startImport: authors.input(StartImport).handler(({ input, context }) => door.startImport(context.actor, input)),
  getTransfer: authors.input(TransferId).handler(({ input, context }) => door.getTransfer(context.actor, input)),
  listTransfers: authors.handler(({ context }) => door.listTransfers(context.actor)),
}
