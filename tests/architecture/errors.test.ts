import { describe, expect, test } from 'vitest'
import { emptyCatches, parsedAsInput } from './checks/errors.ts'
import { file, readCode, report } from './checks/source-tree.ts'

describe('catch clauses', () => {
  test.each(['try { a() } catch {}', 'try { a() } catch (error) {\n}'])('refuses %j', (source) => {
    expect(emptyCatches(file('src/a.ts', source))).toHaveLength(1)
  })

  test('that are empty say why', () => {
    expect(emptyCatches(file('src/a.ts', 'try { a() } catch {\n  // Gone already.\n}'))).toEqual([])
    expect(report(['src', 'scripts'].flatMap(readCode).flatMap(emptyCatches))).toEqual([])
  })
})

describe('a schema in the domain', () => {
  test.each(['WorkshopSettings.parse(event.settings)', 'Poll.partial().parse(content)', 'Name.parse(video.name)'])(
    'refuses %s',
    (source) => expect(parsedAsInput(file('src/lib/a.ts', source))).toHaveLength(1),
  )

  test('parses inputs, and what is stored by parseStored', () => {
    const good = 'A.parse(input)\nB.parse(input.name)\nC.parse({ ...input, a })\nD.parse({})\nJSON.parse(text)'
    expect(parsedAsInput(file('src/lib/a.ts', good))).toEqual([])
    const domain = readCode('src/lib').filter(({ path }) => !path.startsWith('src/lib/core/config/'))
    expect(report(domain.flatMap(parsedAsInput))).toEqual([])
  })
})
