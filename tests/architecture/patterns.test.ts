import { check } from 'recheck'
import { expect, test } from 'vitest'
import { isBounded, type Pattern, patternsOf } from './checks/patterns.ts'
import { file, readCode } from './checks/source-tree.ts'

/** Timeout in ms for one expression; the slowest one took six seconds on a busy machine. */
const TIMEOUT_MS = 30_000
/** Expressions that the checker cannot analyse, each with the reason why it is linear. */
const REVIEWED = new Map<string, string>([])

/** The checker does not support set notation, and the flag for indices does not change the search. */
const judge = ({ source, flags }: Pattern, randomSeed = 0) =>
  check(source, flags.replace(/[dv]/g, ''), { timeout: TIMEOUT_MS, randomSeed })

/**
 * Results of the checker's automaton are exact. Expressions with a look-behind or large bounds are fuzzed: such a
 * finding counts when another seed confirms it.
 */
async function judgeSurely(pattern: Pattern) {
  const judged = await judge(pattern)
  return judged.status === 'vulnerable' && judged.checker === 'fuzz' ? judge(pattern, 1) : judged
}

test('every regular expression takes linear time', { timeout: 300_000 }, async () => {
  const all = ['src', 'scripts'].flatMap((folder) => readCode(folder).flatMap(patternsOf))
  const once = new Map(
    all.filter((pattern) => !isBounded(pattern)).map((pattern) => [`/${pattern.source}/${pattern.flags}`, pattern]),
  )
  expect(once.size).toBeGreaterThan(150)
  const slow: string[] = []
  for (const [shown, pattern] of once) {
    const judged = await judgeSurely(pattern)
    if (judged.status === 'safe' || (judged.status === 'unknown' && REVIEWED.has(shown))) continue
    slow.push(`${pattern.place}: ${shown} is ${judged.status === 'vulnerable' ? judged.complexity.summary : 'unknown'}`)
  }
  expect(slow).toEqual([])
  expect([...REVIEWED.keys()].filter((shown) => !once.has(shown))).toEqual([])
})

test('finds expressions that are built from constants, and reports which are slow', async () => {
  const source = `
    const ZONES = 'com|net'
    const LINK = new RegExp(\`(?:[\\\\p{L}-]+\\\\.)+(?:\${ZONES})\`, 'iu')
    const SPACES = /\\s*\\n\\s*/g
    const WORD = RegExp('a' + 'b')
    const dynamic = new RegExp(location.hash)`
  const found = patternsOf(file('src/lib/course/a.ts', source))
  expect(found.map(({ place, source: text, flags }) => `${place} /${text}/${flags}`)).toEqual([
    'src/lib/course/a.ts:3 /(?:[\\p{L}-]+\\.)+(?:com|net)/iu',
    'src/lib/course/a.ts:4 /\\s*\\n\\s*/g',
    'src/lib/course/a.ts:5 /ab/',
  ])
  const spaces = found.find(({ source: text }) => text.startsWith('\\s'))
  expect(spaces && (await judge(spaces)).status).toBe('vulnerable')
  expect(found.filter(isBounded)).toHaveLength(1)
})
