import { z } from 'zod'
import { Refusal } from '#lib/core/http/refusal.ts'

const Id = z.uuid()

/** An id from an address. Anything else there is a page that does not exist. */
export function idOf(param: string | undefined | null): string {
  const id = Id.safeParse(param)
  if (!id.success) throw new Refusal('not_found')
  return id.data
}
