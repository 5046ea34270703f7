import fs from 'node:fs'
import path from 'node:path'

const FOLDERS = 'tests/{lib,api,pages,islands,layouts,scripts,setup}'
// Replaced modules, globals and settings would remain in a worker process that runs several files.
const CHANGES_PROCESS =
  /vi\.(?:mock|doMock|stub|useFakeTimers|resetModules)|process\.env|process\.chdir|globalThis\.\w+ (?:\?\?)?= /
const IMPORT =
  /^\s*(?:import|export)\s(?!type\s)[^'"]*?from\s*['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]|^\s*import\s+['"]([^'"]+)['"]/gm
// These start processes and servers of their own, and measure what their own process holds.
const STARTS_PROCESSES = /^tests\/(?:scripts|lib\/core\/(?:broadcast|media|files))\/|child_process|worker\/pool/
const NEEDS_DATABASE = ['src/lib/core/db/connection.ts', 'src/lib/core/db/db.ts', 'tests/setup/servers/cluster.ts']
// MathJax can be initialized once per process, and each test file reads the sources again.
const NEEDS_PROCESS = ['src/lib/core/pdf/typeset-formula.ts']

/**
 * The test files, by their paths from the root, that import neither the database nor anything that imports it, and that
 * change nothing in their process which another file would notice. They can share a worker process. A test that reaches
 * the database in a way that is not recognized here fails, because it has none.
 */
export function findTestsWithoutDatabase(root: string): string[] {
  const imports = new Map<string, string[]>()
  const importsOf = (file: string) => {
    const known = imports.get(file)
    if (known) return known
    const found = readImports(root, file)
    imports.set(file, found)
    return found
  }
  return fs.globSync(`${FOLDERS}/**/*.test.{ts,tsx}`, { cwd: root }).filter((file) => {
    const source = readSource(root, file)
    if (source.includes("inject('cluster')")) return false
    if (STARTS_PROCESSES.test(file) || STARTS_PROCESSES.test(source)) return false
    const reached = new Set([file])
    for (const each of reached) for (const target of importsOf(each)) reached.add(target)
    const helpers = [...reached].filter((each) => each.startsWith('tests/'))
    if (helpers.some((each) => CHANGES_PROCESS.test(readSource(root, each)))) return false
    return ![...NEEDS_DATABASE, ...NEEDS_PROCESS].some((needed) => reached.has(needed))
  })
}

function readImports(root: string, file: string): string[] {
  if (!/\.(?:tsx?|astro)$/.test(file)) return []
  return [...readSource(root, file).matchAll(IMPORT)].flatMap(([, from, dynamic, effect]) => {
    const specifier = (from ?? dynamic ?? effect ?? '').split('?')[0] ?? ''
    if (specifier.startsWith('#')) return [`src/${specifier.slice(1)}`]
    return specifier.startsWith('.') ? [path.join(path.dirname(file), specifier)] : []
  })
}

/** The source of a file; empty when there is none. */
function readSource(root: string, file: string): string {
  const place = path.join(root, file)
  return fs.existsSync(place) ? fs.readFileSync(place, 'utf8') : ''
}
