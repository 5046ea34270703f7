import { childAt, childrenOf, type MarkupElement, parseXml, textAtPath } from '#lib/course/transfer/markup.ts'
import { pointsOf, readTags } from '../parts.ts'
import { type NoteChange, type QuestionReader, SkippedQuestion } from '../question-reader.ts'
import type { FindQuestionFile } from '../text/read-text.ts'
import { decodeXml, elementLines } from '../xml.ts'
import { readMoodleAnswers } from './read-answers.ts'
import { MoodleTexts } from './texts.ts'

const NOT_A_QUESTION = new Set(['description', 'random', 'randomsamatch', 'missingtype'])

/**
 * Questions in Moodle XML (docs.moodle.org/en/Moodle_XML_format), with the files inside. The last part of a category
 * becomes a tag of the questions after it. Refuses with unprocessable (import_xml).
 */
export function readMoodleQuestions(bytes: Uint8Array, reader: QuestionReader): void {
  const root = parseXml(Buffer.from(bytes), 'quiz', '')
  const lines = elementLines(decodeXml(bytes), 'question')
  let categoryTag: string | null = null
  for (const [index, element] of childrenOf(root, 'question').entries()) {
    const type = element.attributes.type ?? ''
    if (type === 'category') {
      categoryTag = categoryTagOf(textAtPath(element, 'category', 'text'))
      continue
    }
    const place = { line: lines[index] ?? 1, title: textAtPath(element, 'name', 'text') }
    reader.add(place, (note) => readMoodleQuestion(element, categoryTag, reader, note))
  }
}

/** Moodle's default categories (`top`, `Default for …`) are not used as tags. */
function categoryTagOf(path: string): string | null {
  const name = path.split('/').at(-1)?.trim() ?? ''
  return name === '' || name === 'top' || /^(Default for|Типово для|\$)/.test(name) ? null : name
}

/** The content of one question element; `find` finds the files of its texts where they are not inside. Throws SkippedQuestion. */
export function readMoodleQuestion(
  element: MarkupElement,
  categoryTag: string | null,
  reader: QuestionReader,
  note: NoteChange,
  find?: FindQuestionFile,
) {
  const type = element.attributes.type ?? ''
  if (NOT_A_QUESTION.has(type)) throw new SkippedQuestion('not_a_question')
  const source = new MoodleTexts(element, reader, note, find)
  const tags = childrenOf(childAt(element, 'tags'), 'tag').map((tag) => textAtPath(tag, 'text'))
  const explanation = source.optional(childAt(element, 'generalfeedback'))
  const points = pointsOf(textAtPath(element, 'defaultgrade') || 1, note)
  noteFeedback(element, note)
  const content = { stem: source.stem(), explanation, points, ...readMoodleAnswers(type, element, source) }
  return { tags: readTags(categoryTag ? [categoryTag, ...tags] : tags, note), content }
}

const STANDARD_FEEDBACK = /^(Your answer is (partially )?(in)?correct\.|Ваша відповідь (частково )?(не)?правильна\.?)$/i

/** Feedback on a whole answer and hints are not supported. */
function noteFeedback(element: MarkupElement, note: NoteChange): void {
  const texts = ['correctfeedback', 'partiallycorrectfeedback', 'incorrectfeedback', 'hint'].flatMap((name) =>
    childrenOf(element, name).map((feedback) =>
      textAtPath(feedback, 'text')
        .replace(/<[^<>]{0,200}>/g, '')
        .trim(),
    ),
  )
  if (texts.some((text) => text !== '' && !STANDARD_FEEDBACK.test(text))) note('feedback_lost')
}
