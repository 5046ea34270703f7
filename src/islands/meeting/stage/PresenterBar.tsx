import { useStore } from '@nanostores/react'
import {
  ChevronLeft,
  ChevronRight,
  Columns2,
  Grid2x2,
  Hand,
  Megaphone,
  PictureInPicture2,
  Presentation,
  Radio,
  Square,
  SquareUser,
  Subtitles,
} from 'lucide-react'
import { useEffect } from 'react'
import { MODES, type Mode } from '#lib/core/shared/event/live-event.ts'
import type { RoomView } from '#lib/meeting/room-schema.ts'
import { hasRight } from '#lib/workshop/rules.ts'
import type { BarAct } from '../bar-keys.ts'
import { $drawer, $typesCaptions, pressOf } from '../bar-state.ts'
import { Press } from '../Press.tsx'
import { $state } from '../room.ts'
import { $raised } from './stage-hands.ts'
import { $page, $slides, loadSlides } from './stage-slides.ts'
import { useWords } from './stage-words.ts'

const MODE_ICONS: Record<Mode, typeof Presentation> = {
  presentation: Presentation,
  preview: PictureInPicture2,
  broadcast: SquareUser,
  presentationAndBroadcast: Columns2,
}

/** What the staff of an event have besides: begin and end, modes, slides, things to show, hands, captions. */
export function PresenterBar({ view }: { view: RoomView }) {
  const { say } = useWords()
  const state = useStore($state) ?? view.state
  const drawer = useStore($drawer)
  const raised = useStore($raised)
  const typing = useStore($typesCaptions)
  const does = (act: BarAct) => pressOf(act, 'staff', view)
  const presents = hasRight(view.me.role, 'present')
  const live = state.phase === 'live'
  return (
    <>
      {presents && view.auto === null && state.phase !== 'finished' && <StartFinish live={live} {...does('start')} />}
      {presents && view.auto === null && (
        <>
          <fieldset className="room-bar-part" data-part="modes" aria-label={say('stage:mode.label')}>
            {MODES.map((mode) => {
              const Icon = MODE_ICONS[mode]
              return (
                <Press
                  key={mode}
                  {...does({ mode })}
                  rank={1}
                  label={say(`stage:mode.${mode}`)}
                  icon={<Icon size={20} />}
                  pressed={state.mode === mode}
                />
              )
            })}
          </fieldset>
          <Pages view={view} />
        </>
      )}
      <div className="room-bar-part" data-part="tools">
        <Press
          {...does('launcher')}
          label={say('stage:bar.launcher')}
          icon={<Megaphone size={20} />}
          expanded={drawer === 'launcher'}
        />
        <Press
          {...does('hands')}
          label={say('stage:bar.hands', { count: raised })}
          icon={<Hand size={20} />}
          expanded={drawer === 'hands'}
          count={raised}
        />
        {view.workshop.captions !== 'off' && (
          <Press
            {...does('typeCaption')}
            rank={2}
            label={say('stage:bar.typeCaption')}
            icon={<Subtitles size={20} />}
            pressed={typing}
          />
        )}
      </div>
    </>
  )
}

function StartFinish({ live, ...does }: { live: boolean } & ReturnType<typeof pressOf>) {
  const { say } = useWords()
  const words = say(live ? 'stage:bar.finish' : 'stage:bar.start')
  return (
    <div className="room-bar-part" data-part="start">
      <Press
        {...does}
        words={words}
        label={words}
        icon={live ? <Square size={18} fill="currentColor" /> : <Radio size={20} />}
        tone={live ? 'danger' : 'accent'}
      />
    </div>
  )
}

function Pages({ view }: { view: RoomView }) {
  const { say } = useWords()
  const { slides } = useStore($slides)
  const page = useStore($page)
  const drawer = useStore($drawer)
  // The stage loads slides only where it shows them: a shared screen in their place must not take the controls away.
  useEffect(() => loadSlides(view), [view])
  if (!slides) return null
  const does = (act: BarAct) => pressOf(act, 'staff', view)
  return (
    <fieldset className="room-bar-part" data-part="pages" aria-label={say('stage:slides.label')}>
      <Press {...does('previous')} label={say('stage:slides.previous')} icon={<ChevronLeft size={20} />} />
      <span className="tabular" aria-live="polite">
        {`${page} / ${slides.pages}`}
      </span>
      <Press {...does('next')} label={say('stage:slides.next')} icon={<ChevronRight size={20} />} />
      <Press
        {...does('thumbs')}
        rank={2}
        label={say('stage:slides.all')}
        icon={<Grid2x2 size={20} />}
        expanded={drawer === 'thumbs'}
      />
    </fieldset>
  )
}
