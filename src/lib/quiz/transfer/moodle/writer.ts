import { escapeXml } from '#lib/core/shared/text/escape.ts'
import type { QuestionDoc } from '../../question/rich-text-schema.ts'
import type { NoteChange } from '../question-reader.ts'
import { type TextTarget, texFormula, writeHtml } from '../text/write-text.ts'

/** A stored file of a question, for exports. */
export interface ExportedQuestionFile {
  name: string
  bytes: Uint8Array
}
export type FindExported = (fileId: string) => ExportedQuestionFile | null

/** Writes the texts of one question, each with the files that it shows. */
export class MoodleWriter {
  readonly note: NoteChange
  readonly #find: FindExported
  #shown = new Map<string, ExportedQuestionFile>()

  constructor(find: FindExported, note: NoteChange) {
    this.#find = find
    this.note = note
  }

  html(doc: QuestionDoc, gap?: (id: string) => string): string {
    return writeHtml(doc, { ...this.#target(), ...(gap ? { gap } : {}) })
  }

  /** An element with a formatted text. */
  rich(name: string, doc: QuestionDoc, attributes = ''): string {
    return this.element(name, this.html(doc), attributes)
  }

  element(name: string, html: string, attributes = '', more = ''): string {
    const files = [...this.#shown].map(
      ([path, { bytes }]) =>
        `<file name="${escapeXml(path)}" path="/" encoding="base64">${Buffer.from(bytes).toString('base64')}</file>`,
    )
    this.#shown = new Map()
    return `<${name} format="html"${attributes}><text>${cdata(html)}</text>${files.join('')}${more}</${name}>`
  }

  feedback(explanation: QuestionDoc | null): string {
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
