import { useStore } from '@nanostores/react'
import { formatFullDateTime, formatZone } from '#lib/core/shared/locale.ts'
import { formatClock } from '#lib/core/shared/text/clock.ts'
import { DAY_MS } from '#lib/core/shared/time.ts'
import type { RoomView } from '#lib/meeting/room-schema.ts'
import { useTimeZone } from './chat/chat-format.ts'
import { SpeakerTest } from './devices/SpeakerTest.tsx'
import { $autoView } from './room.ts'
import { useTranslation } from './translation.ts'
import { useNow } from './use-now.ts'

// Some browsers still report the former name of the zone.
const KYIV: ReadonlySet<string> = new Set(['Europe/Kyiv', 'Europe/Kiev'])

/** Why an automated session does not start. */
const PROBLEM_TEXTS = { pending: 'autowebinar:room.noVideo', missing: 'autowebinar:room.missingVideo' } as const

/**
 * Shown before the start: title, speakers, start in the viewer's time zone and a countdown. The room replaces it when
 * the event starts.
 */
export function RoomWaiting({ view }: { view: RoomView }) {
  const { t, locale } = useTranslation()
  const { title, startAt, timeZone, splash, speakers } = view.workshop
  const viewerZone = useTimeZone() ?? timeZone
  const now = useNow(view)
  const remainingMs = startAt === null ? null : Date.parse(startAt) - now
  const zoneName = (name: string) =>
    KYIV.has(name) ? t('stage:waiting.kyiv') : formatZone(startAt ?? '', name, locale)
  const problem = (useStore($autoView) ?? view.auto)?.videoProblem
  const image = splash.before.image ?? view.workshop.cover
  return (
    <div className="stage-over" data-solid="" data-waiting="">
      {image && <img className="stage-splash" src={image} alt="" />}
      <p className="stage-title mb-4 max-w-3xl font-display text-2xl text-balance">{title}</p>
      {remainingMs !== null && remainingMs > 0 ? (
        <>
          <p>{t('stage:waiting.startsIn')}</p>
          <Countdown remainingMs={remainingMs} />
        </>
      ) : (
        <p className="text-xl font-semibold text-balance" role="status">
          {t(problem ? PROBLEM_TEXTS[problem] : startAt === null ? 'stage:waiting.noTime' : 'stage:waiting.soon')}
        </p>
      )}
      {startAt !== null && (
        <p data-start="">
          {formatFullDateTime(startAt, viewerZone, locale)}
          <span className="block text-[oklch(80%_0.012_260)]">{zoneName(viewerZone)}</span>
          {formatFullDateTime(startAt, viewerZone, locale) !== formatFullDateTime(startAt, timeZone, locale) && (
            <span className="block text-[oklch(80%_0.012_260)]">
              {formatFullDateTime(startAt, timeZone, locale)}, {zoneName(timeZone)}
            </span>
          )}
        </p>
      )}
      {speakers.length > 0 && (
        <p className="text-[oklch(80%_0.012_260)]">
          {t('stage:waiting.speakers', { names: speakers.map(({ name }) => name).join(', ') })}
        </p>
      )}
      {splash.before.text && <p className="max-w-prose whitespace-pre-line">{splash.before.text}</p>}
      <SpeakerTest />
    </div>
  )
}

/** Remaining days, on the last day a clock. Screen readers do not announce every second. */
function Countdown({ remainingMs }: { remainingMs: number }) {
  const { t } = useTranslation()
  const days = Math.floor(remainingMs / DAY_MS)
  return (
    <p className="stage-countdown" role="timer" aria-live="off" data-countdown="">
      {days > 0 ? t('stage:waiting.days', { count: days }) : formatClock(remainingMs / 1000)}
    </p>
  )
}
