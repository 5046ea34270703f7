import { NoInput, procedureForRoles } from '#lib/core/http/api/procedure.ts'
import { CHAT_ROLES } from '../rules.ts'
import { listChatExports, requestChatExport } from './export.ts'
import { ChatExportList, ChatExportRef, RequestChatExport } from './schema.ts'

const procedure = procedureForRoles(...CHAT_ROLES)

/** Exports of conversations. */
export const chatExportProcedures = {
  listExports: procedure
    .route({ summary: 'Returns the exports of conversations of the school' })
    .input(NoInput)
    .output(ChatExportList)
    .handler(({ context }) => listChatExports(context.actor)),
  requestExport: procedure
    .route({ summary: 'Starts an export of one conversation or of all' })
    .input(RequestChatExport)
    .output(ChatExportRef)
    .handler(({ input, context }) => requestChatExport(context.actor, input)),
}
