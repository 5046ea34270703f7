import type { AnswerValue, AnswerValueOfType, QuestionContent, QuestionContentOfType } from './schema.ts'

/**
 * Whether an answer matches the question: its type, and only ids that exist in the question. An answer may be
 * incomplete.
 */
export function fitsQuestion(content: QuestionContent, answer: AnswerValue): boolean {
  if (content.type === 'single' && answer.type === 'single') return hasAll(content.options, [answer.optionId])
  if (content.type === 'multiple' && answer.type === 'multiple') return hasEachOnce(content.options, answer.optionIds)
  if (content.type === 'matching' && answer.type === 'matching')
    return (
      hasAll(content.prompts, Object.keys(answer.choices)) && hasAll(content.choices, Object.values(answer.choices))
    )
  if (content.type === 'ordering' && answer.type === 'ordering')
    return answer.itemIds.length === content.items.length && hasEachOnce(content.items, answer.itemIds)
  if (content.type === 'gapText' && answer.type === 'gapText') return hasAll(content.gaps, Object.keys(answer.gaps))
  if (content.type === 'gapSelect' && answer.type === 'gapSelect')
    return Object.entries(answer.gaps).every(([gapId, optionId]) => {
      const gap = content.gaps.find(({ id }) => id === gapId)
      return gap !== undefined && hasAll(gap.options, [optionId])
    })
  if (content.type === 'gapMixed' && answer.type === 'gapMixed') return fitsMixedGaps(content, answer)
  if (content.type === 'hotspot' && answer.type === 'hotspot') return answer.points.length <= maxPoints(content)
  if (content.type === 'scale' && answer.type === 'scale') {
    const { min, max, step } = content
    return answer.value >= min && answer.value <= max && (answer.value - min) % step === 0
  }
  if (content.type === 'fileUpload' && answer.type === 'fileUpload')
    return answer.fileIds.length <= content.maxFiles && new Set(answer.fileIds).size === answer.fileIds.length
  return content.type === answer.type
}

/** Whether an answer is empty and therefore stored as no answer. */
export function isEmptyAnswer(answer: AnswerValue): boolean {
  switch (answer.type) {
    case 'single':
    case 'trueFalse':
    case 'scale':
      return false
    case 'multiple':
      return answer.optionIds.length === 0
    case 'shortText':
    case 'number':
    case 'essay':
      return answer.text.trim() === ''
    case 'fileUpload':
      return answer.fileIds.length === 0
    case 'matching':
      return Object.keys(answer.choices).length === 0
    case 'ordering':
      return answer.itemIds.length === 0
    case 'gapText':
    case 'gapSelect':
      return Object.values(answer.gaps).every((text) => text.trim() === '')
    case 'gapMixed':
      return (
        Object.values(answer.texts).every((text) => text.trim() === '') &&
        Object.values(answer.chosen).every((optionIds) => optionIds.length === 0)
      )
    case 'hotspot':
      return answer.points.length === 0
  }
}

/** Maximum number of points that a student may place on an image: the number of right regions. */
export const maxPoints = ({ regions }: { regions: readonly { correct: boolean }[] }): number =>
  Math.max(1, regions.filter(({ correct }) => correct).length)

/** Whether a file is accepted, by its kind or file name extension (`.psd`). An empty list accepts everything. */
export function questionAcceptsFile(
  accepted: readonly string[],
  { kind, name }: { kind: string; name: string },
): boolean {
  const lowerName = name.toLowerCase()
  return (
    accepted.length === 0 || accepted.some((type) => (type.startsWith('.') ? lowerName.endsWith(type) : type === kind))
  )
}

function fitsMixedGaps(
  { gaps }: QuestionContentOfType<'gapMixed'>,
  { texts, chosen }: AnswerValueOfType<'gapMixed'>,
): boolean {
  const typed = gaps.filter((gap) => !('options' in gap))
  return (
    hasAll(typed, Object.keys(texts)) &&
    Object.entries(chosen).every(([gapId, optionIds]) => {
      const gap = gaps.find(({ id }) => id === gapId)
      if (!gap || !('options' in gap)) return false
      return hasEachOnce(gap.options, optionIds) && (gap.kind === 'several' || optionIds.length <= 1)
    })
  )
}

const hasAll = (parts: readonly { id: string }[], ids: readonly string[]): boolean =>
  ids.every((id) => parts.some((part) => part.id === id))

const hasEachOnce = (parts: readonly { id: string }[], ids: readonly string[]): boolean =>
  new Set(ids).size === ids.length && hasAll(parts, ids)
