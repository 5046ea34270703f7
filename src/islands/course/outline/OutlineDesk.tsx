import { useStore } from '@nanostores/react'
import { lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react'
import type { Act } from '#islands/ui/ActMenu.tsx'
import { speak } from '#lib/core/shared/text/strings.ts'
import { ChosenBar } from '../ChosenBar.tsx'
import { useChoice } from '../use-choice.ts'
import { OutlineList } from './OutlineList.tsx'
import { chosenActs, courseActs, lessonActs, moduleActs } from './outline-acts.ts'
import { keyAct } from './outline-keys.ts'
import type { OutlineLife } from './outline-life.ts'
import type { OutlineQuestion } from './outline-question.ts'
import { createOutline } from './outline-store.ts'
import { lessonsOf, type OutlineProps } from './outline-view.ts'
import { useOutlineDrag } from './use-outline-drag.ts'
import { useFolds, useRoving } from './use-roving.ts'

const ActMenu = lazy(() => import('#islands/ui/ActMenu.tsx'))
const OutlineWindows = lazy(() => import('./OutlineWindows.tsx'))

interface OpenMenu {
  anchor: Element | { x: number; y: number }
  acts: Act[]
}

/** The living outline: it takes the place of the still one that came with the page. */
export function OutlineDesk(props: OutlineProps) {
  const { courseId, strings, locale, zone, edits } = props
  const words = useMemo(() => ({ say: speak(strings, locale), zone, locale }), [strings, locale, zone])
  // The outline lives as long as the page: its props never change under it.
  const [store] = useState(() => createOutline(props, words.say))
  const modules = useStore(store.$modules)
  const lessons = lessonsOf(modules)
  const place = useRef<HTMLDivElement>(null)
  const [menu, setMenu] = useState<OpenMenu | null>(null)
  const [question, setQuestion] = useState<OutlineQuestion | null>(null)
  const [renaming, setRenaming] = useState<string | null>(null)
  const { folded, turn: onFold } = useFolds(courseId)
  const choice = useChoice(lessons.map(({ id }) => id))
  const focus = useRoving(place)

  const { say } = words
  const kit = { store, say, courseId, setQuestion, setRenaming, choose: choice.set, focus: focus.to }
  const latest = useRef({ kit, choice, edits })
  latest.current = { kit, choice, edits }
  useEffect(() => store.open(), [store])
  useOutlineDrag(place, edits, store, () => latest.current.choice.chosen, say)

  const life = useMemo<OutlineLife>(() => {
    /** One row, or all that are chosen when it is one of them. */
    const meant = (id: string) => {
      const { chosen, ids } = latest.current.choice
      return chosen.has(id) && chosen.size > 1 ? ids.filter((one) => chosen.has(one)) : [id]
    }
    return {
      onChoose: (id, how) => latest.current.choice.turn(id, how.range),
      onOpen: (id, shift) => {
        if (!shift || !latest.current.edits) return false
        latest.current.choice.turn(id, true)
        return true
      },
      onMenu: (kind, id, anchor) => {
        const { kit: now } = latest.current
        const acts =
          kind === 'course' ? courseActs(now) : kind === 'module' ? moduleActs(now, id) : lessonActs(now, meant(id))
        setMenu({ anchor, acts })
      },
      onRenamed: (kind, id, title) => {
        if (title === '') return setRenaming(id)
        setRenaming(null)
        latest.current.kit.focus(id)
        if (title === null) return
        if (kind === 'lesson') void store.rename(id, title)
        else void store.changeModule(id, { title }, say('outline:said.renamed', { title }))
      },
      onFold,
      onAdd: store.add,
      onAddModule: store.addModule,
    }
  }, [store, say, onFold])

  useEffect(() => {
    const root = place.current
    const press = (event: KeyboardEvent) => {
      const { kit: now, choice: chosen } = latest.current
      if (edits) keyAct(event, now, chosen, (id, anchor) => life.onMenu('lesson', id, anchor))
    }
    root?.addEventListener('keydown', press)
    return () => root?.removeEventListener('keydown', press)
  }, [edits, life])

  return (
    <div ref={place}>
      <OutlineList
        {...props}
        modules={modules}
        words={words}
        life={life}
        folded={folded}
        renaming={renaming}
        chosen={choice.chosen}
      />
      {choice.chosen.size > 0 && (
        <ChosenBar say={say} count={choice.chosen.size} acts={chosenActs(kit, choice.list())} onClear={choice.clear} />
      )}
      <Suspense>
        {menu && <ActMenu {...menu} label={say('outline:acts')} onClose={() => setMenu(null)} />}
        {question && (
          <OutlineWindows
            question={question}
            words={words}
            store={store}
            modules={modules}
            courseId={courseId}
            title={props.title}
            onClose={() => setQuestion(null)}
          />
        )}
      </Suspense>
    </div>
  )
}
