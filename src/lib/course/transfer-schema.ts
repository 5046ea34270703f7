import { z } from 'zod'

export { TRANSFER_STATES, type TransferState } from '#lib/core/shared/learning.ts'

/** What a file was read as: keys `transfer:format.<one>`. */
export const TRANSFER_FORMATS = ['bundle', 'docx', 'commonCartridge', 'moodle', 'markdown'] as const
export type TransferFormat = (typeof TRANSFER_FORMATS)[number]

/** What stayed behind, or came in another shape: keys `transfer:note.<one>` with `{{title}}`. */
export const NOTE_KINDS = [
  'quiz',
  'assignment',
  'forum',
  'lti',
  'activity',
  'pictureMissing',
  'pictureUnknown',
  'fileMissing',
  'fileRefused',
  'frame',
  'empty',
  'shortened',
] as const
export type NoteKind = (typeof NOTE_KINDS)[number]

export interface TransferNote {
  kind: NoteKind
  /** What it is about, by its own name. */
  title: string
}

export interface TransferReport {
  format: TransferFormat
  modules: number
  lessons: number
  tasks: number
  files: number
  /** Files that the storage had already. */
  reused: number
  notes: TransferNote[]
  /** Notes beyond those that are kept. */
  moreNotes: number
}

/** Why nothing was made: a refusal's code and the keys and values of its words. */
export interface TransferFailure {
  code: string
  fields: Record<string, string[]>
  variables: Record<string, string | number>
}

export const MOST_NOTES = 200

const id = z.uuid()
export const StartImport = z.object({ fileId: id })
export type StartImport = z.input<typeof StartImport>
export const TransferId = z.object({ transferId: id })
