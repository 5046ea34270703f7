import '../room.css'
import './stage.css'
import { useStore } from '@nanostores/react'
import { useEffect, useLayoutEffect, useMemo, useRef } from 'react'
import { asIsland } from '#islands/mount/as-island.ts'
import { actOfKey, isTaken } from '../bar-keys.ts'
import { perform } from '../bar-state.ts'
import { $chat, joinChat } from '../chat/chat.ts'
import type { RoomProps } from '../Room.tsx'
import { $online, $state, openRoom } from '../room.ts'
import { useNow } from '../use-now.ts'
import { SlidePage } from './StageSlides.tsx'
import { $page, $slides, loadSlides } from './stage-slides.ts'
import { clockOf } from './stage-view.ts'
import { useWords, WordsContext, wordsOf } from './stage-words.ts'

export default asIsland('presenter', Presenter)

/** A second screen for whoever speaks: this slide and the next, the time, who is there, what they ask. Nothing plays. */
function Presenter({ view, strings, locale }: RoomProps) {
  const words = useMemo(() => wordsOf(strings, locale), [strings, locale])
  const { say } = words
  const state = useStore($state) ?? view.state
  const online = useStore($online) ?? view.online
  const clock = useNow(view)
  useLayoutEffect(() => {
    const ends = [openRoom(view), joinChat(view)]
    return () => {
      for (const end of ends) end()
    }
  }, [view])
  useEffect(() => loadSlides(view), [view])
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const act = isTaken(event.target) ? null : actOfKey(event, 'staff')
      if (act !== 'next' && act !== 'previous' && typeof act !== 'object') return
      if (!act) return
      event.preventDefault()
      perform(act, view)
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [view])
  const since = state.startedAt
  return (
    <WordsContext value={words}>
      <div className="presenter" data-presenter={view.sessionId}>
        <h1 className="sr-only">{say('stage:presenter.title', { title: view.workshop.title })}</h1>
        <section className="grid content-start gap-4">
          <Page title={say('stage:presenter.now')} ahead={0} />
          <Page title={say('stage:presenter.next')} ahead={1} />
        </section>
        <section className="grid content-start gap-6">
          <p className="flex flex-wrap gap-x-10 gap-y-2">
            <span>
              {say('stage:presenter.time')}
              <span className="tabular block text-4xl font-semibold" data-clock="">
                {since === null ? '0:00' : clockOf((clock - since) / 1000)}
              </span>
              {say('stage:presenter.planned', { count: view.workshop.plannedMinutes })}
            </span>
            <span>
              {say('stage:presenter.viewers')}
              <span className="tabular block text-4xl font-semibold" data-online="">
                {online}
              </span>
            </span>
          </p>
          <Questions />
        </section>
      </div>
    </WordsContext>
  )
}

function Page({ title, ahead }: { title: string; ahead: number }) {
  const place = useRef<HTMLDivElement>(null)
  const { slides } = useStore($slides)
  const page = useStore($page) + ahead
  const { say } = useWords()
  const over = slides !== null && page > slides.pages
  return (
    <div>
      <h2 className="mb-1 text-sm">{title}</h2>
      <div className="presenter-slide" data-now={ahead === 0 ? '' : undefined} ref={place}>
        {slides && !over && (
          <SlidePage place={place} page={page} label={say('stage:slides.page', { page, pages: slides.pages })} />
        )}
        {over && <p>{say('stage:presenter.last')}</p>}
        {!slides && <p>{say('stage:slides.none')}</p>}
      </div>
    </div>
  )
}

const SHOWN = 6

function Questions() {
  const { say } = useWords()
  const questions = useStore($chat)
    .question.filter(({ state }) => state !== 'deleted')
    .slice(-SHOWN)
    .toReversed()
  return (
    <div>
      <h2 className="mb-2 text-lg font-semibold">{say('stage:presenter.questions')}</h2>
      {questions.length === 0 && <p>{say('stage:presenter.noQuestions')}</p>}
      <ul className="grid gap-2">
        {questions.map((one) => (
          <li key={one.messageId} className="rounded-box bg-[oklch(97%_0.004_90/0.1)] p-3">
            <p className="text-sm">{one.name}</p>
            <p className="text-lg">{one.text}</p>
          </li>
        ))}
      </ul>
    </div>
  )
}
