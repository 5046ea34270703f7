import { expect, test } from 'vitest'
import { commentsOf, importsOf, resolveImport } from './checks/source.ts'
import { file } from './checks/source-tree.ts'

test('finds static, dynamic, type and re-exported imports', () => {
  const source = `
    import a, { type B } from './a.ts'
    import type { C } from '#lib/c.ts'
    import { type D } from '#lib/d.ts'
    export * from './e.ts'
    const f = () => import('./f.tsx')
    type G = import('#lib/g.ts').G`
  const found = importsOf(file('src/lib/x/x.ts', source)).map(({ specifier, typeOnly }) => [specifier, typeOnly])
  expect(found).toEqual([
    ['./a.ts', false],
    ['#lib/c.ts', true],
    ['#lib/d.ts', true],
    ['./e.ts', false],
    ['./f.tsx', false],
    ['#lib/g.ts', true],
  ])
})

test('reads the frontmatter and the scripts of an .astro file', () => {
  const source = `---
import Frame from '#layouts/Cabinet.astro'
---
<Frame title="x"><br>{Astro.url}</Frame>
<script>
  import { open } from '#islands/ui/open.ts'
  open()
</script>`
  expect(importsOf(file('src/pages/index.astro', source))).toEqual([
    { specifier: '#layouts/Cabinet.astro', typeOnly: false, inBrowser: false, names: ['Frame'] },
    { specifier: '#islands/ui/open.ts', typeOnly: false, inBrowser: true, names: ['open'] },
  ])
})

test('follows aliases and relative paths', () => {
  expect(resolveImport('src/lib/course/api.ts', './course.ts')).toBe('src/lib/course/course.ts')
  expect(resolveImport('src/lib/course/api.ts', '../user/user.ts')).toBe('src/lib/user/user.ts')
  expect(resolveImport('src/lib/course/api.ts', '#lib/user/user.ts')).toBe('src/lib/user/user.ts')
  expect(resolveImport('src/lib/course/api.ts', 'zod')).toBeNull()
})

test('finds comments, and not strings that look like them', () => {
  const source = `// one
    const a = '// none' /* two */
    /** three */
    export const b = 1 // four`
  expect(commentsOf(file('src/a.ts', source)).sort()).toEqual(['/* two */', '/** three */', '// four', '// one'])
})
