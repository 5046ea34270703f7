import { childAt, childrenOf, type MarkupElement, textContent } from '#lib/course/transfer/markup.ts'
import { elementsOf } from '../xml.ts'

/** One test of a response inside a condition. */
export interface ResponseTest {
  kind: 'equal' | 'least' | 'most' | 'above' | 'below' | 'inside'
  ident: string
  value: string
  /** The response only has to contain the value. */
  isPart: boolean
  /** Under `not`: the response must differ. */
  negated: boolean
  caseSensitive: boolean
  areaType: string
}

/** A condition that gives points. */
export interface ScoreCondition {
  tests: ResponseTest[]
  /** Share of the points: 1 is the full score. */
  fraction: number
  isAdded: boolean
}

const TESTS: Record<string, ResponseTest['kind']> = {
  varequal: 'equal',
  varsubstring: 'equal',
  vargte: 'least',
  varlte: 'most',
  vargt: 'above',
  varlt: 'below',
  varinside: 'inside',
}

/** The conditions that set the score of an item, in their order. */
export function readConditions(item: MarkupElement): ScoreCondition[] {
  const processing = childrenOf(item, 'resprocessing')
  const maximum = Number.parseFloat(
    processing.flatMap((element) => elementsOf(element, 'decvar'))[0]?.attributes.maxvalue ?? '',
  )
  const conditions = processing
    .flatMap((element) => childrenOf(element, 'respcondition'))
    .flatMap((condition) => {
      const [score] = childrenOf(condition, 'setvar')
      const value = Number.parseFloat(textContent(score))
      if (!score || !Number.isFinite(value)) return []
      const isAdded = /^add$/i.test(score.attributes.action ?? '')
      return [{ tests: testsOf(childAt(condition, 'conditionvar'), false), value, isAdded }]
    })
  const most = Math.max(0, ...conditions.map(({ value }) => value))
  const added = conditions
    .filter(({ isAdded, value }) => isAdded && value > 0)
    .reduce((sum, { value }) => sum + value, 0)
  // The declared maximum is often missing, or is that of a percentage.
  const full =
    Number.isFinite(maximum) && maximum > 0 && (maximum <= most || added >= maximum || added > 0)
      ? maximum
      : Math.max(added, most) || 1
  const scale = maximum === 100 && (added > 0 || most === 0) ? 100 : full
  return conditions.map(({ tests, value, isAdded }) => ({
    tests,
    isAdded,
    fraction: Math.max(-1, Math.min(1, value / scale)),
  }))
}

/** Whether all conditions have points that are numbers, which they set or add. */
export function hasPlainScores(item: MarkupElement): boolean {
  return childrenOf(item, 'resprocessing')
    .flatMap((element) => childrenOf(element, 'respcondition'))
    .flatMap((condition) => childrenOf(condition, 'setvar'))
    .every((score) => {
      const isNumber = Number.isFinite(Number.parseFloat(textContent(score)))
      return isNumber && /^(set|add|)$/i.test(score.attributes.action ?? '')
    })
}

function testsOf(node: MarkupElement | undefined, negated: boolean): ResponseTest[] {
  return (node?.children ?? []).flatMap((child): ResponseTest[] => {
    if (typeof child === 'string') return []
    if (child.name === 'not') return testsOf(child, !negated)
    const kind = TESTS[child.name]
    if (!kind) return testsOf(child, negated)
    const { respident = '', case: letters = '', areatype = '' } = child.attributes
    return [
      {
        kind,
        ident: respident,
        value: textContent(child).trim(),
        isPart: child.name === 'varsubstring',
        negated,
        caseSensitive: /^yes$/i.test(letters),
        areaType: areatype,
      },
    ]
  })
}
