import type { FileUserKind } from '#lib/core/shared/stored-file.ts'

interface FileUse {
  kind: FileUserKind
  id: string
}

const LINKED_KINDS: readonly FileUserKind[] = [
  'lesson',
  'course',
  'workshop',
  'masterclass',
  'autowebinar',
  'question',
  'quiz',
  'mentoring',
]

/** URL of the user of a file; null without a page. */
export function buildUseUrl({ kind, id }: FileUse): string | null {
  return LINKED_KINDS.includes(kind) ? `/v1/use/${kind}/${id}` : null
}
