import type { ArchiveLocation } from '#lib/core/files/archive/archive-guard.ts'
import type { LessonDoc } from '#lib/core/shared/lesson-doc.ts'
import type { CourseSettings } from '../settings-schema.ts'
import type { BundleFile, BundleModule } from './bundle-schema.ts'
import type { ImportedKind, NoteKind, SourceItems, TransferFormat, TransferNote } from './schema.ts'

/** A file of an archive on its way into the storage. In the texts it is known by `id`, whatever its id will be. */
export interface ImportedFile extends Pick<BundleFile, 'id' | 'name' | 'description' | 'chapters' | 'captions'> {
  /**
   * Stands in a text as a picture: then it is drawn anew, so that nothing hidden in it comes along. Files of our own
   * bundles are kept byte for byte.
   */
  redraw: boolean
  /** Null when the archive does not have it. */
  source: ArchiveLocation | null
}

/** An assignment of another system; the homework module makes a task of it. Ids are those of this reading. */
export interface ImportedTask {
  id: string
  lessonId: string
  title: string
  instructions: LessonDoc
  fileIds: string[]
  /** File name endings that the source accepts, such as `.pdf`; empty for any. */
  extensions: string[]
  /** Null: accepted or returned without points. */
  maxPoints: number | null
  required: boolean
}

/** A course that was read from whatever format, before any of it is written. Plain data: it comes from a worker process. */
export interface ImportedCourse {
  format: TransferFormat
  course: Partial<CourseSettings> & { title: string }
  modules: BundleModule[]
  files: ImportedFile[]
  notes: TransferNote[]
  /** Assignments of another system. */
  tasks?: ImportedTask[]
  /** Numbers for the report. */
  imported?: Partial<Record<ImportedKind, number>>
  source?: SourceItems
  /** What rooms above this one have put into a bundle of ours. */
  bundleJson: unknown
}

type NoteCounts = Pick<TransferNote, 'files' | 'links' | 'characters'>

/** Notes of one reading: what could not be imported. The same kind and title again adds to the numbers of its note. */
export class ImportNotes {
  readonly list: TransferNote[]
  readonly #known: Map<string, TransferNote>

  constructor(before: readonly TransferNote[] = []) {
    this.list = before.map((note) => ({ ...note }))
    this.#known = new Map(this.list.map((note) => [keyOf(note), note]))
  }

  add(kind: NoteKind, title: string, { files = 0, links = 0, characters = 0 }: NoteCounts = {}): void {
    const newNote: TransferNote = { kind, title: title.trim().slice(0, 200).toWellFormed() }
    const note = this.#known.get(keyOf(newNote)) ?? newNote
    if (files > 0) note.files = (note.files ?? 0) + files
    if (links > 0) note.links = (note.links ?? 0) + links
    if (characters > 0) note.characters = (note.characters ?? 0) + characters
    if (note !== newNote) return
    this.list.push(note)
    this.#known.set(keyOf(note), note)
  }
}

const keyOf = ({ kind, title }: TransferNote): string => `${kind} ${title}`
