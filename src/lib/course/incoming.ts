import type { BundleFile, BundleModule } from './bundle-schema.ts'
import type { CourseSettings } from './settings-schema.ts'
import type { NoteKind, TransferFormat, TransferNote } from './transfer-schema.ts'

/** A file of an archive on its way into the storage. In the texts it is known by `id`, whatever its id will be. */
export interface IncomingFile extends Pick<BundleFile, 'id' | 'name' | 'description' | 'chapters' | 'captions'> {
  /**
   * Stands in a text as a picture: then it is drawn anew, so that nothing hidden in it comes along. Files of our own
   * bundles are kept byte for byte.
   */
  redraw: boolean
  /** Writes it to a path of ours; false when the archive does not have it. */
  extract(to: string): Promise<boolean>
}

/** A course that was read from whatever format, before any of it is written. */
export interface Incoming {
  format: TransferFormat
  course: Partial<CourseSettings> & { title: string }
  modules: BundleModule[]
  files: IncomingFile[]
  notes: TransferNote[]
  /** What rooms above this one have put into a bundle of ours. */
  more: unknown
}

/** Notes of one reading: what could not come along, each once. */
export class Notes {
  readonly list: TransferNote[]

  constructor(before: readonly TransferNote[] = []) {
    this.list = [...before]
  }

  add(kind: NoteKind, title: string): void {
    const short = title.trim().slice(0, 200).toWellFormed()
    if (!this.list.some((one) => one.kind === kind && one.title === short)) this.list.push({ kind, title: short })
  }
}
