import './room.css'
import './stage/stage.css'
import { useStore } from '@nanostores/react'
import { useEffect, useLayoutEffect, useMemo, useRef } from 'react'
import { asIsland } from '#islands/mount/as-island.ts'
import type { Locale } from '#lib/core/shared/locale.ts'
import type { Strings } from '#lib/core/shared/text/strings.ts'
import type { RoomView } from '#lib/meeting/room-schema.ts'
import { hasRight } from '#lib/workshop/rules.ts'
import { actOfKey, isTaken, type KeySet } from './bar-keys.ts'
import { $drawer, $panel, perform } from './bar-state.ts'
import { RoomCheck } from './devices/RoomCheck.tsx'
import { limitPath } from './leave.ts'
import { BanDialog } from './panel/BanDialog.tsx'
import { ButtonBar } from './panel/ButtonBar.tsx'
import { PollCard } from './panel/PollCard.tsx'
import { SidePanel } from './panel/SidePanel.tsx'
import { RoomBar } from './RoomBar.tsx'
import { RoomDialogs } from './RoomDialogs.tsx'
import { RoomDrawer } from './RoomDrawer.tsx'
import { RoomHead } from './RoomHead.tsx'
import { $anew, $out, $state, openRoom } from './room.ts'
import { Stage } from './stage/Stage.tsx'
import { StageCaptions } from './stage/StageCaptions.tsx'
import { StageOver } from './stage/StageOver.tsx'
import { $place, followRoom } from './stage/stage-follow.ts'
import { WordsContext, wordsOf } from './stage/stage-words.ts'
import { useRoomHeight } from './use-room-height.ts'

export default asIsland('room', Room)

export interface RoomProps {
  view: RoomView
  strings: Strings
  locale: Locale
}

/** The room of an event: waiting, the event itself, its end, in one page that is never loaded anew in between. */
function Room({ view: given, strings, locale }: RoomProps) {
  const view = useStore($anew) ?? given
  const words = useMemo(() => wordsOf(strings, locale), [strings, locale])
  const frame = useRef<HTMLDivElement>(null)
  const state = useStore($state) ?? view.state
  const panel = useStore($panel)
  const place = useStore($place)
  const drawer = useStore($drawer)
  const viewer = view.me.role === 'viewer'
  const over = state.phase === 'finished'
  const keys: KeySet = viewer || over ? (place === 'on' ? 'guest' : 'viewer') : 'staff'

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
      if (!act || (over && act === 'hands')) return
      event.preventDefault()
      perform(act, view)
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [keys, over, view])

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
          <div className="stage-overlay">{!over && <ButtonBar {...shared} placement="overlay" />}</div>
          <StageOver view={view} />
        </div>
        {!over && hasRight(view.me.role, 'present') && view.auto === null && <RoomCheck view={view} />}
        <RoomBar view={view} keys={keys} />
        {!over && drawer && <RoomDrawer key={drawer} view={view} drawer={drawer} />}
        <div className="room-under">{!over && <ButtonBar {...shared} placement="underVideo" />}</div>
        <div className="room-poll">{!over && <PollCard {...shared} />}</div>
        <section className="room-panel" aria-label={words.say('stage:panel')} hidden={!talks || panel === 'closed'}>
          <SidePanel {...shared} />
        </section>
        <RoomDialogs view={view} keys={keys} />
        <BanDialog />
      </div>
    </WordsContext>
  )
}

/** What the door says now is for the door's own page to show. */
function turnedOut(why: 'banned' | 'limit' | 'ended', view: RoomView): void {
  if (why === 'limit') location.replace(limitPath(view))
  else location.reload()
}
