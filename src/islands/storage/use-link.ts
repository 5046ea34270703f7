import type { FileUserKind } from '#lib/core/shared/stored-file.ts'

interface Use {
  kind: FileUserKind
  id: string
}

const LINKED: readonly FileUserKind[] = ['lesson', 'course', 'workshop', 'masterclass', 'autowebinar']

/** Where something that uses a file can be looked at; null where there is no page for it. */
export function linkOf({ kind, id }: Use): string | null {
  return LINKED.includes(kind) ? `/v1/use/${kind}/${id}` : null
}
