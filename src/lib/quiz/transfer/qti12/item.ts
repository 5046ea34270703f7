import type { Markup } from '#lib/course/transfer/markup.ts'
import type { QuestionDoc } from '../../question/rich-text-schema.ts'
import type { NoteChange } from '../question-reader.ts'
import type { TextReader } from '../text/read-text.ts'
import type { ScoreCondition } from './conditions.ts'

/** One field of an item. */
export interface ReadResponse {
  ident: string
  /** `response_lid`, `response_str` ... */
  name: string
  cardinality: string
  prompt: Markup[]
  isText: boolean
  isNumber: boolean
  labels: { ident: string; nodes: Markup[] }[]
  /** Areas of an image, named in lower case, with their coordinates; of a `response_xy` only. */
  areas: { shape: string; coords: string }[]
  /** The address of that image; null without one. */
  image: string | null
}

/** The parts of an item that the readers of answers need. */
export interface Qti12Item {
  /** The type as named by the source; empty without one. */
  kind: string
  texts: TextReader
  note: NoteChange
  stemNodes: Markup[]
  responses: ReadResponse[]
  conditions: ScoreCondition[]
  feedback(id: string): QuestionDoc | null
  hasGrid: boolean
}
