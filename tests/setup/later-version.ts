import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'

interface Journal {
  entries: { idx: number; version: string; when: number; tag: string; breakpoints: boolean }[]
}

/**
 * Copies the migrations and adds one for each SQL statement, as a later version of the product would. A test that mocks
 * `core/db/migrations-folder.ts` with the copy runs as that version. Returns the folder, which the caller removes.
 */
export function addMigrations(...statements: readonly string[]): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'kafedra-later-'))
  fs.cpSync('src/lib/core/db/migrations', folder, { recursive: true })
  const file = path.join(folder, 'meta/_journal.json')
  const journal: Journal = JSON.parse(fs.readFileSync(file, 'utf8'))
  for (const text of statements) {
    const last = journal.entries.at(-1)
    if (!last) throw new Error('the journal is empty')
    const idx = last.idx + 1
    const tag = `${String(idx).padStart(4, '0')}_later`
    journal.entries.push({ ...last, idx, tag, when: last.when + 1 })
    fs.writeFileSync(path.join(folder, `${tag}.sql`), text)
  }
  fs.writeFileSync(file, JSON.stringify(journal))
  return folder
}
