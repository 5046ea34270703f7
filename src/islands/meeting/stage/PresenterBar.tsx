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
import { PRESENTATION_MODES, type PresentationMode } from '#lib/core/shared/event/live-event.ts'
import type { RoomView } from '#lib/meeting/room-schema.ts'
import { hasRight } from '#lib/workshop/rules.ts'
import { BarButton } from '../BarButton.tsx'
import type { RoomCommand } from '../bar-shortcuts.ts'
import { $captionFieldOpen, $drawer, commandButton } from '../bar-state.ts'
import { $state } from '../room.ts'
import { useTranslation } from '../translation.ts'
import { $raisedHandCount } from './stage-hands.ts'
import { $page, $slides, useSlides } from './stage-slides.ts'

const MODE_ICONS: Record<PresentationMode, typeof Presentation> = {
  presentation: Presentation,
  preview: PictureInPicture2,
  broadcast: SquareUser,
  presentationAndBroadcast: Columns2,
}

/** Commands of staff: start and finish, modes, slides, launcher, raised hands, captions. */
export function PresenterBar({ view }: { view: RoomView }) {
  const { t } = useTranslation()
  const state = useStore($state) ?? view.state
  const drawer = useStore($drawer)
  const raisedHandCount = useStore($raisedHandCount)
  const captionFieldOpen = useStore($captionFieldOpen)
  const buttonFor = (command: RoomCommand) => commandButton(command, 'staff', view)
  const canPresent = hasRight(view.me.role, 'present')
  const isLive = state.phase === 'live'
  return (
    <>
      {canPresent && view.auto === null && state.phase !== 'finished' && (
        <StartFinishButton live={isLive} {...buttonFor('start')} />
      )}
      {canPresent && view.auto === null && (
        <>
          <fieldset className="room-bar-part" data-part="modes" aria-label={t('stage:mode.label')}>
            {PRESENTATION_MODES.map((mode) => {
              const Icon = MODE_ICONS[mode]
              return (
                <BarButton
                  key={mode}
                  {...buttonFor({ mode })}
                  rank={1}
                  label={t(`stage:mode.${mode}`)}
                  icon={<Icon size={20} />}
                  pressed={state.mode === mode}
                />
              )
            })}
          </fieldset>
          <PageButtons view={view} />
        </>
      )}
      <div className="room-bar-part" data-part="tools">
        {!view.mentoring && (
          <>
            <BarButton
              {...buttonFor('launcher')}
              label={t('stage:bar.launcher')}
              icon={<Megaphone size={20} />}
              expanded={drawer === 'launcher'}
            />
            <BarButton
              {...buttonFor('hands')}
              label={t('stage:bar.hands', { count: raisedHandCount })}
              icon={<Hand size={20} />}
              expanded={drawer === 'hands'}
              count={raisedHandCount}
            />
          </>
        )}
        {view.workshop.captions !== 'off' && (
          <BarButton
            {...buttonFor('typeCaption')}
            rank={2}
            label={t('stage:bar.typeCaption')}
            icon={<Subtitles size={20} />}
            pressed={captionFieldOpen}
          />
        )}
      </div>
    </>
  )
}

function StartFinishButton({ live, ...button }: { live: boolean } & ReturnType<typeof commandButton>) {
  const { t } = useTranslation()
  const label = t(live ? 'stage:bar.finish' : 'stage:bar.start')
  return (
    <div className="room-bar-part" data-part="start">
      <BarButton
        {...button}
        text={label}
        label={label}
        icon={live ? <Square size={18} fill="currentColor" /> : <Radio size={20} />}
        tone={live ? 'danger' : 'accent'}
      />
    </div>
  )
}

function PageButtons({ view }: { view: RoomView }) {
  const { t } = useTranslation()
  const { slides } = useStore($slides)
  const page = useStore($page)
  const drawer = useStore($drawer)
  // The stage loads slides only while it shows them, but the page buttons are needed during a screen share too.
  useSlides(view)
  if (!slides) return null
  const buttonFor = (command: RoomCommand) => commandButton(command, 'staff', view)
  return (
    <fieldset className="room-bar-part" data-part="pages" aria-label={t('stage:slides.label')}>
      <BarButton {...buttonFor('previous')} label={t('stage:slides.previous')} icon={<ChevronLeft size={20} />} />
      <span className="tabular" aria-live="polite">
        {`${page} / ${slides.pageCount}`}
      </span>
      <BarButton {...buttonFor('next')} label={t('stage:slides.next')} icon={<ChevronRight size={20} />} />
      <BarButton
        {...buttonFor('thumbs')}
        rank={2}
        label={t('stage:slides.all')}
        icon={<Grid2x2 size={20} />}
        expanded={drawer === 'thumbs'}
      />
    </fieldset>
  )
}
