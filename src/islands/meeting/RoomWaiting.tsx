import { formatOccasion, formatZone } from '#lib/core/shared/locale.ts'
import type { RoomView } from '#lib/meeting/room-schema.ts'
import { SpeakerTest } from './SpeakerTest.tsx'
import { clockOf } from './stage-view.ts'
import { useWords } from './stage-words.ts'
import { useNow } from './use-now.ts'

/** Before the event: what it is, who speaks, when, and how long it is until then. The room takes its place by itself. */
export function RoomWaiting({ view }: { view: RoomView }) {
  const { say, locale } = useWords()
  const { title, startAt, timeZone, splash, speakers } = view.workshop
  const now = useNow(view)
  const left = startAt === null ? null : Date.parse(startAt) - now
  const image = splash.before.image ?? view.workshop.cover
  return (
    <div className="stage-over" data-solid="" data-waiting="">
      {image && <img className="stage-splash" src={image} alt="" />}
      <p className="stage-title mb-4 max-w-3xl font-display text-2xl text-balance">{title}</p>
      {left !== null && left > 0 ? (
        <>
          <p>{say('stage:waiting.startsIn')}</p>
          <Countdown left={left} />
        </>
      ) : (
        <p className="text-xl font-semibold" role="status">
          {say(startAt === null ? 'stage:waiting.noTime' : 'stage:waiting.soon')}
        </p>
      )}
      {startAt !== null && (
        <p>
          {formatOccasion(startAt, timeZone, locale)}
          <span className="block text-[oklch(80%_0.012_260)]">
            {timeZone === 'Europe/Kyiv' ? say('stage:waiting.kyiv') : formatZone(startAt, timeZone, locale)}
          </span>
        </p>
      )}
      {speakers.length > 0 && (
        <p className="text-[oklch(80%_0.012_260)]">
          {say('stage:waiting.speakers', { names: speakers.map(({ name }) => name).join(', ') })}
        </p>
      )}
      {splash.before.text && <p className="max-w-prose whitespace-pre-line">{splash.before.text}</p>}
      <SpeakerTest />
    </div>
  )
}

const DAY_MS = 86_400_000

/** Days in words, the last one by the clock. Screen readers hear it when they ask, not every second. */
function Countdown({ left }: { left: number }) {
  const { say } = useWords()
  const days = Math.floor(left / DAY_MS)
  return (
    <p className="stage-countdown" role="timer" aria-live="off" data-countdown="">
      {days > 0 ? say('stage:waiting.days', { count: days }) : clockOf(left / 1000)}
    </p>
  )
}
