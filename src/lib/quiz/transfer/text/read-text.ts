import { micromark } from 'micromark'
import { gfm, gfmHtml } from 'micromark-extension-gfm'
import { parseEmbed } from '#lib/core/shared/embed.ts'
import { isSafeHref, type LessonDoc, type LessonNode, srcOf } from '#lib/core/shared/lesson-doc.ts'
import { docFromNodes } from '#lib/course/transfer/html.ts'
import { limitDepth } from '#lib/course/transfer/markdown/depth.ts'
import { type Markup, type MarkupElement, parseHtml } from '#lib/course/transfer/markup.ts'
import { prepareMarkup } from '#lib/course/transfer/package/markup.ts'
import { plainRichText, type QuestionDoc } from '../../question/rich-text-schema.ts'
import { isEmptyText } from '../../question/rules.ts'
import type { NoteChange, QuestionReader } from '../question-reader.ts'
import { Formulas } from './formulas.ts'
import { replaceFormulas, TEX_DELIMITERS } from './tex-spans.ts'

/** A file of a text, found by its address in the text. */
export interface FoundFile {
  /** Identifies the file. */
  key: string
  name: string
  bytes: Uint8Array
}
export type FindQuestionFile = (address: string) => FoundFile | null

/** `.svg` is excluded, because it can contain scripts. */
const PICTURE_NAME = /\.(png|jpe?g|gif|webp|avif|bmp|tiff?)$/i
const PICTURE_DATA = /^data:image\/(png|jpe?g|gif|webp|avif);base64,/i
/** Elements whose content or appearance cannot be represented. */
const LOST_ELEMENTS = new Set([
  'applet',
  'canvas',
  'form',
  'input',
  'ruby',
  'script',
  'style',
  'sub',
  'sup',
  'svg',
  'textarea',
])
const MAX_SCAN_DEPTH = 130

/** Converts the texts of one question to documents, with their images and files. */
export class TextReader {
  readonly #reader: QuestionReader
  readonly #find: FindQuestionFile
  readonly note: NoteChange

  constructor(reader: QuestionReader, note: NoteChange, find: FindQuestionFile = () => null) {
    this.#reader = reader
    this.#find = find
    this.note = note
  }

  html(html: string): QuestionDoc {
    return this.nodes(parseHtml(html).children)
  }

  plain(text: string): QuestionDoc {
    const lines = text.replace(/\r\n?/g, '\n').trim()
    return plainRichText(lines.replace(/(?!\n)\p{Cc}/gu, ' '))
  }

  /** A text of several lines with TeX, but without HTML. */
  plainWithFormulas(text: string): QuestionDoc {
    const lines = text.replace(/\r\n?/g, '\n').trim().split('\n')
    return this.nodes(lines.map((line): Markup => ({ name: 'p', attributes: {}, children: [line] })))
  }

  /** Markdown with TeX and HTML. */
  markdown(source: string): QuestionDoc {
    const escaped = replaceFormulas(limitDepth(source), TEX_DELIMITERS, (formula) =>
      formula.replace(/[!-/:-@[-`{-~]/g, '\\$&'),
    )
    const html = micromark(escaped, { extensions: [gfm()], htmlExtensions: [gfmHtml()], allowDangerousHtml: true })
    return this.html(html)
  }

  nodes(nodes: readonly Markup[]): QuestionDoc {
    if (hasLostElement(nodes, 0)) this.note('formatting_lost')
    const formulas = new Formulas()
    const prepared = prepareMarkup(formulas.take(nodes), {
      link: (href) => (isSafeHref(href.trim()) && !href.startsWith('#') && !href.startsWith('/') ? href.trim() : null),
      isImported: (src) => PICTURE_DATA.test(src) || this.#find(src) !== null,
      source: (src) => (src.startsWith('//') ? `https:${src}` : src),
    })
    const doc = docFromNodes(formulas.takeMore(prepared), {
      picture: (src) => this.#picture(src),
      file: (href) => embedBlock(href) ?? this.#fileBlock(href),
      frame: (src) => embedBlock(src) ?? this.#frame(src),
    })
    if (formulas.hasTextOnly) this.note('formula_text')
    return formulas.putBack(doc as LessonDoc)
  }

  /** Null for an empty text. */
  optional(doc: QuestionDoc): QuestionDoc | null {
    return isEmptyText(doc) ? null : doc
  }

  /** The id of the image of a question that consists of an image. */
  pictureId(src: string): string | null {
    const inline = PICTURE_DATA.exec(src)
    const found = inline ? inlineFile(src, inline[0].length, inline[1] ?? 'png') : this.#find(src)
    return found ? this.#reader.addFile(found.key, found.name, true, found.bytes) : null
  }

  #picture(src: string): string | null {
    const id = this.pictureId(src)
    if (id === null) this.note('image_missing')
    return id === null ? null : srcOf(id)
  }

  #frame(src: string): LessonNode | null {
    if (PICTURE_NAME.test(src.split(/[?#]/)[0] ?? '') || PICTURE_DATA.test(src)) {
      const stored = this.#picture(src)
      return stored ? { type: 'image', attrs: { src: stored, alt: '' } } : null
    }
    const block = this.#fileBlock(src)
    if (!block) this.note('file_missing')
    return block
  }

  #fileBlock(href: string): LessonNode | null {
    const found = this.#find(href)
    const id = found ? this.#reader.addFile(found.key, found.name, false, found.bytes) : null
    return found && id ? { type: 'file', attrs: { fileId: id, name: found.name.slice(0, 200) || 'file' } } : null
  }
}

function inlineFile(src: string, start: number, extension: string): FoundFile {
  const bytes = Buffer.from(src.slice(start), 'base64')
  return { key: src, name: `image.${extension.replace('jpeg', 'jpg')}`, bytes }
}

function embedBlock(address: string): LessonNode | null {
  const embed = parseEmbed(address)
  return embed ? { type: 'embed', attrs: { url: embed.url } } : null
}

function hasLostElement(nodes: readonly Markup[], depth: number): boolean {
  if (depth > MAX_SCAN_DEPTH) return true
  return nodes.some((node) => typeof node !== 'string' && (isLost(node) || hasLostElement(node.children, depth + 1)))
}

const isLost = ({ name }: MarkupElement): boolean => LOST_ELEMENTS.has(name)
