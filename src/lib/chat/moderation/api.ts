import { NoInput, NoOutput, noOutput, procedureForRoles } from '#lib/core/http/api/procedure.ts'
import { CHAT_ROLES } from '../rules.ts'
import { banMember, listBans, unbanMember } from './bans.ts'
import { listReports, reportMessage, resolveReport } from './reports.ts'
import * as schema from './schema.ts'

const procedure = procedureForRoles(...CHAT_ROLES)

/** Reports and bans. */
export const moderationProcedures = {
  reportMessage: procedure
    .route({ summary: 'Reports a message of another member to the staff' })
    .input(schema.ReportMessage)
    .output(NoOutput)
    .handler(async ({ input, context }) => {
      await reportMessage(context.actor, input)
      return noOutput()
    }),
  listReports: procedure
    .route({ summary: 'Returns the reports that wait for a decision, the oldest first' })
    .input(schema.ListReports)
    .output(schema.ReportPage)
    .handler(({ input, context }) => listReports(context.actor, input)),
  resolveReport: procedure
    .route({ summary: 'Decides about a report' })
    .input(schema.ResolveReport)
    .output(NoOutput)
    .handler(async ({ input, context }) => {
      await resolveReport(context.actor, input)
      return noOutput()
    }),
  banMember: procedure
    .route({ summary: 'Bans a student from the conversation of a course or group' })
    .input(schema.BanMember)
    .output(NoOutput)
    .handler(async ({ input, context }) => {
      await banMember(context.actor, input)
      return noOutput()
    }),
  unbanMember: procedure
    .route({ summary: 'Ends the ban of a student' })
    .input(schema.BanMember)
    .output(NoOutput)
    .handler(async ({ input, context }) => {
      await unbanMember(context.actor, input)
      return noOutput()
    }),
  listBans: procedure
    .route({ summary: 'Returns the bans in conversations that the actor moderates' })
    .input(NoInput)
    .output(schema.BanList)
    .handler(({ context }) => listBans(context.actor)),
}
