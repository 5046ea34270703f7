import type { Locale } from '#lib/core/shared/locale.ts'
import type { Say, Strings } from '#lib/core/shared/text/strings.ts'
import { placed } from '#lib/course/outline/rules.ts'
import type { LessonChange, ModuleChange, OutlineLesson, OutlineModule } from '#lib/course/outline/schema.ts'

/** What the page hands to the outline. */
export interface OutlineProps {
  courseId: string
  title: string
  modules: OutlineModule[]
  /** The lesson that is open beside it. */
  current: string | null
  edits: boolean
  numbered: boolean
  /** The author's zone. */
  zone: string
  locale: Locale
  strings: Strings
  /** A title that was refused without scripts, with the words why. */
  refused: { act: string; moduleId: string | null; typed: string; error: string } | null
}

/** How the outline is put into words. */
export interface OutlineWords {
  say: Say
  zone: string
  locale: Locale
}

export const lessonsOf = (modules: readonly OutlineModule[]): OutlineLesson[] =>
  modules.flatMap(({ lessons }) => lessons)

export const moduleOf = (modules: readonly OutlineModule[], lessonId: string): OutlineModule | undefined =>
  modules.find(({ lessons }) => lessons.some(({ id }) => id === lessonId))

/** Lessons stand together in a module before one of its lessons, or at its end; as the school will place them. */
export function withPlaced(
  modules: readonly OutlineModule[],
  ids: readonly string[],
  moduleId: string,
  beforeId: string | null,
): OutlineModule[] {
  const going = new Map(lessonsOf(modules).flatMap((lesson) => (ids.includes(lesson.id) ? [[lesson.id, lesson]] : [])))
  const home = modules.find(({ id }) => id === moduleId)
  const neighbour = home ? standing(home.lessons, ids, beforeId) : null
  return modules.map((module) => {
    const staying = module.lessons.filter(({ id }) => !going.has(id))
    if (module.id !== moduleId)
      return staying.length === module.lessons.length ? module : { ...module, lessons: staying }
    const all = new Map([...module.lessons.map((lesson) => [lesson.id, lesson] as const), ...going])
    const order = placed(
      module.lessons.map(({ id }) => id),
      ids.filter((id) => going.has(id)),
      neighbour,
    )
    return { ...module, lessons: order.flatMap((id) => all.get(id) ?? []) }
  })
}

/** Where one place up or down leads: past the edge of its module a lesson goes over into the next one. */
export function stepOf(
  modules: readonly OutlineModule[],
  ids: readonly string[],
  by: -1 | 1,
): { moduleId: string; beforeId: string | null } | null {
  const edge = by === -1 ? ids[0] : ids.at(-1)
  const module = edge === undefined ? undefined : moduleOf(modules, edge)
  if (!module || edge === undefined) return null
  const at = module.lessons.findIndex(({ id }) => id === edge)
  if (module.lessons[at + by]) {
    return { moduleId: module.id, beforeId: module.lessons[by === -1 ? at - 1 : at + 2]?.id ?? null }
  }
  const next = modules[modules.indexOf(module) + by]
  return next ? { moduleId: next.id, beforeId: by === 1 ? (next.lessons[0]?.id ?? null) : null } : null
}

/** A module before another, or at the end. */
export function withModule(modules: readonly OutlineModule[], id: string, beforeId: string | null): OutlineModule[] {
  const all = new Map(modules.map((module) => [module.id, module]))
  return placed([...all.keys()], [id], beforeId).flatMap((one) => all.get(one) ?? [])
}

export type Changes = LessonChange & { title?: string; state?: OutlineLesson['state'] }

/** Some lessons with other fields; the rest keep their identity, so that their rows are not drawn again. */
export function withLessons(
  modules: readonly OutlineModule[],
  ids: readonly string[],
  changes: Changes,
): OutlineModule[] {
  return modules.map((module) => {
    if (!module.lessons.some(({ id }) => ids.includes(id))) return module
    const lessons = module.lessons.map((one) => (ids.includes(one.id) ? { ...one, ...given(changes) } : one))
    return { ...module, lessons }
  })
}

export const withModuleChange = (
  modules: readonly OutlineModule[],
  id: string,
  change: ModuleChange,
): OutlineModule[] => modules.map((module) => (module.id === id ? { ...module, ...given(change) } : module))

export const without = (modules: readonly OutlineModule[], ids: readonly string[]): OutlineModule[] =>
  modules.map((module) =>
    module.lessons.some(({ id }) => ids.includes(id))
      ? { ...module, lessons: module.lessons.filter(({ id }) => !ids.includes(id)) }
      : module,
  )

/** Lines of what was typed or pasted, as titles; list marks at their beginnings go. */
export function titlesOf(typed: string): string[] {
  return typed
    .split(/\r?\n/)
    .map((line) => line.replace(/^\s*([-*•–]|\d+[.)])\s+/, '').trim())
    .filter((line) => line !== '')
    .map((line) => line.slice(0, 160))
}

type Given<T> = { [Key in keyof T]?: Exclude<T[Key], undefined> }
const given = <T extends object>(changes: T): Given<T> =>
  Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)) as Given<T>

/** A neighbour that goes along is no neighbour: the next one that stays is. */
function standing(lessons: readonly OutlineLesson[], ids: readonly string[], beforeId: string | null): string | null {
  if (beforeId === null || !ids.includes(beforeId)) return beforeId
  const at = lessons.findIndex(({ id }) => id === beforeId)
  return lessons.slice(at).find(({ id }) => !ids.includes(id))?.id ?? null
}
