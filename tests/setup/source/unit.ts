import type { NoteKind, TransferNote } from '#lib/course/transfer/schema.ts'

/** One thing of a source that a person would miss: a page, a question, a comment. */
export interface SourceUnit {
  kind: string
  title: string
  text: string
  links: string[]
  /** Whether a note of the report speaks of it. */
  isListedBy(note: TransferNote): boolean
}

export interface SourceFile {
  name: string
  /** Titles of notes that may count it. */
  owners: string[]
}

/** What a source contains, counted without the importer. */
export interface Source {
  units: SourceUnit[]
  files: SourceFile[]
  /** The format gives its files no names that a person would know: they are compared by their number. */
  areNameless?: boolean
}

/** Kinds of notes that stand for something with all its text; the others are about a file, a link or a part of it. */
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

/** A unit that must be imported, or noted by its own title. */
export const createSourceUnit = (kind: string, title: string, text: string, links: string[] = []): SourceUnit => ({
  kind,
  title,
  text,
  links,
  isListedBy: (note) => isWholeUnitNote(note) && (note.title === title || note.title.startsWith(`${title} (`)),
})
