import { z } from 'zod'
import { Cursor } from '#lib/core/shared/cursor.ts'
import { QUESTION_TYPES } from '#lib/core/shared/quiz.ts'
import { multilineText, textLine } from '#lib/core/shared/text/text.ts'
import { QuestionDoc } from '../question/rich-text-schema.ts'
import { QuestionContent, QuestionDraft, QuestionLabels } from '../question/schema.ts'

const id = z.uuid()
const questionIds = z.array(id).min(1, 'required').max(500)
const tags = z.array(textLine(40).min(1)).min(1, 'required').max(20)

/** `questionId` is chosen by the form, so that posting it twice creates one question. */
export const CreateQuestion = z.object({ questionId: id, bankId: id.nullable().default(null), draft: QuestionDraft })
export type CreateQuestion = z.output<typeof CreateQuestion>

/** A change of the content makes a new version; one of the labels does not. */
export const UpdateQuestion = z.object({
  questionId: id,
  /** The revision that the change is based on. */
  revision: z.int().min(1).max(2_147_483_647),
  content: QuestionContent.optional(),
  labels: QuestionLabels.partial().optional(),
})
export type UpdateQuestion = z.output<typeof UpdateQuestion>

export const QuestionId = z.object({ questionId: id })
export type QuestionId = z.infer<typeof QuestionId>

/** `newQuestionId` is chosen by the form, so that posting it twice makes one copy. */
export const DuplicateQuestion = z.object({ questionId: id, newQuestionId: id })
export type DuplicateQuestion = z.infer<typeof DuplicateQuestion>

export const ChangeQuestions = z.discriminatedUnion('action', [
  z.object({ action: z.literal('tag'), questionIds, tags }),
  z.object({ action: z.literal('untag'), questionIds, tags }),
  z.object({ action: z.literal('move'), questionIds, bankId: id.nullable() }),
  z.object({ action: z.literal('delete'), questionIds }),
  z.object({ action: z.literal('restore'), questionIds }),
])
export type ChangeQuestions = z.infer<typeof ChangeQuestions>

const optional = <T extends z.ZodType>(value: T) =>
  z.union([z.literal('').transform(() => undefined), value]).optional()

/** Empty fields of a filter form are no filter. `bankId` `none` is the general bank. */
export const ListBankQuestions = z.object({
  q: multilineText(100).default(''),
  type: optional(z.enum(QUESTION_TYPES)),
  tag: optional(textLine(40)),
  difficulty: optional(z.coerce.number().int().min(1).max(3)),
  bankId: optional(z.union([z.literal('none'), id])),
  complete: optional(z.enum(['yes', 'no'])),
  cursor: Cursor,
  limit: z.coerce.number().int().min(1).max(100).default(50),
})
export type ListBankQuestions = z.output<typeof ListBankQuestions>

/** `bankId` is chosen by the form, so that posting it twice creates one bank. */
export const SaveBank = z.object({ bankId: id, title: textLine(120).min(1, 'required') })
export type SaveBank = z.infer<typeof SaveBank>

/** Texts of a question that its editor shows as students see them. */
export const RenderTexts = z.object({ texts: z.array(QuestionDoc).max(101) })
export type RenderTexts = z.output<typeof RenderTexts>

export const BankId = z.object({ bankId: id })
export type BankId = z.infer<typeof BankId>
