import { childAt, childrenOf, type MarkupElement, textContent } from '#lib/course/transfer/markup.ts'
import { elementsOf } from '../xml.ts'

/** The declared response of an interaction, with its right values. */
export interface ResponseDeclaration {
  identifier: string
  baseType: string
  cardinality: string
  correct: string[]
  /** Points by response; null without a mapping, or when the item does not use it. */
  mapping: { key: string; value: number; caseSensitive: boolean }[] | null
  upperBound: number | null
  areas: { shape: string; coords: string; value: number }[]
}

export interface ItemScoring {
  responses: ReadonlyMap<string, ResponseDeclaration>
  /** Whether parts of an answer earn parts of the points. */
  isPartial: boolean
  /** Points that the item declares; null without a declaration. */
  maxScore: number | null
  /** Whether the response processing has a supported form, and all points are readable. */
  isSimple: boolean
}

const KNOWN_RULES = new Set(
  `responseProcessing responseCondition responseIf responseElseIf responseElse match variable correct mapResponse index
  mapResponsePoint setOutcomeValue multiple baseValue isNull not sum and or equal gte lte stringMatch member`.split(
    /\s+/,
  ),
)

/** The response declarations of an item, and how points are computed from them. */
export function readScoring(item: MarkupElement): ItemScoring {
  const processing = childAt(item, 'responseProcessing')
  const template = processing?.attributes.template ?? ''
  const usesMapping =
    template.includes('map_response') || (processing !== undefined && elementsOf(processing, 'mapResponse').length > 0)
  const usesAreas =
    template.includes('map_response_point') ||
    (processing !== undefined && elementsOf(processing, 'mapResponsePoint').length > 0)
  const responses = childrenOf(item, 'responseDeclaration').map((declaration) =>
    readDeclaration(declaration, usesMapping),
  )
  const isIndexed = processing !== undefined && elementsOf(processing, 'index').length > 0
  return {
    responses: new Map(responses.map((response) => [response.identifier, response])),
    isPartial: usesMapping || usesAreas || isIndexed,
    maxScore: readMaxScore(item),
    isSimple:
      (processing === undefined || allElements(processing).every(isKnownRule)) &&
      (!(usesMapping || usesAreas) || childrenOf(item, 'responseDeclaration').every(hasPlainMapping)),
  }
}

/** A comparison of numbers has an absolute tolerance of the same size on both sides, which belongs to it, or none. */
function isKnownRule({ name, attributes }: MarkupElement): boolean {
  if (name !== 'equal') return KNOWN_RULES.has(name)
  const [low, high = low] = attributes.tolerance?.split(/\s+/) ?? []
  const isIncluded = attributes.includeLowerBound !== 'false' && attributes.includeUpperBound !== 'false'
  return attributes.toleranceMode !== 'relative' && low === high && isIncluded
}

/** Whether the points of all keys are numbers, and other responses get none. */
function hasPlainMapping(declaration: MarkupElement): boolean {
  return ['mapping', 'areaMapping']
    .flatMap((name) => childrenOf(declaration, name))
    .every((mapping) => {
      const entries = [...childrenOf(mapping, 'mapEntry'), ...childrenOf(mapping, 'areaMapEntry')]
      const isReadable = entries.every(({ attributes }) =>
        Number.isFinite(Number.parseFloat(attributes.mappedValue ?? '')),
      )
      return isReadable && parseQtiNumber(mapping.attributes.defaultValue) === 0
    })
}

function readDeclaration(declaration: MarkupElement, usesMapping: boolean): ResponseDeclaration {
  const { identifier = '', baseType = '', cardinality = 'single' } = declaration.attributes
  const mapping = usesMapping ? childAt(declaration, 'mapping') : undefined
  const upperBound = Number.parseFloat(mapping?.attributes.upperBound ?? '')
  return {
    identifier,
    baseType,
    cardinality,
    correct: childrenOf(childAt(declaration, 'correctResponse'), 'value').map((value) => textContent(value).trim()),
    mapping: mapping
      ? childrenOf(mapping, 'mapEntry').map(({ attributes }) => ({
          key: attributes.mapKey ?? '',
          value: parseQtiNumber(attributes.mappedValue),
          caseSensitive: attributes.caseSensitive === 'true',
        }))
      : null,
    upperBound: Number.isFinite(upperBound) ? upperBound : null,
    areas: childrenOf(childAt(declaration, 'areaMapping'), 'areaMapEntry').map(({ attributes }) => ({
      shape: attributes.shape ?? '',
      coords: attributes.coords ?? '',
      value: parseQtiNumber(attributes.mappedValue),
    })),
  }
}

function readMaxScore(item: MarkupElement): number | null {
  const outcomes = childrenOf(item, 'outcomeDeclaration')
  const named = (name: string) => outcomes.find(({ attributes }) => attributes.identifier === name)
  const score = Number.parseFloat(textContent(childAt(named('MAXSCORE'), 'defaultValue', 'value')))
  if (Number.isFinite(score)) return score
  const maximum = Number.parseFloat(named('SCORE')?.attributes.normalMaximum ?? '')
  return Number.isFinite(maximum) ? maximum : null
}

/** The shares of responses by key: of the mapping, or equal parts for the right ones. */
export function sharesOf(response: ResponseDeclaration, maxScore: number | null): (key: string) => number {
  const { mapping, correct, cardinality } = response
  if (mapping?.some(({ value }) => value > 0)) {
    const full = fullScore(response, maxScore)
    const values = new Map(mapping.map(({ key, value }) => [key, value / full]))
    return (key) => values.get(key) ?? 0
  }
  const right = new Set(correct)
  const share = cardinality === 'single' ? 1 : 1 / Math.max(1, right.size)
  return (key) => (right.has(key) ? share : 0)
}

/** The maximum points that a response can give. */
export function fullScore({ mapping, upperBound, cardinality }: ResponseDeclaration, maxScore: number | null): number {
  const values = (mapping ?? []).map(({ value }) => value).filter((value) => value > 0)
  const most = cardinality === 'single' ? Math.max(0, ...values) : values.reduce((sum, value) => sum + value, 0)
  const bound = upperBound !== null && upperBound > 0 ? Math.min(upperBound, most) : most
  return (maxScore !== null && maxScore >= bound ? maxScore : bound) || 1
}

export const parseQtiNumber = (text: string | undefined): number => {
  const value = Number.parseFloat(text ?? '')
  return Number.isFinite(value) ? value : 0
}

function allElements(node: MarkupElement): MarkupElement[] {
  return [node, ...node.children.flatMap((child) => (typeof child === 'string' ? [] : allElements(child)))]
}
