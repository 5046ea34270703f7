import './room.css'
import './stage/stage.css'
import { useStore } from '@nanostores/react'
import { useEffect, useLayoutEffect, useMemo, useRef } from 'react'
import { asIsland } from '#islands/mount/as-island.ts'
import type { Locale } from '#lib/core/shared/locale.ts'
import type { Strings } from '#lib/core/shared/text/strings.ts'
import type { RoomView } from '#lib/meeting/room-schema.ts'
import { hasRight } from '#lib/workshop/rules.ts'
import { commandOfKey, hasOwnShortcuts, type KeySet } from './bar-shortcuts.ts'
import { $drawer, $panel, runCommand } from './bar-state.ts'
import { DeviceCheck } from './devices/DeviceCheck.tsx'
import { BanDialog } from './panel/BanDialog.tsx'
import { ButtonBar } from './panel/ButtonBar.tsx'
import { ConsentBar } from './panel/ConsentBar.tsx'
import { PollCard } from './panel/PollCard.tsx'
import { SidePanel } from './panel/SidePanel.tsx'
import { RoomBar } from './RoomBar.tsx'
import { RoomDialogs } from './RoomDialogs.tsx'
import { RoomDrawer } from './RoomDrawer.tsx'
import { RoomHeader } from './RoomHeader.tsx'
import { $exitReason, $reloadedView, $state, openRoom } from './room.ts'
import { limitPath } from './room-paths.ts'
import { Stage } from './stage/Stage.tsx'
import { StageCaptions } from './stage/StageCaptions.tsx'
import { StageOverlay } from './stage/StageOverlay.tsx'
import { startStage } from './stage/stage-lifecycle.ts'
import { $stagePlace } from './stage/stage-place.ts'
import { createTranslation, TranslationContext } from './translation.ts'
import { useRoomHeight } from './use-room-height.ts'

export default asIsland('room', Room)

export interface RoomProps {
  view: RoomView
  strings: Strings
  locale: Locale
}

/** The room of an event: waiting, live and finished phase in one page without reloading. */
function Room({ view: initialView, strings, locale }: RoomProps) {
  const view = useStore($reloadedView) ?? initialView
  const texts = view.mentoring ? 'session' : view.kind === 'rehearsal' ? 'rehearsal' : 'event'
  const translation = useMemo(() => createTranslation(strings, locale, texts), [strings, locale, texts])
  const frame = useRef<HTMLDivElement>(null)
  const state = useStore($state) ?? view.state
  const panel = useStore($panel)
  const place = useStore($stagePlace)
  const drawer = useStore($drawer)
  const isOver = state.phase === 'finished'
  const isStaff = hasRight(view.me.role, 'moderate')
  const keys = keySetOf(view, { isOver, isOnStage: place === 'on' })

  // A layout effect runs before the effects of the child components, which call the room's procedures.
  useLayoutEffect(() => {
    const cleanups = [
      openRoom(view),
      startStage(view),
      $exitReason.listen((reason) => reason && leaveRoomPage(reason, view)),
    ]
    frame.current?.setAttribute('data-ready', '')
    return () => {
      for (const end of cleanups) end()
    }
  }, [view])
  useRoomHeight(frame)
  useEffect(() => {
    const handleKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || hasOwnShortcuts(event.target)) return
      const command = commandOfKey(event, keys)
      if (!command || (isOver && command === 'hands')) return
      event.preventDefault()
      runCommand(command, view)
    }
    document.addEventListener('keydown', handleKey)
    return () => document.removeEventListener('keydown', handleKey)
  }, [keys, isOver, view])

  const hasPanel = isStaff || state.phase !== 'waiting' || (state.chat.beforeStart && state.chat.mode !== 'off')
  const shared = { view, strings, locale }
  return (
    <TranslationContext value={translation}>
      <div
        ref={frame}
        className="room"
        data-room={view.sessionId}
        data-phase={state.phase}
        data-role={view.me.role}
        data-panel={hasPanel ? panel : 'closed'}
      >
        <RoomHeader view={view} />
        <div className="room-stage">
          <Stage view={view} />
          <StageCaptions view={view} />
          <div className="stage-overlay">{!isOver && <ButtonBar {...shared} placement="overlay" />}</div>
          <StageOverlay view={view} />
        </div>
        {!isOver && hasRight(view.me.role, 'publish') && view.auto === null && <DeviceCheck view={view} />}
        <RoomBar view={view} keys={keys} />
        {!isOver && drawer && <RoomDrawer key={drawer} view={view} drawer={drawer} />}
        <div className="room-below">
          {!isOver && view.mentoring && <ConsentBar mentoring={view.mentoring} />}
          {!isOver && <ButtonBar {...shared} placement="underVideo" />}
        </div>
        <div className="room-poll">{!isOver && <PollCard {...shared} />}</div>
        <section
          className="room-panel"
          aria-label={translation.t('stage:panel')}
          hidden={!hasPanel || panel === 'closed'}
        >
          <SidePanel {...shared} />
        </section>
        <RoomDialogs view={view} keys={keys} />
        <BanDialog />
      </div>
    </TranslationContext>
  )
}

function keySetOf({ me, mentoring }: RoomView, { isOver, isOnStage }: { isOver: boolean; isOnStage: boolean }): KeySet {
  if (isOver) return isOnStage ? 'guest' : 'viewer'
  if (hasRight(me.role, 'moderate')) return mentoring ? 'mentor' : 'staff'
  if (hasRight(me.role, 'publish')) return 'student'
  return isOnStage ? 'guest' : 'viewer'
}

/** Leaves the room page: without a seat to the queue; otherwise the reloaded page shows the reason. */
function leaveRoomPage(reason: 'banned' | 'limit' | 'ended', view: RoomView): void {
  if (reason === 'limit') location.replace(limitPath(view))
  else location.reload()
}
