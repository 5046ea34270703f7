import { z } from 'zod'
import { multilineText, textLine } from '#lib/core/shared/text/text.ts'
import { BulkTarget } from '../bulk/schema.ts'

/** Students of a selection, of a filter, or all students of an import. */
const MessageTarget = z.union([BulkTarget, z.object({ importId: z.uuid() })])

const target = { messageId: z.uuid(), target: MessageTarget }

/** An email to students, or a new invitation with an additional text. `messageId` is chosen by the form. */
export const CreateStudentMessage = z.discriminatedUnion('action', [
  z.object({ ...target, action: z.literal('invite'), text: multilineText(1000).default('') }),
  z.object({
    ...target,
    action: z.literal('email'),
    subject: textLine(150).min(1, 'required'),
    text: multilineText(5000).min(1, 'required'),
  }),
])
export type CreateStudentMessage = z.output<typeof CreateStudentMessage>
