import { formatOccasion, formatZone } from '#lib/core/shared/locale.ts'
import type { RoomView } from '#lib/meeting/room-schema.ts'
import { useZone } from './chat/chat-words.ts'
import { SpeakerTest } from './devices/SpeakerTest.tsx'
import { clockOf } from './stage/stage-view.ts'
import { useWords } from './stage/stage-words.ts'
import { useNow } from './use-now.ts'

// Browsers give Kyiv its former name.
const KYIV: ReadonlySet<string> = new Set(['Europe/Kyiv', 'Europe/Kiev'])

/** Before the event: what it is, who speaks, when by the viewer's own clock, and how long it is until then. The room takes its place by itself. */
export function RoomWaiting({ view }: { view: RoomView }) {
  const { say, locale } = useWords()
  const { title, startAt, timeZone, splash, speakers } = view.workshop
  const zone = useZone() ?? timeZone
  const now = useNow(view)
  const left = startAt === null ? null : Date.parse(startAt) - now
  const zoneIn = (name: string) =>
    KYIV.has(name) ? say('stage:waiting.kyiv') : formatZone(startAt ?? '', name, locale)
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
        <p data-start="">
          {formatOccasion(startAt, zone, locale)}
          <span className="block text-[oklch(80%_0.012_260)]">{zoneIn(zone)}</span>
          {formatOccasion(startAt, zone, locale) !== formatOccasion(startAt, timeZone, locale) && (
            <span className="block text-[oklch(80%_0.012_260)]">
              {formatOccasion(startAt, timeZone, locale)}, {zoneIn(timeZone)}
            </span>
          )}
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
