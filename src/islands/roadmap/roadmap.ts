import type { Locale } from '#lib/core/shared/locale.ts'
import type { Strings } from '#lib/core/shared/text/strings.ts'
import type { Item, RoadmapText, Stage } from '#lib/roadmap/schema.ts'

/** What the page hands to the editor of a road map. */
export interface RoadmapProps {
  roadmapId: string
  version: number
  value: RoadmapText
  published: boolean
  /** The name of the cover's file. */
  coverName: string | null
  /** The membership's id: drafts are kept by person. */
  owner: string
  /** The map's own address. */
  href: string
  /** Lessons, modules and the course, as stops that can be chosen. */
  stops: { type: 'course' | 'module' | 'lesson'; id: string; title: string }[]
  locale: Locale
  strings: Strings
}

export const NEW_STAGE: Stage = { title: '', period: '', text: '', items: [] }

/** A new stop at the end of a stage: for a lesson, a module or the course, or one of its own. */
export function createStop(chosen: RoadmapProps['stops'][number] | undefined, title: string): Item {
  const emptyFields = { description: '', duration: '', optional: false }
  return chosen
    ? { ...emptyFields, type: chosen.type, refId: chosen.id, title: chosen.title }
    : { ...emptyFields, type: 'milestone', refId: null, title }
}

/** A list with the one at `from` moved to `to`; places outside the list change nothing. */
export function moveItem<T>(list: readonly T[], from: number, to: number): T[] {
  const copy = [...list]
  const [item] = copy.splice(from, 1)
  if (item === undefined || to < 0 || to > copy.length) return [...list]
  copy.splice(to, 0, item)
  return copy
}

/** A list with the one at `at` changed, or taken out by null. */
export function replaceItem<T>(list: readonly T[], targetIndex: number, next: T | null): T[] {
  return list.flatMap((item, index) => (index !== targetIndex ? [item] : next === null ? [] : [next]))
}

/** A map without its form, to lay two versions side by side. */
export function plainText({ title, intro, stages }: RoadmapText): string {
  const lines = stages.flatMap((stage) => [
    `${stage.title} ${stage.period}`.trim(),
    stage.text,
    ...stage.items.map((item) => `· ${item.title}`),
  ])
  return [title, intro, ...lines].filter((line) => line !== '').join('\n')
}

/** A list for drawing: what has no name of its own is known by its place. */
export const withKeys = <T>(list: readonly T[]): { item: T; index: number; key: string }[] =>
  list.map((item, index) => ({ item, index, key: `${index}` }))
