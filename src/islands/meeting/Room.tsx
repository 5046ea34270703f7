import './room.css'
import './stage.css'
import { useStore } from '@nanostores/react'
import { useEffect, useLayoutEffect, useMemo, useRef } from 'react'
import type { Locale } from '#lib/core/shared/locale.ts'
import type { Strings } from '#lib/core/shared/strings.ts'
import type { RoomView } from '#lib/meeting/room-schema.ts'
import { hasRight } from '#lib/workshop/rules.ts'
import { ButtonBar } from './ButtonBar.tsx'
import { actOfKey, isTaken, type KeySet } from './bar-keys.ts'
import { $drawer, $panel, perform } from './bar-state.ts'
import { limitPath } from './leave.ts'
import { PollCard } from './PollCard.tsx'
import { RoomBar } from './RoomBar.tsx'
import { RoomCheck } from './RoomCheck.tsx'
import { RoomDialogs } from './RoomDialogs.tsx'
import { RoomDrawer } from './RoomDrawer.tsx'
import { RoomHead } from './RoomHead.tsx'
import { $out, $state, openRoom } from './room.ts'
import { SidePanel } from './SidePanel.tsx'
import { Stage } from './Stage.tsx'
import { StageCaptions } from './StageCaptions.tsx'
import { StageOver } from './StageOver.tsx'
import { $place, followRoom } from './stage-follow.ts'
import { WordsContext, wordsOf } from './stage-words.ts'
import { useRoomHeight } from './use-room-height.ts'

export interface RoomProps {
  view: RoomView
  strings: Strings
  locale: Locale
}

/** The room of an event: waiting, the event itself, its end, in one page that is never loaded anew in between. */
export default function Room({ view, strings, locale }: RoomProps) {
  const words = useMemo(() => wordsOf(strings, locale), [strings, locale])
  const frame = useRef<HTMLDivElement>(null)
  const state = useStore($state) ?? view.state
  const panel = useStore($panel)
  const place = useStore($place)
  const drawer = useStore($drawer)
  const viewer = view.me.role === 'viewer'
  const keys: KeySet = viewer ? (place === 'on' ? 'guest' : 'viewer') : 'staff'

  // Before the effects of what is inside, which acts in the room.
  useLayoutEffect(() => {
    const ends = [openRoom(view), followRoom(view), $out.listen((why) => why && turnedOut(why, view))]
    frame.current?.setAttribute('data-ready', '')
    return () => {
      for (const end of ends) end()
    }
  }, [view])
  useRoomHeight(frame)
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || isTaken(event.target)) return
      const act = actOfKey(event, keys)
      if (!act) return
      event.preventDefault()
      perform(act, view)
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [keys, view])

  const talks = !viewer || state.phase !== 'waiting' || (state.chat.beforeStart && state.chat.mode !== 'off')
  const shared = { view, strings, locale }
  return (
    <WordsContext value={words}>
      <div
        ref={frame}
        className="room"
        data-room={view.sessionId}
        data-phase={state.phase}
        data-role={view.me.role}
        data-panel={talks ? panel : 'closed'}
      >
        <RoomHead view={view} />
        <div className="room-stage">
          <Stage view={view} />
          <StageCaptions view={view} />
          <div className="stage-overlay">
            <ButtonBar {...shared} placement="overlay" />
          </div>
          <StageOver view={view} />
        </div>
        {hasRight(view.me.role, 'present') && view.auto === null && <RoomCheck view={view} />}
        <RoomBar view={view} keys={keys} />
        {drawer && <RoomDrawer key={drawer} view={view} drawer={drawer} />}
        <div className="room-under">
          <ButtonBar {...shared} placement="underVideo" />
        </div>
        <div className="room-poll">
          <PollCard {...shared} />
        </div>
        <section className="room-panel" aria-label={words.say('stage:panel')} hidden={!talks || panel === 'closed'}>
          <SidePanel {...shared} />
        </section>
        <RoomDialogs view={view} keys={keys} />
      </div>
    </WordsContext>
  )
}

/** What the door says now is for the door's own page to show. */
function turnedOut(why: 'banned' | 'limit' | 'ended', view: RoomView): void {
  if (why === 'limit') location.replace(limitPath(view))
  else location.reload()
}
