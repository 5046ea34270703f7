import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { compile } from 'tailwindcss'
import type { SourceFile, Violation } from './source.ts'

/** Rules for a circumstance (print, forced colors, zoom), which adjust the classes of other files within `@media`. */
const CIRCUMSTANCES = 'src/styles/circumstance.css'
/** Files with classes of the same names, each with the reason why no page loads both. */
const NEVER_TOGETHER: Record<string, string> = {
  'src/islands/meeting/chat/chat.css': 'the chat of a webinar room has its own page, without the messenger',
}
/** A rule nested in another class is scoped by it. */
const CLASS = /^\.[\w-]+$/

/**
 * Classes that two stylesheets define on their own (`.name { … }`): on a page that loads both, the rules of one component
 * apply to the other, and the order of layers and files decides. Each class has one file; a different component takes
 * another name, or is scoped by its own (`.outline-selection > .selection-actions`).
 */
export function sharedClasses(files: readonly SourceFile[]): Violation[] {
  const homes = new Map<string, string>()
  const violations: Violation[] = []
  for (const { path, source } of files) {
    if (path === CIRCUMSTANCES || path in NEVER_TOGETHER) continue
    for (const name of definedClasses(source)) {
      const home = homes.get(name)
      if (home === undefined) homes.set(name, path)
      else if (home !== path) violations.push({ path, message: `${name} is defined in ${home} too` })
    }
  }
  return violations
}

/** Names of the classes that have a rule outside other rules; at-rules are looked into. */
function definedClasses(source: string): Set<string> {
  const code = source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/"[^"]*"|'[^']*'/g, '""')
  const names = new Set<string>()
  // Whether each open block is a rule; those of at-rules are not.
  const open: boolean[] = []
  let current = ''
  for (const character of code) {
    if (character === '{') {
      const isRule = !current.trim().startsWith('@')
      if (isRule && !open.includes(true))
        for (const selector of current.split(',')) if (CLASS.test(selector.trim())) names.add(selector.trim())
      open.push(isRule)
    }
    if (character === '}') open.pop()
    current = '{};'.includes(character) ? '' : current + character
  }
  return names
}

const STYLES = path.resolve(import.meta.dirname, '../../../src/styles')
const NAMES = /\.((?:[\w-]|\\.)+)/g

/**
 * Class names in `class="…"` and `className="…"` that neither the stylesheets nor Tailwind define: the element has none
 * of the intended appearance, and nothing else fails. Names that are built by code are not checked.
 */
export async function undefinedClasses(
  files: readonly SourceFile[],
  sheets: readonly SourceFile[],
): Promise<Violation[]> {
  const uses = files.flatMap(({ path: at, source }) => classesIn(source).map((name) => ({ at, name })))
  const compiled = await compileStyles([...new Set(uses.map(({ name }) => name))])
  const scoped = files.flatMap(({ source }) => [...source.matchAll(/<style[^>]*>([^<]*)/g)].map(([, css]) => css ?? ''))
  const defined = new Set([compiled, ...sheets.map(({ source }) => source), ...scoped].flatMap(namesIn))
  return uses
    .filter(({ name }) => !defined.has(name))
    .map(({ at, name }) => ({ path: at, message: `the class ${name} is defined nowhere` }))
}

const classesIn = (source: string): string[] =>
  [...source.matchAll(/\bclass(?:Name)?="([^"{}]*)"/g)].flatMap(([, names]) =>
    (names ?? '').split(/\s+/).filter(Boolean),
  )

const namesIn = (css: string): string[] => [...css.matchAll(NAMES)].map(([, name]) => (name ?? '').replaceAll('\\', ''))

async function compileStyles(candidates: string[]): Promise<string> {
  const { build } = await compile(await readFile(path.join(STYLES, 'global.css'), 'utf8'), {
    base: STYLES,
    loadModule: async (id, base) => ({ path: id, base, module: (await import(id)).default }),
    loadStylesheet: async (id, base) => {
      const file = id === 'tailwindcss' ? path.resolve('node_modules/tailwindcss/index.css') : path.resolve(base, id)
      return { path: file, base: path.dirname(file), content: await readFile(file, 'utf8') }
    },
  })
  return build(candidates)
}
