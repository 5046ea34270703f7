import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { SourceFile, Violation } from './source.ts'

const ROOT = path.resolve(import.meta.dirname, '../../..')
const NOT_OURS = new Set([
  '.git',
  '.astro',
  'node_modules',
  'dist',
  'data',
  'screens',
  'test-results',
  'playwright-report',
])
const CODE = /\.(ts|tsx|astro)$/

/** Every text file under `folder` whose path matches; binary files are skipped. */
export function readTree(folder: string, fits: RegExp = /./): SourceFile[] {
  return pathsUnder(folder)
    .filter((filePath) => fits.test(filePath))
    .map((filePath) => ({ path: filePath, source: readFileSync(path.join(ROOT, filePath), 'utf8') }))
    .filter(({ source }) => !source.includes('\0'))
}

/** TypeScript and Astro files of the product, or of another folder. */
export const readCode = (folder = 'src'): SourceFile[] => readTree(folder, CODE)

/** One line per violation, so that a failing test prints a list of problems. */
export const report = (violations: Violation[]): string[] =>
  violations.map(({ path: at, message }) => `${at}: ${message}`)

/** A fictitious file, to show that a rule finds a violation. */
export const file = (at: string, source: string): SourceFile => ({ path: at, source })

function pathsUnder(folder: string): string[] {
  const entries = readdirSync(path.join(ROOT, folder), { withFileTypes: true })
  return entries.flatMap((entry) => {
    if (NOT_OURS.has(entry.name)) return []
    const inside = folder === '.' ? entry.name : `${folder}/${entry.name}`
    return entry.isDirectory() ? pathsUnder(inside) : [inside]
  })
}
