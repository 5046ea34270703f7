import { childAt, type MarkupElement, textAtPath, textContent } from '#lib/course/transfer/markup.ts'
import type { QuestionDoc } from '../../question/rich-text-schema.ts'
import type { NoteChange, QuestionReader } from '../question-reader.ts'
import { type FindQuestionFile, TextReader } from '../text/read-text.ts'
import { elementsOf } from '../xml.ts'

/** The texts of one question in their formats, with the files of the question. */
export class MoodleTexts {
  readonly note: NoteChange
  readonly #element: MarkupElement
  readonly #reader: TextReader

  /** `find`: finds the files where they are not inside of the question. */
  constructor(element: MarkupElement, reader: QuestionReader, note: NoteChange, find?: FindQuestionFile) {
    this.note = note
    this.#element = element
    const files = filesOf(element)
    const findInside: FindQuestionFile = (address) => {
      const data = files.get(fileNameOfAddress(address))
      return data === undefined
        ? null
        : { key: data, name: fileNameOfAddress(address), bytes: Buffer.from(data, 'base64') }
    }
    this.#reader = new TextReader(reader, note, find ?? findInside)
  }

  /** The text of the question; `replaceWith` changes its source before it is read. */
  stem(replaceWith: (source: string) => string = (source) => source): QuestionDoc {
    const text = childAt(this.#element, 'questiontext')
    const image = textAtPath(this.#element, 'image_base64') === '' ? '' : textAtPath(this.#element, 'image')
    const picture =
      image === '' ? '' : `<p><img src="@@PLUGINFILE@@/${encodeURIComponent(fileNameOfAddress(image))}" alt=""></p>`
    return this.#read(replaceWith(this.source(text)) + picture, this.#formatOf(text))
  }

  text(element: MarkupElement | undefined): QuestionDoc {
    return this.#read(this.source(element), this.#formatOf(element))
  }

  optional(element: MarkupElement | undefined): QuestionDoc | null {
    return element && this.source(element) !== '' ? this.#reader.optional(this.text(element)) : null
  }

  html(source: string): QuestionDoc {
    return this.#reader.html(source)
  }

  plain(text: string): QuestionDoc {
    return this.#reader.plainWithFormulas(text)
  }

  /** Also for files of Moodle 1, in which the text is directly in the element. */
  source(element: MarkupElement | undefined): string {
    return childAt(element, 'text')
      ? textAtPath(element, 'text')
      : element && !childAt(element, 'file')
        ? textContent(element).trim()
        : ''
  }

  #formatOf(element: MarkupElement | undefined): string {
    return element?.attributes.format ?? childAt(this.#element, 'questiontext')?.attributes.format ?? 'html'
  }

  #read(source: string, format: string): QuestionDoc {
    if (format === 'plain_text') return this.#reader.plainWithFormulas(source)
    if (format === 'markdown') return this.#reader.markdown(source)
    return this.#reader.html(format === 'moodle_auto_format' ? source.replaceAll('\n', '<br>') : source)
  }
}

/** Base64 by name of all files inside a question. */
function filesOf(element: MarkupElement): Map<string, string> {
  const files = new Map<string, string>()
  for (const file of elementsOf(element, 'file')) {
    const name = file.attributes.name ?? ''
    if (name !== '' && !files.has(name)) files.set(name, textContent(file).trim())
  }
  const image = textAtPath(element, 'image')
  if (image !== '' && !files.has(fileNameOfAddress(image)))
    files.set(fileNameOfAddress(image), textAtPath(element, 'image_base64'))
  return files
}

/** The file name in an address of a text; equal names in two folders of one question refer to one file. */
function fileNameOfAddress(address: string): string {
  const name = address.split(/[?#]/)[0]?.split('/').at(-1) ?? ''
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}
