import type { Act } from '#islands/ui/ActMenu.tsx'
import type { Say } from '#lib/core/shared/text/strings.ts'
import type { OutlineQuestion } from './outline-question.ts'
import type { OutlineStore } from './outline-store.ts'
import { lessonsOf } from './outline-view.ts'

export interface ActKit {
  store: OutlineStore
  say: Say
  courseId: string
  setQuestion: (question: OutlineQuestion) => void
  setRenaming: (id: string | null) => void
  choose: (ids: readonly string[]) => void
  focus: (id: string) => void
}

/** What can be done with one lesson, or with several. */
export function lessonActs(kit: ActKit, ids: string[]): Act[] {
  const { store, say, setQuestion, setRenaming } = kit
  const [id] = ids
  const one: Act[] =
    ids.length === 1 && id
      ? [
          { key: 'rename', label: say('outline:act.rename'), keys: 'F2', run: () => setRenaming(id) },
          { key: 'settings', label: say('outline:act.settings'), run: () => setQuestion({ ask: 'lesson', id }) },
        ]
      : []
  return [
    ...one,
    ...chosenActs(kit, ids).filter(({ key }) => key !== 'delete'),
    { key: 'up', label: say('outline:act.up'), keys: 'Alt ↑', run: () => store.step(ids, -1) },
    { key: 'down', label: say('outline:act.down'), keys: 'Alt ↓', run: () => store.step(ids, 1) },
    removal(kit, ids),
  ]
}

/** What the bar offers for all that is chosen. */
export function chosenActs(kit: ActKit, ids: string[]): Act[] {
  const { store, say, setQuestion } = kit
  const lessons = lessonsOf(store.$modules.get()).filter(({ id }) => ids.includes(id))
  const counted = { count: ids.length }
  const hide = {
    key: 'hide',
    label: say('outline:act.hide'),
    run: () => void store.change(ids, { hidden: true }, say('outline:said.hidden', counted)),
  }
  const show = {
    key: 'show',
    label: say('outline:act.show'),
    run: () => void store.change(ids, { hidden: false }, say('outline:said.shown', counted)),
  }
  const unpublished = lessons.some(({ state, hidden }) => state !== 'published' || hidden)
  return [
    ...(unpublished ? [{ key: 'publish', label: say('outline:act.publish'), run: () => void store.publish(ids) }] : []),
    ...(lessons.some(({ hidden }) => !hidden) ? [hide] : []),
    ...(lessons.some(({ hidden }) => hidden) ? [show] : []),
    { key: 'rule', label: say('outline:act.rule'), run: () => setQuestion({ ask: 'rule', ids }) },
    { key: 'move', label: say('outline:act.move'), run: () => setQuestion({ ask: 'move', ids }) },
    { key: 'duplicate', label: say('outline:act.duplicate'), run: () => void store.duplicate(ids) },
    removal(kit, ids),
  ]
}

/** What can be done with a module. */
export function moduleActs(kit: ActKit, id: string): Act[] {
  const { store, say, setQuestion, setRenaming, choose } = kit
  const module = store.$modules.get().find((one) => one.id === id)
  const ids = module?.lessons.map((lesson) => lesson.id) ?? []
  const hidden = !module?.hidden
  const title = module?.title ?? ''
  const full: Act[] =
    ids.length > 0
      ? [
          { key: 'choose', label: say('outline:act.chooseAll'), run: () => choose(ids) },
          { key: 'publish', label: say('outline:act.publishAll'), run: () => void store.publish(ids) },
        ]
      : []
  return [
    { key: 'rename', label: say('outline:act.rename'), keys: 'F2', run: () => setRenaming(id) },
    { key: 'settings', label: say('outline:act.moduleSettings'), run: () => setQuestion({ ask: 'module', id }) },
    ...full,
    {
      key: 'hide',
      label: say(hidden ? 'outline:act.hide' : 'outline:act.show'),
      run: () =>
        void store.changeModule(
          id,
          { hidden },
          say(hidden ? 'outline:said.hiddenModule' : 'outline:said.shownModule', { title }),
        ),
    },
    { key: 'up', label: say('outline:act.up'), keys: 'Alt ↑', run: () => store.stepModule(id, -1) },
    { key: 'down', label: say('outline:act.down'), keys: 'Alt ↓', run: () => store.stepModule(id, 1) },
    { key: 'duplicate', label: say('outline:act.duplicate'), run: () => void store.duplicateModule(id) },
    {
      key: 'delete',
      label: say('outline:act.deleteModule'),
      keys: 'Delete',
      danger: true,
      run: () => void store.removeModule(id),
    },
  ]
}

/** What can be done with the course as a whole. */
export function courseActs({ say, courseId, setQuestion }: ActKit): Act[] {
  return [
    { key: 'copy', label: say('outline:act.copyCourse'), run: () => setQuestion({ ask: 'copy' }) },
    { key: 'run', label: say('outline:act.newRun'), run: () => setQuestion({ ask: 'run' }) },
    { key: 'trash', label: say('outline:act.trash'), href: `/course/edit/${courseId}?tab=trash` },
  ]
}

const removal = ({ store, say }: ActKit, ids: string[]): Act => ({
  key: 'delete',
  label: say('outline:act.delete'),
  keys: 'Delete',
  danger: true,
  run: () => void store.remove(ids),
})
