import { useStore } from '@nanostores/react'
import { lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react'
import { asIsland } from '#islands/mount/as-island.ts'
import type { MenuAction } from '#islands/ui/ActionMenu.tsx'
import { SelectionBar } from '#islands/ui/SelectionBar.tsx'
import { useHydrated } from '#islands/ui/use-hydrated.ts'
import { createTranslator } from '#lib/core/shared/text/strings.ts'
import { useLessonSelection } from '../use-lesson-selection.ts'
import { OutlineList } from './OutlineList.tsx'
import { courseActions, lessonActions, moduleActions, outlineSelectionActions } from './outline-actions.ts'
import type { OutlineDialogRequest } from './outline-dialog.ts'
import type { OutlineHandlers } from './outline-handlers.ts'
import { handleKey } from './outline-keys.ts'
import { createOutline } from './outline-store.ts'
import { lessonsOf, type OutlineProps } from './outline-view.ts'
import { useOutlineDrag } from './use-outline-drag.ts'
import { useCollapsed, useRovingFocus } from './use-roving-focus.ts'

const ActionMenu = lazy(() => import('#islands/ui/ActionMenu.tsx'))
const OutlineWindows = lazy(() => import('./OutlineDialogs.tsx'))

interface OutlineMenu {
  anchor: Element | { x: number; y: number }
  actions: MenuAction[]
}

const NO_IDS: ReadonlySet<string> = new Set()

/** The outline of a course: links and forms as the server renders it, interactive when it is hydrated. */
export default asIsland('outline', OutlineEditor)

function OutlineEditor(props: OutlineProps) {
  const { courseId, strings, locale, zone, edits } = props
  const context = useMemo(() => ({ t: createTranslator(strings, locale), zone, locale }), [strings, locale, zone])
  // The store lives as long as the page; the props never change.
  const [store] = useState(() => createOutline(props, context.t))
  const modules = useStore(store.$modules)
  const isHydrated = useHydrated()
  const lessons = lessonsOf(modules)
  const container = useRef<HTMLDivElement>(null)
  const [menu, setMenu] = useState<OutlineMenu | null>(null)
  const [dialog, setDialog] = useState<OutlineDialogRequest | null>(null)
  const [renaming, setRenaming] = useState<string | null>(null)
  const { folded, turn: onFold } = useCollapsed(courseId)
  const selection = useLessonSelection(lessons.map(({ id }) => id))
  const focus = useRovingFocus(container)

  const { t } = context
  const actionContext = {
    store,
    t,
    courseId,
    openDialog: setDialog,
    setRenaming,
    select: selection.set,
    focus: focus.focusRow,
  }
  const latest = useRef({ actionContext, selection, edits })
  latest.current = { actionContext, selection, edits }
  useEffect(() => store.open(), [store])
  useOutlineDrag(container, edits, store, () => latest.current.selection.chosen, t)

  const handlers = useMemo<OutlineHandlers>(() => {
    /** The row, or the whole selection if it contains the row. */
    const targetIds = (id: string) => {
      const { chosen, ids } = latest.current.selection
      return chosen.has(id) && chosen.size > 1 ? ids.filter((lessonId) => chosen.has(lessonId)) : [id]
    }
    return {
      onChoose: (id, how) => latest.current.selection.turn(id, how.range),
      onOpen: (id, shift) => {
        if (!shift || !latest.current.edits) return false
        latest.current.selection.turn(id, true)
        return true
      },
      onMenu: (kind, id, anchor) => {
        const { actionContext: current } = latest.current
        const actions =
          kind === 'course'
            ? courseActions(current)
            : kind === 'module'
              ? moduleActions(current, id)
              : lessonActions(current, targetIds(id))
        setMenu({ anchor, actions })
      },
      onRenamed: (kind, id, title) => {
        if (title === '') return setRenaming(id)
        setRenaming(null)
        latest.current.actionContext.focus(id)
        if (title === null) return
        if (kind === 'lesson') void store.rename(id, title)
        else void store.changeModule(id, { title }, t('outline:notice.renamed', { title }))
      },
      onFold,
      onAdd: store.add,
      onAddModule: store.addModule,
    }
  }, [store, t, onFold])

  useEffect(() => {
    const root = container.current
    const onKeyDown = (event: KeyboardEvent) => {
      const { actionContext: current, selection: chosen } = latest.current
      if (edits) handleKey(event, current, chosen, (id, anchor) => handlers.onMenu('lesson', id, anchor))
    }
    root?.addEventListener('keydown', onKeyDown)
    return () => root?.removeEventListener('keydown', onKeyDown)
  }, [edits, handlers])

  return (
    <div ref={container}>
      <OutlineList
        {...props}
        modules={modules}
        context={context}
        handlers={isHydrated ? handlers : null}
        folded={isHydrated ? folded : NO_IDS}
        renaming={renaming}
        selected={selection.chosen}
      />
      {selection.chosen.size > 0 && (
        <SelectionBar
          place="outline-selection"
          label={t('outline:chosenActs')}
          summary={t('outline:chosen', { count: selection.chosen.size })}
          actions={outlineSelectionActions(actionContext, selection.list())}
          clearLabel={t('outline:clear')}
          onClear={selection.clear}
        />
      )}
      <Suspense>
        {menu && <ActionMenu {...menu} label={t('outline:acts')} onClose={() => setMenu(null)} />}
        {dialog && (
          <OutlineWindows
            dialog={dialog}
            context={context}
            store={store}
            modules={modules}
            courseId={courseId}
            title={props.title}
            onClose={() => setDialog(null)}
          />
        )}
      </Suspense>
    </div>
  )
}
