import { spawn } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

interface Count {
  source: number
  imported: number
  listed: number
  missing: number
}

interface Result {
  name: string
  characters: Count
  files: Count
  links: Count
  kinds: Record<string, Omit<Count, 'missing'>>
  lost: string[]
}

/**
 * Imports every course file of a folder into an empty school and prints what its source contains, what was imported and
 * what the report lists. Returns whether nothing is missing in both.
 */
export async function soakImports(folder: string): Promise<boolean> {
  const results = await mkdtemp(path.join(tmpdir(), 'kafedra-imports-'))
  try {
    const whole = await run({ IMPORT_FOLDER: path.resolve(folder), IMPORT_RESULTS: results })
    for (const name of (await readdir(results)).sort()) {
      console.log(printed(JSON.parse(await readFile(path.join(results, name), 'utf8'))))
    }
    return whole
  } finally {
    await rm(results, { recursive: true, force: true })
  }
}

function run(more: Record<string, string>): Promise<boolean> {
  const cwd = path.resolve(import.meta.dirname, '../..')
  const vitest = path.join(cwd, 'node_modules/vitest/vitest.mjs')
  const args = [vitest, 'run', '--project', 'unit', 'tests/lib/course/transfer/import-balance.test.ts']
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd, env: { ...process.env, ...more }, stdio: 'inherit' })
    child.on('error', reject)
    child.on('close', (status) => resolve(status === 0))
  })
}

function printed({ name, kinds, lost, ...counts }: Result): string {
  const rows = Object.entries({ ...counts, ...kinds }).map(([kind, count]) => {
    const missing = 'missing' in count && typeof count.missing === 'number' ? `, ${count.missing} missing` : ''
    return `  ${kind}: ${count.source} in the source, ${count.imported} imported, ${count.listed} listed${missing}`
  })
  return [name, ...rows, ...(lost.length > 0 ? [`  not found: ${lost.join('; ')}`] : [])].join('\n')
}
