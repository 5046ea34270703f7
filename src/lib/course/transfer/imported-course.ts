import type { ArchiveLocation } from '#lib/core/files/archive/archive-guard.ts'
import type { LessonDoc } from '#lib/core/shared/lesson-doc.ts'
import type { CourseSettings } from '../settings-schema.ts'
import type { BundleFile, BundleModule } from './bundle-schema.ts'
import type { ImportedKind, NoteKind, SourceItems, TransferFormat, TransferNote } from './schema.ts'

/**
 * A file of an archive before it is stored. Documents refer to it by `id`, which differs from its id in the storage.
 */
export interface CourseFile extends Pick<BundleFile, 'id' | 'name' | 'description' | 'chapters' | 'captions'> {
  /**
   * Shown as an image: it is re-encoded, so that hidden data is removed. Files of own bundles are stored byte for byte.
   */
  redraw: boolean
  /** Location in the archive; null if missing. */
  source: ArchiveLocation | null
}

/** An assignment of another system; the homework module creates a task from it. Ids are local to the import. */
export interface ImportedTask {
  id: string
  lessonId: string
  title: string
  instructions: LessonDoc
  fileIds: string[]
  /** File name extensions that the source accepts, such as `.pdf`; empty for any. */
  extensions: string[]
  /** Null: graded without points. */
  maxPoints: number | null
  required: boolean
}

/** A course read from any format, before it is written. Plain data, because it comes from a worker process. */
export interface ImportedCourse {
  format: TransferFormat
  course: Partial<CourseSettings> & { title: string }
  modules: BundleModule[]
  files: CourseFile[]
  notes: TransferNote[]
  /** Assignments of another system. */
  tasks?: ImportedTask[]
  /** Counts for the report. */
  imported?: Partial<Record<ImportedKind, number>>
  source?: SourceItems
  /** The bundle's JSON with the parts of other modules. */
  bundleJson: unknown
}

type NoteCounts = Pick<TransferNote, 'files' | 'links' | 'characters'>

/** Notes of one import: what could not be imported. The same kind and title again adds to the counts of its note. */
export class ImportNotes {
  readonly list: TransferNote[]
  readonly #known: Map<string, TransferNote>

  constructor(before: readonly TransferNote[] = []) {
    this.list = before.map((note) => ({ ...note }))
    this.#known = new Map(this.list.map((note) => [noteKey(note), note]))
  }

  add(kind: NoteKind, title: string, { files = 0, links = 0, characters = 0 }: NoteCounts = {}): void {
    const newNote: TransferNote = { kind, title: title.trim().slice(0, 200).toWellFormed() }
    const note = this.#known.get(noteKey(newNote)) ?? newNote
    if (files > 0) note.files = (note.files ?? 0) + files
    if (links > 0) note.links = (note.links ?? 0) + links
    if (characters > 0) note.characters = (note.characters ?? 0) + characters
    if (note !== newNote) return
    this.list.push(note)
    this.#known.set(noteKey(note), note)
  }
}

const noteKey = ({ kind, title }: TransferNote): string => `${kind} ${title}`
