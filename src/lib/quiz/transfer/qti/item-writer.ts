import type { QuestionDoc } from '../../question/rich-text-schema.ts'
import type { NoteChange } from '../question-reader.ts'
import type { QtiNames } from './names.ts'

/** An image of a question in a package. */
export interface PackagedFile {
  /** Path relative to the item. */
  path: string
  width: number | null
  height: number | null
}
export type FindPackaged = (fileId: string) => PackagedFile | null

/** The functions that the writers of interactions need. */
export interface ItemWriter {
  qti: QtiNames
  note: NoteChange
  find: FindPackaged
  html(doc: QuestionDoc, gap?: (id: string) => string): string
  inline(doc: QuestionDoc): string
}

/** The parts of an item that depend on the type of its question. */
export interface WrittenInteraction {
  responses: string[]
  body: string
  processing: string
  feedback: { id: string; text: QuestionDoc }[]
}
