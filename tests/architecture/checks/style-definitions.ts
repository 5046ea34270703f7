import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { compile } from 'tailwindcss'
import type { SourceFile, Violation } from './source.ts'

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
