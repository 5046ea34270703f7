import type { SubmittedFile } from './submission-props.ts'

type FileStep = 'arrived' | 'coming' | 'waits' | 'interrupted' | 'failed'

/** A file of an answer in the list of the form. */
export interface FileItemState {
  key: string
  name: string
  /** Bytes. */
  size: number
  step: FileStep
  /** 0..1 */
  progress: number
  /** Why it failed. */
  error: string
  /** Where the stored file can be downloaded. */
  download?: string | null
  /** Null before the form is interactive. */
  remove: (() => Promise<void>) | null
}

/** A file of an answer whose upload does not run in this tab. */
export function storedFileItem({ id, name, size, arrived }: SubmittedFile): FileItemState {
  return { key: id, name, size, step: arrived ? 'arrived' : 'interrupted', progress: 0, error: '', remove: null }
}
