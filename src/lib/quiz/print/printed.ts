import type { HotspotShape } from '../question/schema.ts'

/* What a worker process draws. Plain data. */

/** A part of a line in one style. */
export interface TextRun {
  text: string
  bold?: boolean
  italic?: boolean
  /** The text is TeX: it is drawn as a formula, or as it is where it cannot be typeset. */
  formula?: 'inline' | 'block'
}

export type PrintedBlock =
  /** `marker` stands before the text; `choice` draws the field of an option, filled where it is right. */
  | { kind: 'text'; runs: TextRun[]; indent: number; size?: number; marker?: string; choice?: PrintedChoice }
  /** Outlined regions are drawn on the image. */
  | { kind: 'image'; fileId: string; alt: string; indent: number; regions: { shape: HotspotShape; label: string }[] }
  /** Empty lines to write on. */
  | { kind: 'lines'; count: number; indent: number }

export interface PrintedChoice {
  round: boolean
  filled: boolean
}

export interface PrintedQuestion {
  /** The heading of its section, for the first one. */
  sectionTitle: string
  blocks: PrintedBlock[]
}

export interface PrintedTest {
  title: string
  /** Below the title: variant, points, time. */
  facts: string[]
  intro: PrintedBlock[]
  questions: PrintedQuestion[]
  /** Labels of the line for name and date. */
  nameLabel: string
  dateLabel: string
  /** At the foot of a page; `{{page}}` and `{{pages}}` are replaced. */
  pageLabel: string
  lang: string
  images: Record<string, Uint8Array>
}
