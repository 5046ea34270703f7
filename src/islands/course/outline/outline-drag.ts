import { draggable, dropTargetForElements, monitorForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { setCustomNativeDragPreview } from '@atlaskit/pragmatic-drag-and-drop/element/set-custom-native-drag-preview'
import { attachClosestEdge, type Edge, extractClosestEdge } from '@atlaskit/pragmatic-drag-and-drop-hitbox/closest-edge'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import type { OutlineStore } from './outline-store.ts'
import { lessonsOf } from './outline-view.ts'

interface DragContext {
  store: OutlineStore
  t: Translate
  selectedIds: () => ReadonlySet<string>
}

type Data = Record<string | symbol, unknown>

/** Makes rows and modules draggable, including rows added later. Returns a function that stops it. */
export function bindDrag(root: HTMLElement, context: DragContext): () => void {
  const bound = new Map<HTMLElement, () => void>()
  const bindElements = () => {
    for (const [element, end] of bound) {
      if (root.contains(element)) continue
      end()
      bound.delete(element)
    }
    for (const element of root.querySelectorAll<HTMLElement>('[data-lesson], [data-module]')) {
      if (!bound.has(element))
        bound.set(element, element.dataset.lesson ? bindRow(element, context) : bindModule(element))
    }
  }
  bindElements()
  const observer = new MutationObserver(bindElements)
  observer.observe(root, { childList: true, subtree: true })
  const stop = monitorForElements({
    canMonitor: ({ source }) => root.contains(source.element),
    onDrop: ({ source, location }) => {
      const target = location.current.dropTargets[0]
      if (target) dropItem(context.store, source.data, target.data, extractClosestEdge(target.data))
    },
  })
  return () => {
    observer.disconnect()
    stop()
    for (const end of bound.values()) end()
  }
}

function dropItem({ $modules, place, placeModule }: OutlineStore, source: Data, target: Data, edge: Edge | null): void {
  const modules = $modules.get()
  const module = modules.find(({ id }) => id === target.moduleId)
  if (!module) return
  const after = edge === 'bottom'
  if (typeof source.module === 'string') {
    const next = after ? modules[modules.indexOf(module) + 1] : module
    placeModule(source.module, next?.id ?? null)
    return
  }
  const ids = Array.isArray(source.lessons) ? source.lessons.map(String) : []
  const index = module.lessons.findIndex(({ id }) => id === target.lessonId)
  const end = after ? null : module.lessons[0]
  const next = index < 0 ? end : module.lessons[after ? index + 1 : index]
  place(ids, module.id, next?.id ?? null)
}

function bindRow(element: HTMLElement, { store, t, selectedIds }: DragContext): () => void {
  const id = element.dataset.lesson ?? ''
  const draggedIds = () => {
    const selected = selectedIds()
    return selected.has(id)
      ? lessonsOf(store.$modules.get()).flatMap((lesson) => (selected.has(lesson.id) ? [lesson.id] : []))
      : [id]
  }
  const cleanups = [
    draggable({
      element,
      canDrag: () => !element.querySelector('input:not([type=checkbox])'),
      getInitialData: () => ({ lessons: draggedIds() }),
      onGenerateDragPreview: ({ nativeSetDragImage }) => {
        const count = draggedIds().length
        if (count < 2) return
        setCustomNativeDragPreview({
          nativeSetDragImage,
          render: ({ container }) => {
            container.className = 'floating px-4 py-2'
            container.textContent = t('outline:chosen', { count })
          },
        })
      },
      onDragStart: () => setDragState(element, 'leaving', ''),
      onDrop: () => setDragState(element, 'leaving', null),
    }),
    bindDropTarget(
      element,
      (source) => Array.isArray(source.lessons),
      () => {
        return { lessonId: id, moduleId: element.closest<HTMLElement>('[data-module]')?.dataset.module }
      },
    ),
  ]
  return () => {
    for (const end of cleanups) end()
  }
}

function bindModule(element: HTMLElement): () => void {
  const moduleId = element.dataset.module
  const handle = element.querySelector('[data-handle]')
  const cleanups = [
    draggable({
      element,
      ...(handle ? { dragHandle: handle } : {}),
      canDrag: () => !element.querySelector('[data-handle] input'),
      getInitialData: () => ({ module: moduleId }),
      onDragStart: () => setDragState(element, 'leaving', ''),
      onDrop: () => setDragState(element, 'leaving', null),
    }),
    bindDropTarget(
      element,
      () => true,
      () => ({ moduleId }),
    ),
  ]
  return () => {
    for (const end of cleanups) end()
  }
}

/** Shows the insertion edge; of nested drop targets only the innermost one. */
function bindDropTarget(
  element: HTMLElement,
  accepts: (source: Data) => boolean,
  getTargetData: () => Data,
): () => void {
  return dropTargetForElements({
    element,
    canDrop: ({ source }) => accepts(source.data) && source.element !== element,
    getData: ({ input }) => attachClosestEdge(getTargetData(), { element, input, allowedEdges: ['top', 'bottom'] }),
    onDrag: ({ location, self }) => {
      const innermost = location.current.dropTargets[0]?.element === element
      setDragState(element, 'edge', innermost ? extractClosestEdge(self.data) : null)
    },
    onDragLeave: () => setDragState(element, 'edge', null),
    onDrop: () => setDragState(element, 'edge', null),
  })
}

function setDragState(element: HTMLElement, name: 'edge' | 'leaving', value: string | null): void {
  if (value === null) delete element.dataset[name]
  else element.dataset[name] = value
}
