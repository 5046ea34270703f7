import { z } from 'zod'
import { parseJson } from '#lib/core/shared/text/json.ts'
import { Refusal } from './refusal.ts'

/**
 * The sort key of the last row of a page: an instant in microseconds since 1970, which exceeds the precision of a Date.
 */
export const InstantKey = z.object({ at: z.string().regex(/^\d{1,16}$/), id: z.uuid() })
export type InstantKey = z.infer<typeof InstantKey>

/** The same with a whole number. */
export const NumberKey = z.object({ number: z.int(), id: z.uuid() })

/** The same for lists that are ordered by the name of a person. */
export const NameKey = z.object({ name: z.string().max(600), id: z.uuid() })
export type NameKey = z.infer<typeof NameKey>

/** The same for lists that are ordered by id alone. */
export const IdKey = z.object({ id: z.uuid() })

/**
 * Encodes the sort key of the last row of a page, for `next` of the output (keyset pagination,
 * use-the-index-luke.com/no-offset). Fields of the row that are not part of the key are omitted.
 */
export function writeCursor<Key extends z.ZodType>(key: Key, lastRow: z.input<Key>): string {
  return Buffer.from(JSON.stringify(key.parse(lastRow))).toString('base64url')
}

/** Reads a cursor; null for the first page. Refuses with invalid when writeCursor did not write it for this key. */
export function readCursor<Key extends z.ZodType>(key: Key, cursor: string | undefined): z.infer<Key> | null {
  if (!cursor) return null
  const { success, data } = key.safeParse(parseJson(Buffer.from(cursor, 'base64url').toString()))
  if (!success) throw new Refusal('invalid', { fields: { cursor: ['format'] } })
  return data
}

/** The rows of a list, page by page, for an export. `readPage` returns the page after a cursor. */
export async function* readAllPages<Row>(
  readPage: (cursor: string | undefined) => Promise<{ items: Row[]; next: string | null }>,
): AsyncGenerator<Row[]> {
  let cursor: string | undefined
  do {
    const { items, next } = await readPage(cursor)
    yield items
    cursor = next ?? undefined
  } while (cursor)
}
