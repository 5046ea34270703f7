import { describe, expect, test } from 'vitest'
import { ISLANDS } from '#islands/mount/names.ts'
import {
  bareIslands,
  componentsOfPages,
  directStorage,
  hydrates,
  islandMounts,
  ownRoots,
} from './checks/browser-code.ts'
import { file, readCode, report } from './checks/source-tree.ts'

const product = readCode('src')

describe('the browser’s storage', () => {
  test.each([
    `localStorage.setItem('a', '1')`,
    'const kept = window.sessionStorage',
    'const open = () => globalThis.indexedDB.open("a")',
    `import { get } from 'idb-keyval'\nget('a')`,
  ])('refuses %j', (source) => {
    expect(directStorage(file('src/islands/course/a.ts', source))).toHaveLength(1)
  })

  test('is used through its wrappers only', () => {
    expect(report(product.flatMap(directStorage))).toEqual([])
  })
})

describe('islands', () => {
  test('refuses an own React root', () => {
    expect(ownRoots(file('src/islands/course/A.tsx', `import { createRoot } from 'react-dom/client'`))).toHaveLength(1)
  })

  test('are rendered by the mount helper', () => {
    expect(report(product.flatMap(ownRoots))).toEqual([])
  })

  test('refuses a component that Astro hydrates without a boundary', () => {
    const page = file(
      'src/pages/a.astro',
      `---\nimport A from '#islands/course/A.tsx'\n---\n{one && <A onPick={() => 1}\n client:load {...one} />}`,
    )
    const bare = file('src/islands/course/A.tsx', 'export default function A() {}')
    const bounded = file('src/islands/course/A.tsx', `export default asIsland('room', A)`)
    expect(bareIslands(page, [bare])).toHaveLength(1)
    expect(bareIslands(page, [bounded])).toEqual([])
  })

  test('have a boundary where Astro hydrates them', () => {
    expect(product.filter(hydrates).length).toBeGreaterThan(3)
    expect(report(product.flatMap((page) => bareIslands(page, product)))).toEqual([])
  })
})

describe('the markup of an island', () => {
  const mounts = product.flatMap(islandMounts)
  const namesOf = (kind: string) =>
    Object.entries(ISLANDS).flatMap(([name, { markup }]) => (markup === kind ? [name] : []))

  /** Components that pages render on the server for islands that are mounted on first use. */
  const SERVER_MARKUP: Record<string, string[]> = {
    annotations: [
      'src/islands/homework/annotation/AnnotatedPicture.tsx',
      'src/islands/homework/annotation/AnnotationList.tsx',
    ],
    player: ['src/islands/player/Player.tsx'],
    submission: ['src/islands/homework/submission/PlainSubmitForm.tsx'],
    thread: ['src/islands/homework/MessageThread.tsx'],
  }

  test('is registered with each mount', () => {
    expect(mounts.map(({ name }) => name).sort()).toEqual(Object.keys(ISLANDS).sort())
  })

  test('is replaced by another one only where a command opens an editor', () => {
    const kinds = new Set(Object.values(ISLANDS).map(({ markup }) => markup))
    expect([...kinds].sort()).toEqual(['editor', 'hydrated', 'overlay', 'server'])
    expect(namesOf('editor')).toEqual(['description', 'lesson'])
  })

  test('is hydrated exactly where the server renders the component', () => {
    const hydrated = mounts.filter(({ helper }) => helper === 'asIsland')
    expect(hydrated.map(({ name }) => name).sort()).toEqual(namesOf('hydrated').sort())
    const rendered = componentsOfPages(product)
    expect(hydrated.filter(({ path }) => !rendered.has(path))).toEqual([])
  })

  test('is rendered on the server by the component that is mounted on first use', () => {
    expect(Object.keys(SERVER_MARKUP).sort()).toEqual(namesOf('server').sort())
    const rendered = componentsOfPages(product)
    expect(Object.values(SERVER_MARKUP).flatMap((paths) => paths.filter((path) => !rendered.has(path)))).toEqual([])
  })

  test('finds a mount by either helper', () => {
    const source = `mountIsland(place, 'queue', <A />)\nexport default asIsland('room', A)`
    expect(islandMounts(file('src/islands/course/A.tsx', source)).map(({ name }) => name)).toEqual(['queue', 'room'])
  })
})
