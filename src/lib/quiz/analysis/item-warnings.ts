import { plainTextOf } from '../question/rich-text-schema.ts'
import type { AnswerValue, QuestionContent } from '../question/schema.ts'
import { answerShare, gapShare } from '../scoring/share.ts'
import { matchesText } from '../scoring/text-match.ts'
import type { ItemStatistics, ItemWarning } from './schema.ts'

/** Below this number of students the statistics are not significant, and no question gets a warning about its key. */
export const MIN_STUDENTS = 10
/** Minimum number of answers in the best quarter for a warning about the key. */
const MIN_TOP_ANSWERS = 5

/** The text of a choice, and the share of the points that it earns. */
export interface ChoiceMeaning {
  /** Of a question with parts: the part that was answered. */
  part: string
  label: string
  /** From -1 to 1; of parts and typed texts whether it is right. Null for a choice that the question no longer has. */
  credit: number | null
}

/** The meaning of the key of a counted choice in the current version of the question. */
export function meaningOf(content: QuestionContent, key: string): ChoiceMeaning {
  const slash = key.indexOf('/')
  const [partId, choiceId] = [key.slice(0, slash), key.slice(slash + 1)]
  const creditOf = (answer: AnswerValue) => answerShare(content, answer)
  switch (content.type) {
    case 'single':
    case 'multiple': {
      const option = content.options.find(({ id }) => id === key)
      return { part: '', label: option ? plainTextOf(option.content) : key, credit: option?.fraction ?? null }
    }
    case 'trueFalse':
      return { part: '', label: key, credit: creditOf({ type: 'trueFalse', value: key === 'true' }) }
    case 'scale':
      return { part: '', label: key, credit: creditOf({ type: 'scale', value: Number(key) }) }
    case 'shortText':
    case 'number':
      return { part: '', label: key, credit: creditOf({ type: content.type, text: key }) }
    case 'matching': {
      const prompt = content.prompts.find(({ id }) => id === partId)
      const choice = content.choices.find(({ id }) => id === choiceId)
      return {
        part: prompt ? plainTextOf(prompt.content) : partId,
        label: choice ? plainTextOf(choice.content) : choiceId,
        credit: prompt && choice ? Number(prompt.choiceId === choiceId) : null,
      }
    }
    case 'gapText': {
      const index = content.gaps.findIndex(({ id }) => id === partId)
      const accepted = content.gaps[index]?.accepted ?? []
      const fractions = accepted
        .filter(({ text }) => matchesText(choiceId, text, content))
        .map(({ fraction }) => fraction)
      return { part: String(index + 1), label: choiceId, credit: index < 0 ? null : Math.max(0, ...fractions) }
    }
    case 'gapSelect': {
      const index = content.gaps.findIndex(({ id }) => id === partId)
      const option = content.gaps[index]?.options.find(({ id }) => id === choiceId)
      return { part: String(index + 1), label: option?.text ?? choiceId, credit: option?.fraction ?? null }
    }
    case 'gapMixed': {
      const index = content.gaps.findIndex(({ id }) => id === partId)
      const gap = content.gaps[index]
      const part = String(index + 1)
      if (!gap) return { part, label: choiceId, credit: null }
      if (!('options' in gap)) return { part, label: choiceId, credit: Math.max(0, gapShare(gap, choiceId)) }
      const option = gap.options.find(({ id }) => id === choiceId)
      return { part, label: option?.text ?? choiceId, credit: option?.fraction ?? null }
    }
    default:
      return { part: '', label: key, credit: null }
  }
}

export interface CountedChoice extends ChoiceMeaning {
  key: string
  count: number
  /** Shares among students who answered: of all, of the best and of the worst quarter. */
  share: number
  topShare: number
  bottomShare: number
}

/** The distractor table of a question. */
export function countedChoices(content: QuestionContent, item: ItemStatistics): CountedChoice[] {
  const shareOf = (part: number, whole: number) => (whole === 0 ? 0 : part / whole)
  return item.choices.map(({ key, count, top, bottom }) => ({
    ...meaningOf(content, key),
    key,
    count,
    share: shareOf(count, item.answered),
    topShare: shareOf(top, item.topAnswered),
    bottomShare: shareOf(bottom, item.bottomAnswered),
  }))
}

/**
 * Whether the key may be wrong: in the best quarter of students, more chose an option without points than the right
 * one. Questions with parts are judged part by part.
 */
export function isKeySuspicious(item: ItemStatistics, choices: readonly CountedChoice[]): boolean {
  if (item.count < MIN_STUDENTS || item.topAnswered < MIN_TOP_ANSWERS) return false
  const parts = Map.groupBy(choices, ({ part }) => part)
  return [...parts.values()].some((list) => {
    const most = (isRight: boolean) =>
      Math.max(
        0,
        ...list.filter(({ credit }) => credit !== null && credit > 0 === isRight).map(({ topShare }) => topShare),
      )
    return most(false) > most(true)
  })
}

/** The warnings about a question, the most severe first. */
export function itemWarnings(item: ItemStatistics, choices: readonly CountedChoice[]): ItemWarning[] {
  if (item.count < MIN_STUDENTS) return []
  const { facility, discrimination } = item
  const warnings: ItemWarning[] = isKeySuspicious(item, choices) ? ['suspiciousKey'] : []
  if (discrimination !== null && discrimination < 0) warnings.push('negative')
  else if (discrimination !== null && discrimination < 0.2) warnings.push('weak')
  if (facility !== null && facility < 0.2) warnings.push('tooHard')
  if (facility !== null && facility > 0.95) warnings.push('tooEasy')
  return warnings
}
