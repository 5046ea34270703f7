import { z } from 'zod'
import { NoInput, NoOutput, noOutput, procedureForRoles } from '#lib/core/http/api/procedure.ts'
import { answerItem, answerItems } from './answer.ts'
import { getInboxItem, listInbox } from './inbox.ts'
import { assignItems, closeItems, reopenItems, snoozeItems } from './organize.ts'
import * as output from './output-schema.ts'
import { INBOX_ROLES } from './rules.ts'
import * as schema from './schema.ts'
import { getInboxSettings, updateInboxSettings } from './settings.ts'

const procedure = procedureForRoles(...INBOX_ROLES)

export const inboxProcedures = {
  listInbox: procedure
    .route({ summary: 'Returns what waits for an answer of the actor, the closest deadline first' })
    .input(schema.ListInbox)
    .output(output.InboxPage)
    .handler(({ input, context }) => listInbox(context.actor, input)),
  getItem: procedure
    .route({ summary: 'Returns an item that waits, or null when it was answered or closed' })
    .input(schema.InboxItemInput)
    .output(output.InboxItemView.nullable())
    .handler(({ input, context }) => getInboxItem(context.actor, input)),
  answer: procedure
    .route({ summary: 'Answers a question; refuses when another member has answered it' })
    .input(schema.AnswerItem)
    .output(z.object({ messageId: z.string() }))
    .handler(({ input, context }) => answerItem(context.actor, input)),
  answerItems: procedure
    .route({ summary: 'Sends one answer to several questions' })
    .input(schema.AnswerItems)
    .output(output.BulkAnswer)
    .handler(({ input, context }) => answerItems(context.actor, input)),
  assignItems: procedure
    .route({ summary: 'Assigns items to a team member, or to nobody with null' })
    .input(schema.AssignItems)
    .output(output.ChangedItems)
    .handler(({ input, context }) => assignItems(context.actor, input)),
  snoozeItems: procedure
    .route({ summary: 'Hides items until a later day, or shows them again' })
    .input(schema.SnoozeItems)
    .output(output.ChangedItems)
    .handler(({ input, context }) => snoozeItems(context.actor, input)),
  closeItems: procedure
    .route({ summary: 'Closes questions without an answer until the student writes again' })
    .input(schema.CloseItems)
    .output(output.ClosedItems)
    .handler(({ input, context }) => closeItems(context.actor, input)),
  reopenItems: procedure
    .route({ summary: 'Reverts the closing of questions' })
    .input(schema.ReopenItems)
    .output(NoOutput)
    .handler(({ input, context }) => reopenItems(context.actor, input).then(noOutput)),
  getSettings: procedure
    .route({ summary: 'Returns the promised time of an answer' })
    .input(NoInput)
    .output(output.InboxSettings)
    .handler(({ context }) => getInboxSettings(context.actor)),
  updateSettings: procedure
    .route({ summary: 'Changes the promised time of an answer' })
    .input(schema.UpdateInboxSettings)
    .output(output.InboxSettings)
    .handler(({ input, context }) => updateInboxSettings(context.actor, input)),
}
