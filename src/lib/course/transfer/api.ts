import { procedureForRoles } from '#lib/core/http/api/procedure.ts'
import { StartImport, TransferId } from './schema.ts'
import { getTransfer, listTransfers, startImport } from './transfer.ts'

const authors = procedureForRoles('OWNER', 'DIRECTOR', 'EXPERT')

/** Procedures that import course files of this and other systems. */
export const transferCalls = {
  startImport: authors.input(StartImport).handler(({ input, context }) => startImport(context.actor, input)),
  getTransfer: authors.input(TransferId).handler(({ input, context }) => getTransfer(context.actor, input)),
  listTransfers: authors.handler(({ context }) => listTransfers(context.actor)),
}
