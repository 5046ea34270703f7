import type { UserKind } from '#lib/storage/schema.ts'

interface Use {
  kind: UserKind
  id: string
}

/** Where something that uses a file can be looked at; null where there is no page for it. */
export function linkOf({ kind, id }: Use): string | null {
  return kind === 'lesson' || kind === 'course' ? `/v1/use/${kind}/${id}` : null
}
