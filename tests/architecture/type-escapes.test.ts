import { describe, expect, test } from 'vitest'
import { file, readCode, report } from './checks/source-tree.ts'
import { environmentReads, switchedOff, typeEscapes } from './checks/type-escapes.ts'

const everything = ['src', 'scripts', 'tests'].flatMap(readCode)

describe('type escapes', () => {
  test.each([
    'const a: any = 1',
    'const a = b as unknown as string',
    'const a = b!.c',
    'class A { b!: string }',
    '// @ts-ignore\nconst a = 1',
    '/* @ts-expect-error */\nconst a = 1',
    '// biome-ignore lint/a: b\nconst a = 1',
    '// TODO later\nconst a = 1',
  ])('refuses %j', (source) => {
    expect(typeEscapes(file('src/a.ts', source))).toHaveLength(1)
  })

  test('refuses them in the template of an .astro file too', () => {
    expect(typeEscapes(file('src/a.astro', '---\nconst b = Astro.props.b\n---\n<p>{b!.c}</p>'))).toHaveLength(1)
  })

  test('refuses a silenced rule inside JSX', () => {
    const source = 'const a = <p>{/* biome-ignore lint/a: b */}<b>c</b></p>'
    expect(typeEscapes(file('src/a.tsx', source))).toHaveLength(1)
  })

  test('accepts checked types', () => {
    expect(
      typeEscapes(file('src/a.ts', `const a = { any: 1 } as const\nconst b = !a\nconst c = 'as unknown as'`)),
    ).toEqual([])
  })

  test('are nowhere', () => {
    expect(report(everything.flatMap(typeEscapes))).toEqual([])
  })
})

describe('environment', () => {
  test.each(['const a = process.env.A', 'const { A } = process.env', `import { env } from 'node:process'`])(
    'refuses %s',
    (source) => {
      expect(environmentReads(file('src/lib/course/course.ts', source))).toHaveLength(1)
    },
  )

  test('is read in core/config only', () => {
    expect(environmentReads(file('src/lib/core/config/config.ts', 'process.env'))).toEqual([])
    expect(report(readCode('src').flatMap(environmentReads))).toEqual([])
  })
})

describe('tests', () => {
  test.each([
    ['only', `test.only('a', () => {})`],
    ['skip', `describe.skip('a', () => {})`],
    ['todo', `it.todo('a')`],
    ['fixme', `test.describe.fixme('a', () => {})`],
    ['sleeps', 'await page.waitForTimeout(500)'],
  ])('refuses %s', (word, source) => {
    expect(report(switchedOff(file('tests/a.test.ts', source))).join()).toContain(word)
  })

  test('are all switched on', () => {
    expect(report(readCode('tests').flatMap(switchedOff))).toEqual([])
  })
})
