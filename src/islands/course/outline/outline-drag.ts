import { draggable, dropTargetForElements, monitorForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { setCustomNativeDragPreview } from '@atlaskit/pragmatic-drag-and-drop/element/set-custom-native-drag-preview'
import { attachClosestEdge, type Edge, extractClosestEdge } from '@atlaskit/pragmatic-drag-and-drop-hitbox/closest-edge'
import type { Say } from '#lib/core/shared/text/strings.ts'
import type { OutlineStore } from './outline-store.ts'
import { lessonsOf } from './outline-view.ts'

interface Desk {
  store: OutlineStore
  say: Say
  chosen: () => ReadonlySet<string>
}

type Data = Record<string | symbol, unknown>

/** Lets rows and modules of an outline be dragged; rows that come later too. Answers how to stop. */
export function bindDrag(root: HTMLElement, desk: Desk): () => void {
  const bound = new Map<HTMLElement, () => void>()
  const look = () => {
    for (const [element, end] of bound) {
      if (root.contains(element)) continue
      end()
      bound.delete(element)
    }
    for (const element of root.querySelectorAll<HTMLElement>('[data-lesson], [data-module]')) {
      if (!bound.has(element)) bound.set(element, element.dataset.lesson ? bindRow(element, desk) : bindModule(element))
    }
  }
  look()
  const watch = new MutationObserver(look)
  watch.observe(root, { childList: true, subtree: true })
  const stop = monitorForElements({
    canMonitor: ({ source }) => root.contains(source.element),
    onDrop: ({ source, location }) => {
      const target = location.current.dropTargets[0]
      if (target) drop(desk.store, source.data, target.data, extractClosestEdge(target.data))
    },
  })
  return () => {
    watch.disconnect()
    stop()
    for (const end of bound.values()) end()
  }
}

function drop({ $modules, place, placeModule }: OutlineStore, what: Data, where: Data, edge: Edge | null): void {
  const modules = $modules.get()
  const module = modules.find(({ id }) => id === where.moduleId)
  if (!module) return
  const after = edge === 'bottom'
  if (typeof what.module === 'string') {
    const next = after ? modules[modules.indexOf(module) + 1] : module
    placeModule(what.module, next?.id ?? null)
    return
  }
  const ids = Array.isArray(what.lessons) ? what.lessons.map(String) : []
  const at = module.lessons.findIndex(({ id }) => id === where.lessonId)
  const end = after ? null : module.lessons[0]
  const next = at < 0 ? end : module.lessons[after ? at + 1 : at]
  place(ids, module.id, next?.id ?? null)
}

function bindRow(element: HTMLElement, { store, say, chosen }: Desk): () => void {
  const id = element.dataset.lesson ?? ''
  const taken = () => {
    const some = chosen()
    return some.has(id) ? lessonsOf(store.$modules.get()).flatMap((one) => (some.has(one.id) ? [one.id] : [])) : [id]
  }
  const ends = [
    draggable({
      element,
      canDrag: () => !element.querySelector('input:not([type=checkbox])'),
      getInitialData: () => ({ lessons: taken() }),
      onGenerateDragPreview: ({ nativeSetDragImage }) => {
        const count = taken().length
        if (count < 2) return
        setCustomNativeDragPreview({
          nativeSetDragImage,
          render: ({ container }) => {
            container.className = 'floating px-4 py-2'
            container.textContent = say('outline:chosen', { count })
          },
        })
      },
      onDragStart: () => mark(element, 'leaving', ''),
      onDrop: () => mark(element, 'leaving', null),
    }),
    target(
      element,
      (source) => Array.isArray(source.lessons),
      () => {
        return { lessonId: id, moduleId: element.closest<HTMLElement>('[data-module]')?.dataset.module }
      },
    ),
  ]
  return () => {
    for (const end of ends) end()
  }
}

function bindModule(element: HTMLElement): () => void {
  const moduleId = element.dataset.module
  const handle = element.querySelector('[data-handle]')
  const ends = [
    draggable({
      element,
      ...(handle ? { dragHandle: handle } : {}),
      canDrag: () => !element.querySelector('[data-handle] input'),
      getInitialData: () => ({ module: moduleId }),
      onDragStart: () => mark(element, 'leaving', ''),
      onDrop: () => mark(element, 'leaving', null),
    }),
    target(
      element,
      () => true,
      () => ({ moduleId }),
    ),
  ]
  return () => {
    for (const end of ends) end()
  }
}

/** A line shows on which side of the row it would come to stand; of nested places only the innermost shows one. */
function target(element: HTMLElement, takes: (source: Data) => boolean, about: () => Data): () => void {
  return dropTargetForElements({
    element,
    canDrop: ({ source }) => takes(source.data) && source.element !== element,
    getData: ({ input }) => attachClosestEdge(about(), { element, input, allowedEdges: ['top', 'bottom'] }),
    onDrag: ({ location, self }) => {
      const innermost = location.current.dropTargets[0]?.element === element
      mark(element, 'edge', innermost ? extractClosestEdge(self.data) : null)
    },
    onDragLeave: () => mark(element, 'edge', null),
    onDrop: () => mark(element, 'edge', null),
  })
}

function mark(element: HTMLElement, name: 'edge' | 'leaving', value: string | null): void {
  if (value === null) delete element.dataset[name]
  else element.dataset[name] = value
}
