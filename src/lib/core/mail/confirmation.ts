import fs from 'node:fs/promises'
import path from 'node:path'
import { config } from '../config/config.ts'
import { log } from '../log.ts'

/*
 * Emails that the mail server has confirmed, until their row has the state `sent`: a transaction that stores it may fail after the
 * confirmation, with the connection or the process. A file for each email tells the next attempt, also of another process
 * on this data directory; while the disk is full, only this process knows.
 */
const FOLDER = path.join(config.dataDir, 'tmp', 'confirmed-emails')
const confirmed = new Set<string>()

/** Records at once that the mail server has accepted an email. */
export async function recordConfirmation(mailId: string): Promise<void> {
  confirmed.add(mailId)
  try {
    await fs.mkdir(FOLDER, { recursive: true, mode: 0o700 })
    await fs.writeFile(path.join(FOLDER, mailId), '', { mode: 0o600, flush: true })
  } catch (error) {
    log.warn({ err: error, mailId }, 'the confirmation of an email could not be recorded')
  }
}

/** Whether the mail server has accepted an email whose row is still queued. */
export async function isConfirmed(mailId: string): Promise<boolean> {
  if (confirmed.has(mailId)) return true
  return fs.access(path.join(FOLDER, mailId)).then(
    () => true,
    () => false,
  )
}

/** Removes the record, after the row was committed. */
export async function forgetConfirmation(mailId: string): Promise<void> {
  confirmed.delete(mailId)
  await fs.rm(path.join(FOLDER, mailId), { force: true })
}
