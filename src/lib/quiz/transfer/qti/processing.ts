import { escapeXmlText } from '#lib/core/shared/text/escape.ts'
import type { QtiNames } from './names.ts'

/* Response processing (QTI 2.2, 6): how the score is computed from responses. */

export const RESPONSE = 'RESPONSE'

/** Formats points as an XML number without floating-point errors. */
export const formatPoints = (value: number): string => String(Number(value.toPrecision(12)))

export const correctResponse = (qti: QtiNames, values: readonly string[]): string =>
  values.length === 0
    ? ''
    : qti.element('correctResponse', {}, values.map((value) => qti.element('value', {}, escapeXmlText(value))).join(''))

export interface MapEntry {
  key: string
  value: number
  caseSensitive?: boolean
}

/** Points by response; the sum is never negative. */
export function writeMapping(qti: QtiNames, entries: readonly MapEntry[], upperBound: number): string {
  if (entries.length === 0) return ''
  const list = entries.map(({ key, value, caseSensitive }) =>
    qti.element('mapEntry', { mapKey: key, mappedValue: formatPoints(value), caseSensitive: caseSensitive ?? null }),
  )
  return qti.element('mapping', { lowerBound: 0, upperBound: formatPoints(upperBound), defaultValue: 0 }, list.join(''))
}

export const baseValue = (qti: QtiNames, baseType: string, value: string): string =>
  qti.element('baseValue', { baseType }, escapeXmlText(value))

const variable = (qti: QtiNames, identifier: string): string => qti.element('variable', { identifier })

export const setOutcome = (qti: QtiNames, identifier: string, value: string): string =>
  qti.element('setOutcomeValue', { identifier }, value)

/** All points for exactly the right response. */
export function matchRules(qti: QtiNames, value: number): string {
  const test = qti.element('match', {}, variable(qti, RESPONSE) + qti.element('correct', { identifier: RESPONSE }))
  const full = setOutcome(qti, 'SCORE', baseValue(qti, 'float', formatPoints(value)))
  return qti.element('responseCondition', {}, qti.element('responseIf', {}, test + full))
}

/** The sum of the mapped points of all responses. */
export function mapRules(qti: QtiNames, identifiers: readonly string[]): string {
  const values = identifiers.map((identifier) => qti.element('mapResponse', { identifier })).join('')
  return setOutcome(qti, 'SCORE', identifiers.length === 1 ? values : qti.element('sum', {}, values))
}

/** Equal points for each position that is right. */
export function orderRules(qti: QtiNames, count: number, value: number): string {
  return Array.from({ length: count }, (_, index) => {
    const at = (inner: string) => qti.element('index', { n: index + 1 }, inner)
    const test = qti.element(
      'match',
      {},
      at(variable(qti, RESPONSE)) + at(qti.element('correct', { identifier: RESPONSE })),
    )
    const sum = qti.element('sum', {}, variable(qti, 'SCORE') + baseValue(qti, 'float', formatPoints(value / count)))
    return qti.element('responseCondition', {}, qti.element('responseIf', {}, test + setOutcome(qti, 'SCORE', sum)))
  }).join('')
}

/** All points for any response. */
export function scaleRules(qti: QtiNames, full: string): string {
  const given = qti.element('not', {}, qti.element('isNull', {}, variable(qti, RESPONSE)))
  return qti.element('responseCondition', {}, qti.element('responseIf', {}, given + setOutcome(qti, 'SCORE', full)))
}

/** Shows the feedback of the chosen options, whose identifiers it has. */
export function choiceRules(qti: QtiNames, hasFeedback: boolean, isSingle: boolean): string {
  if (!hasFeedback) return ''
  const chosen = variable(qti, RESPONSE)
  return setOutcome(qti, 'FEEDBACK', isSingle ? qti.element('multiple', {}, chosen) : chosen)
}

/** Branches, of which the first true one is applied. */
export function writeFirstMatch(qti: QtiNames, branches: readonly string[]): string {
  if (branches.length === 0) return ''
  const list = branches.map((branch, index) => qti.element(index === 0 ? 'responseIf' : 'responseElseIf', {}, branch))
  return qti.element('responseCondition', {}, list.join(''))
}
