import { filesOf } from '#lib/core/shared/lesson-doc.ts'
import type { QuestionDoc } from '../question/rich-text-schema.ts'
import { titleTextOf } from '../question/rules.ts'
import type { QuestionContent } from '../question/schema.ts'

const TITLE_CHARACTERS = 300

/** The beginning of the stem, for lists and searches. */
export const titleOf = (content: QuestionContent): string =>
  [...titleTextOf(content)].slice(0, TITLE_CHARACTERS).join('').trim()

/** The formatted texts of a question: stem, parts and explanations. */
export function richTextsOf(content: QuestionContent): QuestionDoc[] {
  return [content.stem, content.explanation, ...partTextsOf(content)].filter((doc) => doc !== null)
}

/** The ids of the files of a question, each once. */
export function questionFilesOf(content: QuestionContent): string[] {
  const image = content.type === 'hotspot' && content.imageFileId ? [content.imageFileId] : []
  return [...new Set([...image, ...richTextsOf(content).flatMap(filesOf)])]
}

function partTextsOf(content: QuestionContent): (QuestionDoc | null)[] {
  switch (content.type) {
    case 'single':
    case 'multiple':
      return content.options.flatMap(({ content, explanation }) => [content, explanation])
    case 'trueFalse':
      return [content.trueExplanation, content.falseExplanation]
    case 'shortText':
    case 'number':
      return content.accepted.map(({ explanation }) => explanation)
    case 'essay':
      return [content.sampleAnswer]
    case 'matching':
      return [...content.prompts, ...content.choices].map(({ content }) => content)
    case 'ordering':
      return content.items.map(({ content }) => content)
    case 'gapText':
      return content.gaps.flatMap(({ accepted }) => accepted.map(({ explanation }) => explanation))
    case 'gapMixed':
      return content.gaps.flatMap((gap) =>
        ('options' in gap ? gap.options : gap.accepted).map(({ explanation }) => explanation),
      )
    case 'fileUpload':
    case 'gapSelect':
    case 'hotspot':
    case 'scale':
      return []
  }
}
