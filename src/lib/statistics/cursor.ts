import { Refusal } from '#lib/core/http/refusal.ts'

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Where a page of a list ended: a whole number and an id. */
export interface Place {
  number: number
  id: string
}

export const writePlace = ({ number, id }: Place): string => `${number.toString(36)}.${id}`

/** Refuses with invalid what writePlace did not write. */
export function readPlace(text: string | undefined): Place | null {
  if (!text) return null
  const [digits = '', id = ''] = text.split('.')
  const number = Number.parseInt(digits, 36)
  if (!Number.isSafeInteger(number) || !ID.test(id)) throw new Refusal('invalid', { fields: { after: ['format'] } })
  return { number, id }
}
