import type { LessonSelection } from '../use-lesson-selection.ts'
import type { ActionContext } from './outline-actions.ts'

type OpenMenu = (lessonId: string, anchor: Element) => void

/** Handles a key for the focused row. Input fields keep their keys. */
export function handleKey(
  event: KeyboardEvent,
  context: ActionContext,
  selection: LessonSelection,
  openMenu: OpenMenu,
): void {
  const target = event.target instanceof HTMLElement ? event.target : null
  if (!target || target.matches('textarea, select, input:not([type=checkbox])') || event.isComposing) return
  const row = target.closest<HTMLElement>('[data-lesson], [data-module]')
  const lessonId = row?.dataset.lesson ?? null
  const moduleId = lessonId ? null : (row?.dataset.module ?? null)
  const isHandled =
    lessonId || moduleId ? handleRowKey({ event, context, selection, openMenu, lessonId, moduleId, target }) : false
  if (isHandled || handleGlobalKey(event, context, selection)) event.preventDefault()
}

interface RowKeyPress {
  event: KeyboardEvent
  context: ActionContext
  selection: LessonSelection
  openMenu: OpenMenu
  lessonId: string | null
  moduleId: string | null
  target: HTMLElement
}

function handleRowKey({ event, context, selection, openMenu, lessonId, moduleId, target }: RowKeyPress): boolean {
  const { store } = context
  const { key, altKey, shiftKey, ctrlKey, metaKey } = event
  const direction = key === 'ArrowUp' ? -1 : key === 'ArrowDown' ? 1 : null
  const targetIds = lessonId && selection.chosen.has(lessonId) ? selection.list() : lessonId ? [lessonId] : []
  if (direction && altKey) {
    if (lessonId) store.step(targetIds, direction)
    else if (moduleId) store.stepModule(moduleId, direction)
    context.focus(lessonId ?? moduleId ?? '')
    return true
  }
  if (direction) return moveFocus(target, direction, shiftKey && lessonId ? selection : null)
  if (ctrlKey || metaKey || altKey) return false
  const stop = target.matches('[data-stop]')
  switch (key) {
    case ' ':
      if (!lessonId || !stop) return false
      selection.turn(lessonId, shiftKey)
      return true
    case 'F2':
      context.setRenaming(lessonId ?? moduleId)
      return true
    case 'Delete':
      context.focus(nextRowId(target, targetIds))
      if (lessonId) void store.remove(targetIds)
      else if (moduleId) void store.removeModule(moduleId)
      return true
    case 'ContextMenu':
      if (!lessonId) return false
      openMenu(lessonId, target)
      return true
    case 'F10':
      if (!shiftKey || !lessonId) return false
      openMenu(lessonId, target)
      return true
    default:
      return false
  }
}

function handleGlobalKey(event: KeyboardEvent, { store }: ActionContext, selection: LessonSelection): boolean {
  const ctrl = event.ctrlKey || event.metaKey
  if (event.key === 'Escape' && selection.chosen.size > 0) {
    selection.clear()
    return true
  }
  if (!ctrl || event.shiftKey || event.altKey) return false
  if (event.code === 'KeyA') {
    selection.set(selection.ids)
    return true
  }
  if (event.code !== 'KeyZ') return false
  store.undo()
  return true
}

/** Id of the row to focus after the removal of this one and the selection. */
function nextRowId(target: HTMLElement, removedIds: readonly string[]): string {
  const rows = [...(target.closest('[data-outline]')?.querySelectorAll<HTMLElement>('[data-lesson]') ?? [])]
  const stays = ({ dataset }: HTMLElement) => !removedIds.includes(dataset.lesson ?? '')
  const index = rows.findIndex((row) => row.contains(target))
  const next = rows.slice(index + 1).find(stays) ?? rows.slice(0, Math.max(0, index)).findLast(stays)
  return next?.dataset.lesson ?? ''
}

/** Moves the focus to the next visible row; with Shift both rows are selected. */
function moveFocus(target: HTMLElement, direction: -1 | 1, selection: LessonSelection | null): boolean {
  const stops = [...(target.closest('[data-outline]')?.querySelectorAll<HTMLElement>('[data-stop]') ?? [])].filter(
    (element) => element.offsetParent !== null,
  )
  const row = target.closest('.outline-row, .outline-head')
  const index = stops.findIndex((element) => row?.contains(element))
  const next = stops[index + direction]
  if (!next) return false
  next.focus()
  const [from, to] = [stops[index], next].map(
    (element) => element?.closest<HTMLElement>('[data-lesson]')?.dataset.lesson,
  )
  if (selection && from && to) {
    if (!selection.chosen.has(from)) selection.turn(from, false)
    selection.turn(to, selection.chosen.has(from) || selection.chosen.size === 0)
  }
  return true
}
