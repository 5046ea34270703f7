import { plainTextOf, type RichText } from '../../question/rich-text-schema.ts'
import type { QuestionDraft } from '../../question/schema.ts'
import type { NoteChange } from '../question-reader.ts'
import { escapeHtml, type TextTarget, texFormula, writeHtml } from '../text/write-text.ts'
import { writeMoodleAnswers } from './write-answers.ts'

/** A stored file of a question, as exports write it. */
export interface ExportedFile {
  name: string
  bytes: Uint8Array
}
export type FindExported = (fileId: string) => ExportedFile | null

export const MOODLE_START = '<?xml version="1.0" encoding="UTF-8"?>\n<quiz>\n'
export const MOODLE_END = '</quiz>\n'

const MAX_NAME = 100

/**
 * One question element of Moodle XML; files stand inside it in base64. Throws SkippedQuestion for types that Moodle does
 * not have.
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
    `    <name><text>${escapeHtml(name)}</text></name>`,
    `    ${texts.element('questiontext', stem ?? texts.html(content.stem))}`,
    `    ${content.explanation ? texts.rich('generalfeedback', content.explanation) : emptyText('generalfeedback')}`,
    ...(points ? [`    <defaultgrade>${content.points}</defaultgrade>`] : []),
    '    <penalty>0</penalty>',
    '    <hidden>0</hidden>',
    ...elements.map((element) => `    ${element}`),
    ...(tags.length > 0
      ? [`    <tags>${tags.map((tag) => `<tag><text>${escapeHtml(tag)}</text></tag>`).join('')}</tags>`]
      : []),
    '  </question>\n',
  ].join('\n')
}

const emptyText = (name: string): string => `<${name} format="html"><text></text></${name}>`

/** Writes the texts of one question, each with the files that it shows. */
export class MoodleWriter {
  readonly note: NoteChange
  readonly #find: FindExported
  #shown = new Map<string, ExportedFile>()

  constructor(find: FindExported, note: NoteChange) {
    this.#find = find
    this.note = note
  }

  html(doc: RichText, gap?: (id: string) => string): string {
    return writeHtml(doc, { ...this.#target(), ...(gap ? { gap } : {}) })
  }

  /** An element with a formatted text. */
  rich(name: string, doc: RichText, attributes = ''): string {
    return this.element(name, this.html(doc), attributes)
  }

  element(name: string, html: string, attributes = '', more = ''): string {
    const files = [...this.#shown].map(
      ([path, { bytes }]) =>
        `<file name="${escapeHtml(path)}" path="/" encoding="base64">${Buffer.from(bytes).toString('base64')}</file>`,
    )
    this.#shown = new Map()
    return `<${name} format="html"${attributes}><text>${cdata(html)}</text>${files.join('')}${more}</${name}>`
  }

  feedback(explanation: RichText | null): string {
    return explanation ? this.rich('feedback', explanation) : ''
  }

  #target(): TextTarget {
    return { address: (fileId) => this.#address(fileId), formula: texFormula, note: this.note }
  }

  /** Names are unique within a question. */
  #address(fileId: string): string | null {
    const file = this.#find(fileId)
    if (!file) return null
    const name = `${fileId.slice(-8)}-${file.name.replace(/[^\p{L}\p{N}._-]+/gu, '_')}`
    this.#shown.set(name, file)
    return `@@PLUGINFILE@@/${encodeURIComponent(name)}`
  }
}

const cdata = (html: string): string => (html === '' ? '' : `<![CDATA[${html.replaceAll(']]>', ']]]]><![CDATA[>')}]]>`)
