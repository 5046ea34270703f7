import { z } from 'zod'
import { QUESTION_TYPES } from '#lib/core/shared/quiz.ts'
import { ITEM_WARNINGS, ItemStatistics } from './schema.ts'

const CountedChoice = z.object({
  key: z.string(),
  part: z.string(),
  label: z.string(),
  credit: z.number().nullable(),
  count: z.number(),
  share: z.number(),
  topShare: z.number(),
  bottomShare: z.number(),
})

const AnalyzedItem = ItemStatistics.extend({
  title: z.string(),
  type: z.enum(QUESTION_TYPES),
  choices: z.array(CountedChoice),
  warnings: z.array(z.enum(ITEM_WARNINGS)),
})

export const ItemAnalysisOutput = z
  .object({ attempts: z.number(), computedAt: z.date(), items: z.array(AnalyzedItem) })
  .nullable()
