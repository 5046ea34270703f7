import type { MenuAction } from '#islands/ui/ActionMenu.tsx'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import type { OutlineDialogRequest } from './outline-dialog.ts'
import type { OutlineStore } from './outline-store.ts'
import { lessonsOf } from './outline-view.ts'

export interface ActionContext {
  store: OutlineStore
  t: Translate
  courseId: string
  openDialog: (question: OutlineDialogRequest) => void
  setRenaming: (id: string | null) => void
  select: (ids: readonly string[]) => void
  focus: (id: string) => void
}

/** Actions on one or several lessons. */
export function lessonActions(context: ActionContext, ids: string[]): MenuAction[] {
  const { store, t, openDialog, setRenaming } = context
  const [id] = ids
  const singleActions: MenuAction[] =
    ids.length === 1 && id
      ? [
          { key: 'rename', label: t('outline:act.rename'), keys: 'F2', run: () => setRenaming(id) },
          { key: 'settings', label: t('outline:act.settings'), run: () => openDialog({ kind: 'lesson', id }) },
        ]
      : []
  return [
    ...singleActions,
    ...outlineSelectionActions(context, ids).filter(({ key }) => key !== 'delete'),
    { key: 'up', label: t('outline:act.up'), keys: 'Alt ↑', run: () => store.step(ids, -1) },
    { key: 'down', label: t('outline:act.down'), keys: 'Alt ↓', run: () => store.step(ids, 1) },
    deleteAction(context, ids),
  ]
}

/** Actions on all selected lessons. */
export function outlineSelectionActions(context: ActionContext, ids: string[]): MenuAction[] {
  const { store, t, openDialog } = context
  const lessons = lessonsOf(store.$modules.get()).filter(({ id }) => ids.includes(id))
  const variables = { count: ids.length }
  const hide = {
    key: 'hide',
    label: t('outline:act.hide'),
    run: () => void store.change(ids, { hidden: true }, t('outline:notice.hidden', variables)),
  }
  const show = {
    key: 'show',
    label: t('outline:act.show'),
    run: () => void store.change(ids, { hidden: false }, t('outline:notice.shown', variables)),
  }
  const unpublished = lessons.some(({ state, hidden }) => state !== 'published' || hidden)
  return [
    ...(unpublished ? [{ key: 'publish', label: t('outline:act.publish'), run: () => void store.publish(ids) }] : []),
    ...(lessons.some(({ hidden }) => !hidden) ? [hide] : []),
    ...(lessons.some(({ hidden }) => hidden) ? [show] : []),
    { key: 'rule', label: t('outline:act.rule'), run: () => openDialog({ kind: 'rule', ids }) },
    { key: 'move', label: t('outline:act.move'), run: () => openDialog({ kind: 'move', ids }) },
    { key: 'duplicate', label: t('outline:act.duplicate'), run: () => void store.duplicate(ids) },
    deleteAction(context, ids),
  ]
}

/** Actions on a module. */
export function moduleActions(context: ActionContext, id: string): MenuAction[] {
  const { store, t, openDialog, setRenaming, select } = context
  const module = store.$modules.get().find((item) => item.id === id)
  const ids = module?.lessons.map((lesson) => lesson.id) ?? []
  const hidden = !module?.hidden
  const title = module?.title ?? ''
  const lessonActions: MenuAction[] =
    ids.length > 0
      ? [
          { key: 'choose', label: t('outline:act.chooseAll'), run: () => select(ids) },
          { key: 'publish', label: t('outline:act.publishAll'), run: () => void store.publish(ids) },
        ]
      : []
  return [
    { key: 'rename', label: t('outline:act.rename'), keys: 'F2', run: () => setRenaming(id) },
    { key: 'settings', label: t('outline:act.moduleSettings'), run: () => openDialog({ kind: 'module', id }) },
    ...lessonActions,
    {
      key: 'hide',
      label: t(hidden ? 'outline:act.hide' : 'outline:act.show'),
      run: () =>
        void store.changeModule(
          id,
          { hidden },
          t(hidden ? 'outline:notice.hiddenModule' : 'outline:notice.shownModule', { title }),
        ),
    },
    { key: 'up', label: t('outline:act.up'), keys: 'Alt ↑', run: () => store.stepModule(id, -1) },
    { key: 'down', label: t('outline:act.down'), keys: 'Alt ↓', run: () => store.stepModule(id, 1) },
    { key: 'duplicate', label: t('outline:act.duplicate'), run: () => void store.duplicateModule(id) },
    {
      key: 'delete',
      label: t('outline:act.deleteModule'),
      keys: 'Delete',
      danger: true,
      run: () => void store.removeModule(id),
    },
  ]
}

/** Actions on the course. */
export function courseActions({ t, courseId, openDialog }: ActionContext): MenuAction[] {
  return [
    { key: 'copy', label: t('outline:act.copyCourse'), run: () => openDialog({ kind: 'copy' }) },
    { key: 'run', label: t('outline:act.newCohort'), run: () => openDialog({ kind: 'run' }) },
    { key: 'trash', label: t('outline:act.trash'), href: `/course/edit/${courseId}?tab=trash` },
  ]
}

const deleteAction = ({ store, t }: ActionContext, ids: string[]): MenuAction => ({
  key: 'delete',
  label: t('outline:act.delete'),
  keys: 'Delete',
  danger: true,
  run: () => void store.remove(ids),
})
