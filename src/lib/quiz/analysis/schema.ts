import { z } from 'zod'

/** How many students chose an option or typed a text. */
const ChoiceCount = z.object({
  /** Id of an option; of a part with its choice `<part>/<choice>`; or the typed text. */
  key: z.string(),
  count: z.int(),
  /** In the quarter of students with the best scores in the rest of the test, and with the worst ones. */
  top: z.int(),
  bottom: z.int(),
})

/** The statistics of one question. The formulas are in docs/decisions/240-item-analysis.md. */
export const ItemStatistics = z.object({
  questionId: z.uuid(),
  /** Students who had the question in a graded attempt, those who answered it, and those of both quarters. */
  count: z.int(),
  answered: z.int(),
  topAnswered: z.int(),
  bottomAnswered: z.int(),
  /** The mean share of the points, from 0 to 1; below 0 with negative marks. */
  facility: z.number().nullable(),
  /** Correlation with the rest of the test, from -1 to 1; null when it cannot be computed. */
  discrimination: z.number().nullable(),
  /** The facility in the best quarter. */
  topFacility: z.number().nullable(),
  /** Of those who answered. */
  medianSeconds: z.number().nullable(),
  choices: z.array(ChoiceCount),
})
export type ItemStatistics = z.output<typeof ItemStatistics>

/** Warnings about a question. Labels are `analysis:warning.<key>`. */
export const ITEM_WARNINGS = ['suspiciousKey', 'negative', 'weak', 'tooHard', 'tooEasy'] as const
export type ItemWarning = (typeof ITEM_WARNINGS)[number]
