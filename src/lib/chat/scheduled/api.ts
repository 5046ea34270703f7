import { NoOutput, noOutput, procedureForRoles } from '#lib/core/http/api/procedure.ts'
import { CHAT_ROLES } from '../rules.ts'
import { releaseHeldReply } from './held.ts'
import { cancelScheduled, editScheduled, listScheduled, scheduleChatMessage } from './scheduled.ts'
import * as schema from './schema.ts'

const procedure = procedureForRoles(...CHAT_ROLES)

/** Planned messages. */
export const scheduledProcedures = {
  scheduleMessage: procedure
    .route({ summary: 'Plans a message; the same id again is the same message' })
    .input(schema.ScheduleMessage)
    .output(schema.ScheduledMessageView)
    .handler(({ input, context }) => scheduleChatMessage(context.actor, input)),
  listScheduled: procedure
    .route({ summary: 'Returns the planned messages of the actor, in one conversation or in all' })
    .input(schema.ListScheduled)
    .output(schema.ScheduledMessageList)
    .handler(({ input, context }) => listScheduled(context.actor, input)),
  editScheduled: procedure
    .route({ summary: 'Changes the text, the files and the time of a planned message' })
    .input(schema.EditScheduledMessage)
    .output(schema.ScheduledMessageView)
    .handler(({ input, context }) => editScheduled(context.actor, input)),
  releaseReply: procedure
    .route({ summary: 'Sends a reply by email whose sender was not authenticated' })
    .input(schema.ScheduledMessageRef)
    .output(NoOutput)
    .handler(async ({ input, context }) => {
      await releaseHeldReply(context.actor, input)
      return noOutput()
    }),
  cancelScheduled: procedure
    .route({ summary: 'Cancels a planned message' })
    .input(schema.ScheduledMessageRef)
    .output(NoOutput)
    .handler(async ({ input, context }) => {
      await cancelScheduled(context.actor, input)
      return noOutput()
    }),
}
