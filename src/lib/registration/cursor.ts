import { Refusal } from '#lib/core/http/refusal.ts'

const MICROSECONDS = /^\d{1,16}$/
const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Where a page of a list ended: microseconds since 1970 (a Date would lose the last three digits) and an id. */
export interface Cursor {
  at: string
  id: string
}

export const writeCursor = ({ at, id }: Cursor): string => Buffer.from(`${at}|${id}`).toString('base64url')

/** Refuses with invalid what was not written by writeCursor. */
export function readCursor(text: string | undefined): Cursor | null {
  if (!text) return null
  const [at = '', id = ''] = Buffer.from(text, 'base64url').toString().split('|')
  if (!MICROSECONDS.test(at) || !ID.test(id)) throw new Refusal('invalid', { fields: { cursor: ['format'] } })
  return { at, id }
}
