import { expect, test } from 'vitest'
import { blankContent } from '#islands/quiz/editor/blank-question.ts'
import { mergeQuestions, textOfDraft } from '#islands/quiz/editor/question-draft.ts'
import { plainRichText, plainTextOf } from '#lib/quiz/question/rich-text-schema.ts'
import { QuestionDraft } from '#lib/quiz/question/schema.ts'

const base = QuestionDraft.parse({ content: { ...blankContent('essay'), stem: plainRichText('Було') } })
const withStem = (text: string, labels: Partial<QuestionDraft> = {}) =>
  QuestionDraft.parse({ ...base, ...labels, content: { ...base.content, stem: plainRichText(text) } })

test('changes of different fields are merged', () => {
  const merged = mergeQuestions({ base, mine: withStem('Стало'), theirs: { ...base, tags: ['історія'] } })
  expect(merged?.tags).toEqual(['історія'])
  expect(merged && plainTextOf(merged.content.stem)).toBe('Стало')
})

test('two changes of one field are a conflict until one text is chosen', () => {
  const texts = { base, mine: withStem('Моє', { difficulty: 3 }), theirs: withStem('Інше', { tags: ['історія'] }) }
  expect(mergeQuestions(texts)).toBeNull()
  const mine = mergeQuestions(texts, 'mine')
  const theirs = mergeQuestions(texts, 'theirs')
  expect([mine, theirs].map((draft) => draft && plainTextOf(draft.content.stem))).toEqual(['Моє', 'Інше'])
  // What only one of them changed is kept, whichever text is chosen.
  expect([mine?.difficulty, mine?.tags, theirs?.difficulty, theirs?.tags]).toEqual([3, ['історія'], 3, ['історія']])
})

test('both texts of a conflict are shown with their options', () => {
  const content = blankContent('single')
  if (content.type !== 'single') throw new Error('another type')
  const options = content.options.map((option, index) => ({ ...option, content: plainRichText(`Варіант ${index}`) }))
  const draft = QuestionDraft.parse({ content: { ...content, stem: plainRichText('Запитання'), options } })
  expect(textOfDraft(draft)).toBe('Запитання\n0% Варіант 0\n0% Варіант 1\n0% Варіант 2')
})
