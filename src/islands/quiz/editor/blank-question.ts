import { EMPTY_DOC } from '#lib/core/shared/lesson-doc.ts'
import type { QuestionType } from '#lib/core/shared/quiz.ts'
import {
  MixedGap,
  QuestionContent,
  type QuestionContentInput,
  type QuestionContentOfType,
} from '#lib/quiz/question/schema.ts'

/** An id for a new part of a question. */
export const newPartId = (): string => crypto.randomUUID().slice(0, 8)

export const blankOption = () => ({ id: newPartId(), content: EMPTY_DOC, fraction: 0, explanation: null })
export const blankText = () => ({ id: newPartId(), text: '', fraction: 1, explanation: null })
export const blankItem = () => ({ id: newPartId(), content: EMPTY_DOC })

/** The content of a new question: the minimum number of empty parts of its type. */
export function blankContent(type: QuestionType): QuestionContent {
  return QuestionContent.parse({ ...typeFields(type), stem: EMPTY_DOC })
}

function typeFields(type: QuestionType): Partial<QuestionContentInput> & { type: QuestionType } {
  switch (type) {
    case 'single':
    case 'multiple':
      return { type, options: [blankOption(), blankOption(), blankOption()] }
    case 'trueFalse':
      return { type, correct: null }
    case 'shortText':
      return { type, accepted: [blankText()] }
    case 'number':
      return { type, accepted: [blankNumber()] }
    case 'essay':
    case 'fileUpload':
      return { type }
    case 'matching': {
      const choices = [blankItem(), blankItem(), blankItem()]
      return { type, choices, prompts: choices.map(({ id }) => ({ ...blankItem(), choiceId: id })) }
    }
    case 'ordering':
      return { type, items: [blankItem(), blankItem(), blankItem()] }
    case 'gapText':
    case 'gapSelect':
    case 'gapMixed':
      return { type, gaps: [] }
    case 'hotspot':
      return { type, imageFileId: null, regions: [] }
    case 'scale':
      return { type, min: 1, max: 5 }
  }
}

export const blankNumber = (): QuestionContentOfType<'number'>['accepted'][number] => ({
  id: newPartId(),
  kind: 'value',
  value: '0',
  tolerance: '0',
  fraction: 1,
  explanation: null,
})

const blankSelectOption = (fraction: number) => ({ id: newPartId(), text: '', fraction })
export const blankGapOption = () => blankSelectOption(0)

/** The smallest number that is not the id of a gap. */
export function nextGapId(gaps: readonly { id: string }[]): string {
  let number = 1
  while (gaps.some(({ id }) => id === String(number))) number += 1
  return String(number)
}

/** A new gap of a kind. */
export function blankMixedGap(id: string, kind: MixedGap['kind']): MixedGap {
  switch (kind) {
    case 'text':
      return MixedGap.parse({ id, kind, accepted: [blankText()] })
    case 'number':
      return MixedGap.parse({ id, kind, accepted: [blankNumber()] })
    case 'menu':
    case 'several':
      return MixedGap.parse({ id, kind, options: [blankText(), blankListText()] })
  }
}

/** A wrong option. */
export const blankListText = () => ({ ...blankText(), fraction: 0 })

export const blankTextGap = (id: string) => ({ id, accepted: [blankText()] })
export const blankSelectGap = (id: string) => ({ id, options: [blankSelectOption(1), blankSelectOption(0)] })
