import { z } from 'zod'
import { Refusal } from '#lib/core/http/refusal.ts'

const Id = z.uuid()

/** Parses an id of a URL or form. Refuses other values with not_found. */
export function parseId(param: string | undefined | null): string {
  const id = Id.safeParse(param)
  if (!id.success) throw new Refusal('not_found')
  return id.data
}

/** Whether a text is an id; used for filters, where other values are ignored. */
export const isId = (value: string): boolean => Id.safeParse(value).success
