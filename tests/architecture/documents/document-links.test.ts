import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { brokenLinks } from '../checks/documents/document-links.ts'
import { readTree, report } from '../checks/source-tree.ts'

test('finds a link to a missing file and to a missing heading', () => {
  const root = mkdtempSync(path.join(os.tmpdir(), 'links-'))
  writeFileSync(path.join(root, 'other.md'), '# Other\n\n## The secret key\n')
  const source = '[a](other.md#the-secret-key) [b](gone.md) [c](other.md#gone) [d](https://a.test) `[e](code.md)`'
  expect(report(brokenLinks({ path: 'index.md', source }, root))).toEqual([
    'index.md: links to gone.md, which does not exist',
    'index.md: links to other.md#gone, whose heading does not exist',
  ])
  rmSync(root, { recursive: true })
})

test('links of the documentation lead to files and headings that exist', () => {
  const documents = [
    ...readTree('.', /^[A-Z]+\.md$/),
    ...readTree('docs', /\.md$/).filter(({ path: at }) => !at.includes('sample-course')),
  ]
  expect(documents.length).toBeGreaterThan(200)
  expect(report(documents.flatMap((document) => brokenLinks(document, process.cwd())))).toEqual([])
})
