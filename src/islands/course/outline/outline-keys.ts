import type { Choice } from '../use-choice.ts'
import type { ActKit } from './outline-acts.ts'

type OpenMenu = (lessonId: string, anchor: Element) => void

/** What a key does to the row that has the focus. Fields keep their own keys. */
export function keyAct(event: KeyboardEvent, kit: ActKit, choice: Choice, openMenu: OpenMenu): void {
  const target = event.target instanceof HTMLElement ? event.target : null
  if (!target || target.matches('textarea, select, input:not([type=checkbox])') || event.isComposing) return
  const row = target.closest<HTMLElement>('[data-lesson], [data-module]')
  const lessonId = row?.dataset.lesson ?? null
  const moduleId = lessonId ? null : (row?.dataset.module ?? null)
  const done = lessonId || moduleId ? onRow({ event, kit, choice, openMenu, lessonId, moduleId, target }) : false
  if (done || onAll(event, kit, choice)) event.preventDefault()
}

interface Pressed {
  event: KeyboardEvent
  kit: ActKit
  choice: Choice
  openMenu: OpenMenu
  lessonId: string | null
  moduleId: string | null
  target: HTMLElement
}

function onRow({ event, kit, choice, openMenu, lessonId, moduleId, target }: Pressed): boolean {
  const { store } = kit
  const { key, altKey, shiftKey, ctrlKey, metaKey } = event
  const by = key === 'ArrowUp' ? -1 : key === 'ArrowDown' ? 1 : null
  const meant = lessonId && choice.chosen.has(lessonId) ? choice.list() : lessonId ? [lessonId] : []
  if (by && altKey) {
    if (lessonId) store.step(meant, by)
    else if (moduleId) store.stepModule(moduleId, by)
    kit.focus(lessonId ?? moduleId ?? '')
    return true
  }
  if (by) return walk(target, by, shiftKey && lessonId ? choice : null)
  if (ctrlKey || metaKey || altKey) return false
  const stop = target.matches('[data-stop]')
  switch (key) {
    case ' ':
      if (!lessonId || !stop) return false
      choice.turn(lessonId, shiftKey)
      return true
    case 'F2':
      kit.setRenaming(lessonId ?? moduleId)
      return true
    case 'Delete':
      kit.focus(nextTo(target, meant))
      if (lessonId) void store.remove(meant)
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

function onAll(event: KeyboardEvent, { store }: ActKit, choice: Choice): boolean {
  const ctrl = event.ctrlKey || event.metaKey
  if (event.key === 'Escape' && choice.chosen.size > 0) {
    choice.clear()
    return true
  }
  if (!ctrl || event.shiftKey || event.altKey) return false
  if (event.code === 'KeyA') {
    choice.set(choice.ids)
    return true
  }
  if (event.code !== 'KeyZ') return false
  store.undo()
  return true
}

/** The row that is there when this one and all that go with it are gone. */
function nextTo(target: HTMLElement, going: readonly string[]): string {
  const rows = [...(target.closest('[data-outline]')?.querySelectorAll<HTMLElement>('[data-lesson]') ?? [])]
  const stays = ({ dataset }: HTMLElement) => !going.includes(dataset.lesson ?? '')
  const at = rows.findIndex((row) => row.contains(target))
  const next = rows.slice(at + 1).find(stays) ?? rows.slice(0, Math.max(0, at)).findLast(stays)
  return next?.dataset.lesson ?? ''
}

/** The focus goes to the next row that can be seen; with Shift both rows are chosen. */
function walk(target: HTMLElement, by: -1 | 1, choice: Choice | null): boolean {
  const stops = [...(target.closest('[data-outline]')?.querySelectorAll<HTMLElement>('[data-stop]') ?? [])].filter(
    (one) => one.offsetParent !== null,
  )
  const here = target.closest('.outline-row, .outline-head')
  const at = stops.findIndex((one) => here?.contains(one))
  const next = stops[at + by]
  if (!next) return false
  next.focus()
  const [from, to] = [stops[at], next].map((one) => one?.closest<HTMLElement>('[data-lesson]')?.dataset.lesson)
  if (choice && from && to) {
    if (!choice.chosen.has(from)) choice.turn(from, false)
    choice.turn(to, choice.chosen.has(from) || choice.chosen.size === 0)
  }
  return true
}
