import { escapeXml } from '#lib/core/shared/text/escape.ts'
import { plainTextOf } from '../../question/rich-text-schema.ts'
import type { QuestionDraft } from '../../question/schema.ts'
import type { NoteChange } from '../question-reader.ts'
import { writeMoodleAnswers } from './write-answers.ts'
import { type FindExported, MoodleWriter } from './writer.ts'

export const MOODLE_START = '<?xml version="1.0" encoding="UTF-8"?>\n<quiz>\n'
export const MOODLE_END = '</quiz>\n'

const MAX_NAME = 100

/**
 * One question element of Moodle XML, with files in base64. Throws SkippedQuestion for types that Moodle does not have.
 */
export function writeMoodleQuestion(
  { content, tags, difficulty }: QuestionDraft,
  find: FindExported,
  note: NoteChange,
): string {
  if (difficulty !== 2 || content.penalty !== 0) note('settings_lost')
  const texts = new MoodleWriter(find, note)
  const { type, stem, elements, points } = writeMoodleAnswers(content, texts)
  const name = plainTextOf(content.stem).slice(0, MAX_NAME).toWellFormed() || type
  return [
    `  <question type="${type}">`,
    `    <name><text>${escapeXml(name)}</text></name>`,
    `    ${texts.element('questiontext', stem ?? texts.html(content.stem))}`,
    `    ${content.explanation ? texts.rich('generalfeedback', content.explanation) : emptyText('generalfeedback')}`,
    ...(points ? [`    <defaultgrade>${content.points}</defaultgrade>`] : []),
    '    <penalty>0</penalty>',
    '    <hidden>0</hidden>',
    ...elements.map((element) => `    ${element}`),
    ...(tags.length > 0
      ? [`    <tags>${tags.map((tag) => `<tag><text>${escapeXml(tag)}</text></tag>`).join('')}</tags>`]
      : []),
    '  </question>\n',
  ].join('\n')
}

const emptyText = (name: string): string => `<${name} format="html"><text></text></${name}>`
