import type { LessonDoc } from '#lib/core/shared/lesson-doc.ts'
import type { QuestionContent } from '#lib/quiz/question/schema.ts'

/** The texts that a student sees before answering: the stem, then the parts in order. */
export function previewTextsOf(content: QuestionContent): LessonDoc[] {
  return [content.stem, ...questionTexts(content)]
}

function questionTexts(content: QuestionContent): LessonDoc[] {
  switch (content.type) {
    case 'single':
    case 'multiple':
      return content.options.map((option) => option.content)
    case 'matching':
      return [...content.prompts, ...content.choices].map((part) => part.content)
    case 'ordering':
      return content.items.map((item) => item.content)
    default:
      return []
  }
}
