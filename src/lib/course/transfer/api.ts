import { NoInput, procedureForRoles } from '#lib/core/http/api/procedure.ts'
import { GetTransferOutput, ListTransfersOutput, StartImportOutput } from './output-schema.ts'
import { StartImport, TransferId } from './schema.ts'
import { getTransfer, listTransfers, startCourseImport } from './transfer.ts'

const authors = procedureForRoles('OWNER', 'DIRECTOR', 'EXPERT')

/** Procedures that import course files of this and other systems. */
export const transferCalls = {
  startImport: authors
    .route({ summary: 'Starts the import of a stored file into a new course, as a job' })
    .input(StartImport)
    .output(StartImportOutput)
    .handler(({ input, context }) => startCourseImport(context.actor, input)),
  getTransfer: authors
    .route({ summary: 'Returns progress and report of an import' })
    .input(TransferId)
    .output(GetTransferOutput)
    .handler(({ input, context }) => getTransfer(context.actor, input)),
  listTransfers: authors
    .route({ summary: "Returns the actor's own imports, the newest first, ten at most" })
    .input(NoInput)
    .output(ListTransfersOutput)
    .handler(({ context }) => listTransfers(context.actor)),
}
