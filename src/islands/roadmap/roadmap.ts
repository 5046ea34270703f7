import type { Locale } from '#lib/core/shared/locale.ts'
import type { Strings } from '#lib/core/shared/text/strings.ts'
import type { RoadmapItem, RoadmapStage, RoadmapText } from '#lib/roadmap/schema.ts'

/** Props of the road map editor. */
export interface RoadmapProps {
  roadmapId: string
  version: number
  value: RoadmapText
  published: boolean
  /** The name of the cover's file. */
  coverName: string | null
  /** Membership id: drafts are stored by person. */
  owner: string
  /** Address of the road map. */
  href: string
  /** Lessons, tests, modules and the course that can be added as stops. */
  stops: { type: 'course' | 'module' | 'lesson' | 'test'; id: string; title: string }[]
  locale: Locale
  strings: Strings
}

export const NEW_STAGE: RoadmapStage = { title: '', period: '', text: '', items: [] }

/** Creates a stop for a lesson, a test, a module or the course, or with a free title. */
export function createStop(chosen: RoadmapProps['stops'][number] | undefined, title: string): RoadmapItem {
  const emptyFields = { description: '', duration: '', optional: false }
  return chosen
    ? { ...emptyFields, type: chosen.type, refId: chosen.id, title: chosen.title }
    : { ...emptyFields, type: 'milestone', refId: null, title }
}

/** Moves an item of a list; an invalid position changes nothing. */
export function moveItem<T>(list: readonly T[], from: number, to: number): T[] {
  const copy = [...list]
  const [item] = copy.splice(from, 1)
  if (item === undefined || to < 0 || to > copy.length) return [...list]
  copy.splice(to, 0, item)
  return copy
}

/** Replaces an item of a list, or removes it with null. */
export function replaceItem<T>(list: readonly T[], targetIndex: number, next: T | null): T[] {
  return list.flatMap((item, index) => (index !== targetIndex ? [item] : next === null ? [] : [next]))
}

/** Plain text of a road map, for comparing versions. */
export function plainText({ title, intro, stages }: RoadmapText): string {
  const texts = stages.flatMap((stage) => [
    `${stage.title} ${stage.period}`.trim(),
    stage.text,
    ...stage.items.map((item) => `· ${item.title}`),
  ])
  return [title, intro, ...texts].filter((text) => text !== '').join('\n')
}

/** Adds indexes and React keys to items without ids. */
export const withKeys = <T>(list: readonly T[]): { item: T; index: number; key: string }[] =>
  list.map((item, index) => ({ item, index, key: `${index}` }))
