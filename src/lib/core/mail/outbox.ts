import { createHash } from 'node:crypto'
import fs from 'node:fs/promises'
import path from 'node:path'
import { config } from '../config/config.ts'
import type { Attachment } from './table.ts'

/** A letter that was not sent because no mail server is configured. */
export interface KeptLetter {
  id: string
  to: string
  subject: string
  locale: string
  /** ISO instant. */
  at: string
  html: string
  text: string
  attachments?: Attachment[]
}

export const OUTBOX = path.join(config.dataDir, 'outbox')

/** Writes a letter as `<time>-<hash of recipient and id>.json` and `.html`. The same letter gets the same files. */
export async function keepLetter(
  letter: Omit<KeptLetter, 'at' | 'attachments'> & { createdAt: Date; attachments?: Attachment[] | null },
): Promise<void> {
  const { id, to, subject, locale, html, text, createdAt } = letter
  const at = createdAt.toISOString()
  const hash = createHash('sha256').update(`${to} ${id}`).digest('hex').slice(0, 12)
  const name = path.join(OUTBOX, `${at.replaceAll(/[-:]/g, '')}-${hash}`)
  const kept: KeptLetter = {
    id,
    to,
    subject,
    locale,
    at,
    html,
    text,
    ...(letter.attachments?.length && { attachments: letter.attachments }),
  }
  await fs.mkdir(OUTBOX, { recursive: true, mode: 0o700 })
  await writeWhole(`${name}.html`, html)
  await writeWhole(`${name}.json`, `${JSON.stringify(kept, null, 2)}\n`)
}

/** The newest letters first. */
export async function listKept(limit = 100): Promise<KeptLetter[]> {
  const names = await fs.readdir(OUTBOX).catch(() => [])
  const newest = names
    .filter((name) => name.endsWith('.json'))
    .sort()
    .reverse()
    .slice(0, limit)
  return Promise.all(newest.map(async (name) => JSON.parse(await fs.readFile(path.join(OUTBOX, name), 'utf8'))))
}

// Renamed into place, so that a reader never sees half a letter.
async function writeWhole(file: string, content: string): Promise<void> {
  const half = `${file}.${process.pid}.part`
  await fs.writeFile(half, content, { mode: 0o600, flush: true })
  await fs.rename(half, file)
}
