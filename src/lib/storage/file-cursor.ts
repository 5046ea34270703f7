import { z } from 'zod'
import { Refusal } from '#lib/core/http/refusal.ts'

const Cursor = z.tuple([z.enum(['folder', 'file']), z.string().max(500), z.uuid()])

/** Where a page of the storage ended: among folders or files, at which name, size or instant, at which id. */
export interface FileCursor {
  part: 'folder' | 'file'
  value: string
  id: string
}

export function writeFileCursor({ part, value, id }: FileCursor): string {
  return Buffer.from(JSON.stringify([part, value, id])).toString('base64url')
}

/** Refuses with invalid what was not written by writeFileCursor. */
export function readFileCursor(
  text: string | undefined,
  numeric: Record<FileCursor['part'], boolean>,
): FileCursor | null {
  if (!text) return null
  const { success, data } = Cursor.safeParse(parsed(text))
  if (!success || (numeric[data[0]] && !/^\d{1,17}$/.test(data[1]))) {
    throw new Refusal('invalid', { fields: { after: ['format'] } })
  }
  const [part, value, id] = data
  return { part, value, id }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString())
  } catch {
    return null
  }
}
