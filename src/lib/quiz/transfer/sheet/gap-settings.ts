import type { MixedGap } from '../../question/schema.ts'

/* The kinds of gaps in one setting of a question: `g1:menu g2:text:2:case g3:number:0.5`. */

const KINDS: readonly MixedGap['kind'][] = ['text', 'number', 'menu', 'several']

/** Id, kind, weight and, of texts, how they are compared. */
export function writeGapSettings(gap: MixedGap): string {
  const { id, kind, weight } = gap
  const comparison =
    kind === 'text'
      ? [
          gap.caseSensitive ? 'case' : [],
          gap.trim ? [] : 'notrim',
          gap.wildcards ? 'wildcards' : [],
          gap.lenient === false ? 'strict' : [],
        ].flat()
      : []
  return [id, kind, ...(weight === 1 && comparison.length === 0 ? [] : [String(weight)]), ...comparison].join(':')
}

export interface GapSettings {
  kind: MixedGap['kind']
  weight: number
  caseSensitive: boolean
  trim: boolean
  wildcards: boolean
  lenient?: false
}

/** The settings of gaps by their ids; parts without a known kind are ignored. */
export function readGapSettings(cell: string): Map<string, GapSettings> {
  return new Map(
    cell.split(/\s+/).flatMap((part): [string, GapSettings][] => {
      const [id = '', name, weight = '1', ...comparison] = part.split(':')
      const kind = KINDS.find((known) => known === name)
      const value = Number(weight)
      if (!kind || !Number.isFinite(value)) return []
      const settings = {
        kind,
        weight: value,
        caseSensitive: comparison.includes('case'),
        trim: !comparison.includes('notrim'),
        wildcards: comparison.includes('wildcards'),
        ...(comparison.includes('strict') ? { lenient: false as const } : {}),
      }
      return [[id, settings]]
    }),
  )
}
