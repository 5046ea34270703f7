import ts from 'typescript'
import { everyNode, importsOf, resolveImport, type SourceFile, type Violation } from './source.ts'

const STORAGE = new Set(['localStorage', 'sessionStorage', 'indexedDB'])
const STORAGE_WRAPPERS = new Set(['src/islands/stores/safe-storage.ts', 'src/islands/stores/safe-database.ts'])
const MOUNT_HELPER = 'src/islands/mount/mount.ts'

/** The browser's storage throws where access is denied: only the wrappers with a fallback to memory may use it. */
export function directStorage(file: SourceFile): Violation[] {
  if (STORAGE_WRAPPERS.has(file.path)) return []
  const found = new Set<string>()
  everyNode(file, (node) => {
    if (ts.isIdentifier(node) && STORAGE.has(node.text)) found.add(node.text)
  })
  if (importsOf(file).some(({ specifier }) => specifier.startsWith('idb-keyval'))) found.add('idb-keyval')
  return [...found].map((name) => ({
    path: file.path,
    message: `uses ${name}: stores/safe-storage.ts and stores/safe-database.ts do, and never throw`,
  }))
}

/** An island that is rendered without the mount helper has no error boundary. */
export function ownRoots(file: SourceFile): Violation[] {
  if (file.path === MOUNT_HELPER) return []
  return importsOf(file)
    .filter(({ specifier, typeOnly }) => specifier === 'react-dom/client' && !typeOnly)
    .map(() => ({
      path: file.path,
      message: 'renders a root of its own: mountIsland of islands/mount adds the error boundary',
    }))
}

/** Components with a `client:*` directive must be the result of `asIsland`, which adds the error boundary. */
export function bareIslands(file: SourceFile, files: readonly SourceFile[]): Violation[] {
  const names = new Set(
    [...file.source.matchAll(/<([A-Z]\w*)\s(?:[^<>]|=>)*?client:\w+/g)].map(([, name = '']) => name),
  )
  return importsOf(file).flatMap(({ specifier, names: bound }) => {
    const [name] = bound.filter((name) => names.has(name))
    if (!name) return []
    const path = resolveImport(file.path, specifier)
    const source = files.find((file) => file.path === path)?.source ?? ''
    if (/^export default asIsland\(/m.test(source)) return []
    return [{ path: file.path, message: `hydrates ${name}, whose default export is not made by asIsland` }]
  })
}

/** Whether a file hydrates a component, so that the test can check that it finds any. */
export const hydrates = ({ path, source }: SourceFile): boolean =>
  path.endsWith('.astro') && /\sclient:\w+/.test(source)

export interface IslandMount {
  path: string
  /** The name that is registered in islands/mount/names.ts. */
  name: string
  helper: 'mountIsland' | 'asIsland'
}

/** Every island that a file mounts by one of the two helpers. */
export function islandMounts(file: SourceFile): IslandMount[] {
  const mounts: IslandMount[] = []
  everyNode(file, (node) => {
    if (!ts.isCallExpression(node) || !ts.isIdentifier(node.expression)) return
    const helper = node.expression.text
    if (helper !== 'mountIsland' && helper !== 'asIsland') return
    const name = node.arguments[helper === 'asIsland' ? 0 : 1]
    if (name && ts.isStringLiteral(name)) mounts.push({ path: file.path, name: name.text, helper })
  })
  return mounts
}

/** Paths of the components that pages render, with or without scripts. */
export function componentsOfPages(files: readonly SourceFile[]): Set<string> {
  const pages = files.filter(({ path }) => path.endsWith('.astro'))
  return new Set(
    pages.flatMap((page) =>
      importsOf(page).flatMap(({ specifier, typeOnly, inBrowser }) =>
        typeOnly || inBrowser ? [] : (resolveImport(page.path, specifier) ?? []),
      ),
    ),
  )
}
