import { z } from 'zod'
import { Refusal } from '#lib/core/http/refusal.ts'

const Id = z.uuid()

/** An id from an address. Anything else there is a page that does not exist. */
export function idOf(param: string | undefined | null): string {
  const id = Id.safeParse(param)
  if (!id.success) throw new Refusal('not_found')
  return id.data
}

/** Whether a text is an id: for filters, where anything else is none. */
export const isId = (value: string): boolean => Id.safeParse(value).success
