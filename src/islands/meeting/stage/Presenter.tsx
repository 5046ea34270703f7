import { formatClock } from '#lib/core/shared/text/clock.ts'
import '../room.css'
import './stage.css'
import { useStore } from '@nanostores/react'
import { useEffect, useLayoutEffect, useMemo, useRef } from 'react'
import { asIsland } from '#islands/mount/as-island.ts'
import { commandOfKey, hasOwnShortcuts } from '../bar-shortcuts.ts'
import { runCommand } from '../bar-state.ts'
import { $chat, joinChat } from '../chat/chat.ts'
import type { RoomProps } from '../Room.tsx'
import { $onlineCount, $state, openRoom } from '../room.ts'
import { createTranslation, TranslationContext, useTranslation } from '../translation.ts'
import { useNow } from '../use-now.ts'
import { SlidePage } from './StageSlides.tsx'
import { $page, $slides, useSlides } from './stage-slides.ts'

export default asIsland('presenter', Presenter)

/** The presenter view: current and next slide, elapsed time, number of viewers and latest questions, without media. */
function Presenter({ view, strings, locale }: RoomProps) {
  const translation = useMemo(() => createTranslation(strings, locale), [strings, locale])
  const { t } = translation
  const state = useStore($state) ?? view.state
  const online = useStore($onlineCount) ?? view.online
  const now = useNow(view)
  useLayoutEffect(() => {
    const cleanups = [openRoom(view), joinChat(view)]
    return () => {
      for (const end of cleanups) end()
    }
  }, [view])
  useSlides(view)
  useEffect(() => {
    const handleKey = (event: KeyboardEvent) => {
      const command = hasOwnShortcuts(event.target) ? null : commandOfKey(event, 'staff')
      if (command !== 'next' && command !== 'previous' && typeof command !== 'object') return
      if (!command) return
      event.preventDefault()
      runCommand(command, view)
    }
    document.addEventListener('keydown', handleKey)
    return () => document.removeEventListener('keydown', handleKey)
  }, [view])
  const startedAt = state.startedAt
  return (
    <TranslationContext value={translation}>
      <div className="presenter" data-presenter={view.sessionId}>
        <h1 className="sr-only">{t('stage:presenter.title', { title: view.workshop.title })}</h1>
        <section className="grid content-start gap-4">
          <SlidePreview title={t('stage:presenter.now')} ahead={0} />
          <SlidePreview title={t('stage:presenter.next')} ahead={1} />
        </section>
        <section className="grid content-start gap-6">
          <p className="flex flex-wrap gap-x-10 gap-y-2">
            <span>
              {t('stage:presenter.time')}
              <span className="tabular block text-4xl font-semibold" data-clock="">
                {startedAt === null ? '0:00' : formatClock((now - startedAt) / 1000)}
              </span>
              {t('stage:presenter.planned', { count: view.workshop.plannedMinutes })}
            </span>
            <span>
              {t('stage:presenter.viewers')}
              <span className="tabular block text-4xl font-semibold" data-online="">
                {online}
              </span>
            </span>
          </p>
          <Questions />
        </section>
      </div>
    </TranslationContext>
  )
}

function SlidePreview({ title, ahead }: { title: string; ahead: number }) {
  const place = useRef<HTMLDivElement>(null)
  const { slides } = useStore($slides)
  const page = useStore($page) + ahead
  const { t } = useTranslation()
  const isPastEnd = slides !== null && page > slides.pageCount
  return (
    <div>
      <h2 className="mb-1 text-sm">{title}</h2>
      <div className="presenter-slide" data-now={ahead === 0 ? '' : undefined} ref={place}>
        {slides && !isPastEnd && (
          <SlidePage place={place} page={page} label={t('stage:slides.page', { page, pages: slides.pageCount })} />
        )}
        {isPastEnd && <p>{t('stage:presenter.last')}</p>}
        {!slides && <p>{t('stage:slides.none')}</p>}
      </div>
    </div>
  )
}

const MAX_QUESTIONS = 6

function Questions() {
  const { t } = useTranslation()
  const questions = useStore($chat)
    .question.filter(({ state }) => state !== 'deleted')
    .slice(-MAX_QUESTIONS)
    .toReversed()
  return (
    <div>
      <h2 className="mb-2 text-lg font-semibold">{t('stage:presenter.questions')}</h2>
      {questions.length === 0 && <p>{t('stage:presenter.noQuestions')}</p>}
      <ul className="grid gap-2">
        {questions.map((question) => (
          <li key={question.messageId} className="rounded-box bg-[oklch(97%_0.004_90/0.1)] p-3">
            <p className="text-sm">{question.name}</p>
            <p className="text-lg">{question.text}</p>
          </li>
        ))}
      </ul>
    </div>
  )
}
