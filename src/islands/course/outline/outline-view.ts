import type { Locale } from '#lib/core/shared/locale.ts'
import { definedFields } from '#lib/core/shared/merge.ts'
import type { Strings, Translate } from '#lib/core/shared/text/strings.ts'
import { moveTogether } from '#lib/course/outline/rules.ts'
import type { LessonSettingsChange, ModuleChange, OutlineLesson, OutlineModule } from '#lib/course/outline/schema.ts'

/** Props of the outline. */
export interface OutlineProps {
  courseId: string
  title: string
  modules: OutlineModule[]
  /** Id of the open lesson. */
  current: string | null
  edits: boolean
  numbered: boolean
  /** The author's zone. */
  zone: string
  locale: Locale
  strings: Strings
  /** A title that was refused without scripts, with the error. */
  refused: { intent: string; moduleId: string | null; typed: string; error: string } | null
}

/** Translation and formatting of the outline. */
export interface OutlineContext {
  t: Translate
  zone: string
  locale: Locale
}

export const lessonsOf = (modules: readonly OutlineModule[]): OutlineLesson[] =>
  modules.flatMap(({ lessons }) => lessons)

export const moduleOf = (modules: readonly OutlineModule[], lessonId: string): OutlineModule | undefined =>
  modules.find(({ lessons }) => lessons.some(({ id }) => id === lessonId))

/** Moves lessons together into a module before one of its lessons, or to its end, as the server does. */
export function moveLessons(
  modules: readonly OutlineModule[],
  ids: readonly string[],
  moduleId: string,
  beforeId: string | null,
): OutlineModule[] {
  const moved = new Map(lessonsOf(modules).flatMap((lesson) => (ids.includes(lesson.id) ? [[lesson.id, lesson]] : [])))
  const target = modules.find(({ id }) => id === moduleId)
  const anchorId = target ? nextStaying(target.lessons, ids, beforeId) : null
  return modules.map((module) => {
    const remaining = module.lessons.filter(({ id }) => !moved.has(id))
    if (module.id !== moduleId)
      return remaining.length === module.lessons.length ? module : { ...module, lessons: remaining }
    const byId = new Map([...module.lessons.map((lesson) => [lesson.id, lesson] as const), ...moved])
    const order = moveTogether(
      module.lessons.map(({ id }) => id),
      ids.filter((id) => moved.has(id)),
      anchorId,
    )
    return { ...module, lessons: order.flatMap((id) => byId.get(id) ?? []) }
  })
}

/** Target of a move by one position: past the edge of its module a lesson moves to the adjacent one. */
export function findStep(
  modules: readonly OutlineModule[],
  ids: readonly string[],
  direction: -1 | 1,
): { moduleId: string; beforeId: string | null } | null {
  const edgeId = direction === -1 ? ids[0] : ids.at(-1)
  const module = edgeId === undefined ? undefined : moduleOf(modules, edgeId)
  if (!module || edgeId === undefined) return null
  const index = module.lessons.findIndex(({ id }) => id === edgeId)
  if (module.lessons[index + direction]) {
    return { moduleId: module.id, beforeId: module.lessons[direction === -1 ? index - 1 : index + 2]?.id ?? null }
  }
  const next = modules[modules.indexOf(module) + direction]
  return next ? { moduleId: next.id, beforeId: direction === 1 ? (next.lessons[0]?.id ?? null) : null } : null
}

/** Moves a module before another, or to the end. */
export function moveModuleInOutline(
  modules: readonly OutlineModule[],
  id: string,
  beforeId: string | null,
): OutlineModule[] {
  const byId = new Map(modules.map((module) => [module.id, module]))
  return moveTogether([...byId.keys()], [id], beforeId).flatMap((moduleId) => byId.get(moduleId) ?? [])
}

export type Changes = LessonSettingsChange & { title?: string; words?: number; state?: OutlineLesson['state'] }

/** Changes fields of lessons; others keep their identity, so that their rows are not re-rendered. */
export function changeLessonsInOutline(
  modules: readonly OutlineModule[],
  ids: readonly string[],
  changes: Changes,
): OutlineModule[] {
  return modules.map((module) => {
    if (!module.lessons.some(({ id }) => ids.includes(id))) return module
    const lessons = module.lessons.map((lesson) =>
      ids.includes(lesson.id) ? { ...lesson, ...definedFields(changes) } : lesson,
    )
    return { ...module, lessons }
  })
}

export const changeModuleInOutline = (
  modules: readonly OutlineModule[],
  id: string,
  change: ModuleChange,
): OutlineModule[] => modules.map((module) => (module.id === id ? { ...module, ...definedFields(change) } : module))

export const removeLessons = (modules: readonly OutlineModule[], ids: readonly string[]): OutlineModule[] =>
  modules.map((module) =>
    module.lessons.some(({ id }) => ids.includes(id))
      ? { ...module, lessons: module.lessons.filter(({ id }) => !ids.includes(id)) }
      : module,
  )

/** Splits typed or pasted text into titles; list markers are removed. */
export function parseTitles(typed: string): string[] {
  return typed
    .split(/\r?\n/)
    .map((line) => line.replace(/^\s*([-*•–]|\d+[.)])\s+/, '').trim())
    .filter((line) => line !== '')
    .map((line) => line.slice(0, 160))
}

/** The insertion point: `beforeId`, or if it is moved too, the next lesson that stays. */
function nextStaying(
  lessons: readonly OutlineLesson[],
  ids: readonly string[],
  beforeId: string | null,
): string | null {
  if (beforeId === null || !ids.includes(beforeId)) return beforeId
  const index = lessons.findIndex(({ id }) => id === beforeId)
  return lessons.slice(index).find(({ id }) => !ids.includes(id))?.id ?? null
}
