import { rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { chooseTests } from '../../scripts/test/choice.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
const STAGES = ['lint', 'types', 'architecture', 'unit', 'e2e'].map((name) => ({ name }))

const choose = (...words: string[]) => {
  const { stages, filters } = chooseTests(words, STAGES, ROOT)
  return { stages: stages.map(({ name }) => name), filters }
}

describe('npm test', () => {
  test('runs every stage when nothing is named', () => {
    expect(choose()).toEqual({ stages: ['lint', 'types', 'architecture', 'unit', 'e2e'], filters: [] })
  })

  test('runs the tests of a module, and no browser', () => {
    expect(choose('storage')).toEqual({
      stages: ['lint', 'unit'],
      filters: ['lib/storage/', 'islands/storage/', 'pages/storage', 'api/storage'],
    })
  })

  test('lints the whole project, only the module, or only uncommitted files', () => {
    const lint = (...words: string[]) => chooseTests(words, STAGES, ROOT).lintedPaths
    expect(lint()).toBeNull()
    expect(lint('lint')).toBeNull()
    expect(lint('storage')).toEqual([
      'src/lib/storage',
      'src/islands/storage',
      'src/pages/storage',
      'tests/lib/storage',
      'tests/islands/storage',
      'public/locales/uk/storage.json',
      'public/locales/en/storage.json',
    ])
    const added = path.join(ROOT, 'tests/scripts/not-committed.ts')
    writeFileSync(added, '')
    try {
      expect(lint('--changed')).toContain('tests/scripts/not-committed.ts')
    } finally {
      rmSync(added)
    }
  })

  test('runs tests that depend on uncommitted files', () => {
    expect(choose('--changed')).toEqual({ stages: ['lint', 'unit'], filters: ['--changed'] })
  })

  test('runs the named stages, and passes on other arguments', () => {
    expect(choose('e2e', 'captions.spec.ts')).toEqual({ stages: ['e2e'], filters: ['captions.spec.ts'] })
    expect(choose('identity-student')).toEqual({
      stages: ['lint', 'types', 'architecture', 'unit', 'e2e'],
      filters: ['identity-student'],
    })
  })
})
