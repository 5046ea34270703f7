import type { NoteKind, TransferNote } from '#lib/course/transfer/schema.ts'

/** A unit of a source whose loss a user would notice: a page, a question, a comment. */
export interface SourceUnit {
  kind: string
  title: string
  text: string
  links: string[]
  /** Whether a note of the report lists this unit. */
  isListedBy(note: TransferNote): boolean
}

export interface SourceFile {
  name: string
  /** Titles of notes that may count it. */
  owners: string[]
}

/** The content of a source, read independently of the importer. */
export interface Source {
  units: SourceUnit[]
  files: SourceFile[]
  /** The format has no meaningful file names: files are compared by their number. */
  areNameless?: boolean
}

/** Kinds of notes that list a whole unit; the others are about a file, a link or a part. */
const WHOLE_UNIT_NOTES = new Set<NoteKind>([
  'quiz',
  'questionBank',
  'assignment',
  'forum',
  'survey',
  'package',
  'lti',
  'activity',
  'settings',
  'fileMissing',
])

export const isWholeUnitNote = ({ kind }: TransferNote): boolean => WHOLE_UNIT_NOTES.has(kind)

/** Creates a unit that must be imported or listed by its title. */
export const createSourceUnit = (kind: string, title: string, text: string, links: string[] = []): SourceUnit => ({
  kind,
  title,
  text,
  links,
  isListedBy: (note) => isWholeUnitNote(note) && (note.title === title || note.title.startsWith(`${title} (`)),
})
