import { createHash } from 'node:crypto'
import fs from 'node:fs/promises'
import path from 'node:path'
import { config } from '../config/config.ts'
import type { Attachment } from './table.ts'

/** An email that was not sent because no mail server is configured. */
export interface SavedEmail {
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

/** Writes an email as `<time>-<hash of recipient and id>.json` and `.html`. The same email has the same file names. */
export async function saveEmail(
  email: Omit<SavedEmail, 'at' | 'attachments'> & { createdAt: Date; attachments?: Attachment[] | null },
): Promise<void> {
  const { id, to, subject, locale, html, text, createdAt } = email
  const at = createdAt.toISOString()
  const hash = createHash('sha256').update(`${to} ${id}`).digest('hex').slice(0, 12)
  const name = path.join(OUTBOX, `${at.replaceAll(/[-:]/g, '')}-${hash}`)
  const saved: SavedEmail = {
    id,
    to,
    subject,
    locale,
    at,
    html,
    text,
    ...(email.attachments?.length && { attachments: email.attachments }),
  }
  await fs.mkdir(OUTBOX, { recursive: true, mode: 0o700 })
  await writeAtomically(`${name}.html`, html)
  await writeAtomically(`${name}.json`, `${JSON.stringify(saved, null, 2)}\n`)
}

const MAX_LISTED = 100

/** The newest saved emails, those to one address if it is given. */
export async function listSavedEmails(to: string | null = null): Promise<SavedEmail[]> {
  const names = await fs.readdir(OUTBOX).catch(() => [])
  const newest = names.filter((name) => name.endsWith('.json')).sort((a, b) => (a < b ? 1 : -1))
  const read = async (name: string): Promise<SavedEmail> =>
    JSON.parse(await fs.readFile(path.join(OUTBOX, name), 'utf8'))
  if (to === null) return Promise.all(newest.slice(0, MAX_LISTED).map(read))
  const found: SavedEmail[] = []
  for (const name of newest) {
    const email = await read(name)
    if (email.to === to) found.push(email)
    if (found.length === MAX_LISTED) break
  }
  return found
}

// Renamed into place, so that a reader never sees an incomplete file.
async function writeAtomically(file: string, content: string): Promise<void> {
  const temporaryFile = `${file}.${process.pid}.part`
  await fs.writeFile(temporaryFile, content, { mode: 0o600, flush: true })
  await fs.rename(temporaryFile, file)
}
