import { describe, expect, test } from 'vitest'
import { bareIslands, directStorage, hydrates, ownRoots } from './checks/browser-code.ts'
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
  test('refuses a root of its own', () => {
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
