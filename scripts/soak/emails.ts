import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { parseReply } from '#lib/chat/reply/worker.ts'
import { parseReport } from '#lib/outbox/report/worker.ts'

/**
 * Parses every file of a folder as an email, and prints what it means as a delivery report and which text it has as a reply.
 * Returns whether none took longer than a second; an email above the limits is refused, which is a result.
 */
export async function soakEmails(folder: string): Promise<boolean> {
  const total = { delivered: 0, bounced: 0, failed: 0, unchanged: 0, refused: 0 }
  let slow = 0
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name))
  for (const file of files.sort()) {
    const raw = await readFile(file)
    const since = performance.now()
    const parsed = await Promise.all([parseReport(raw), parseReply(raw)]).catch(() => null)
    if (performance.now() - since > 1000) slow += 1
    const name = path.relative(folder, file)
    if (!parsed) {
      total.refused += 1
      console.log(`${name}: refused`)
      continue
    }
    const [{ result }, { text }] = parsed
    const state = !result ? 'unchanged' : result.isAddressFailure ? 'bounced' : result.outcome
    total[state] += 1
    console.log(`${name}: ${state} ${JSON.stringify(result?.reply ?? '')} ${JSON.stringify(text.slice(0, 200))}`)
  }
  const counts = Object.entries(total).map(([state, count]) => `${state} ${count}`)
  console.log(`${counts.join(', ')}; slower than a second: ${slow}`)
  return slow === 0
}
