import '../chat/chat.css'
import { useStore } from '@nanostores/react'
import { X } from 'lucide-react'
import { type CSSProperties, type FormEvent, useEffect, useState } from 'react'
import { CallError } from '#islands/stores/call-error.ts'
import { isStaff } from '#lib/meeting/chat/rules.ts'
import type { RoomState } from '#lib/workshop/session/state-schema.ts'
import { createPollView, type PollView } from '../chat/poll-view.ts'
import { $me, $pollTally, $state, $votes, castVote } from '../room.ts'
import type { RoomProps } from '../room-props.ts'
import { useTranslation } from '../translation.ts'

/** The open poll, or the last closed one for some time or until it is hidden. The own castVote is shown at once. */
export function PollCard({ view }: RoomProps) {
  const { t } = useTranslation()
  const { poll } = useStore($state) ?? view.state
  const [hiddenPoll, setHiddenPoll] = useState<number | null>(null)
  const isOver = useIsResultOver(poll)
  if (!poll || isOver) return null
  if (hiddenPoll === poll.openedAt)
    return poll.closed ? null : (
      <button type="button" className="btn btn-sm m-2" onClick={() => setHiddenPoll(null)}>
        {t('meeting:poll.show')}
      </button>
    )
  return (
    <section className="poll" aria-label={t('meeting:poll.label')}>
      <button
        type="button"
        className="poll-hide"
        aria-label={t('meeting:poll.hide')}
        title={t('meeting:poll.hide')}
        onClick={() => setHiddenPoll(poll.openedAt)}
      >
        <X size={18} aria-hidden="true" />
      </button>
      <OpenPollCard key={poll.openedAt} poll={poll} view={view} />
    </section>
  )
}

/** How long the result of a closed poll is shown. */
const RESULT_SHOWN_MS = 30_000

/** Whether the result of the closed poll was shown long enough; one that was closed before the page was opened is not shown. */
function useIsResultOver(poll: RoomState['poll']): boolean {
  const openedAt = poll?.openedAt ?? null
  const isClosed = poll?.closed ?? false
  const [seenOpenAt, setSeenOpenAt] = useState(isClosed ? null : openedAt)
  useEffect(() => {
    if (!isClosed) {
      setSeenOpenAt(openedAt)
      return
    }
    const timer = setTimeout(() => setSeenOpenAt(null), RESULT_SHOWN_MS)
    return () => clearTimeout(timer)
  }, [openedAt, isClosed])
  return isClosed && seenOpenAt !== openedAt
}

type OpenPoll = NonNullable<RoomState['poll']>

function OpenPollCard({ poll, view }: { poll: OpenPoll; view: RoomProps['view'] }) {
  const { t, locale } = useTranslation()
  const me = useStore($me) ?? view.me
  const tally = useStore($pollTally)
  const votes = useStore($votes)
  const [refusal, setRefusal] = useState('')
  const { pollId, content, closed } = poll
  const ownVote = votes[pollId] ?? null
  const staff = isStaff(me.role)
  const liveTally = tally?.pollId === pollId ? tally : null
  const result = createPollView(poll, liveTally, ownVote, staff)
  // Staff see the results instead of the ballot.
  const canVote = !closed && ownVote === null && !staff
  const facts = [
    closed ? t('meeting:poll.closed') : ownVote !== null ? t('meeting:poll.voted') : null,
    result.showsResults ? t('meeting:poll.voters', { count: result.voters }) : null,
    result.showsResults && result.average !== null
      ? t('meeting:poll.average', { value: result.average.toLocaleString(locale, { maximumFractionDigits: 1 }) })
      : null,
    !result.showsResults && !canVote && content.showResults === 'afterClose' ? t('meeting:poll.afterClose') : null,
    !result.showsResults && !canVote && content.showResults === 'staff' ? t('meeting:poll.staffOnly') : null,
  ].filter((fact) => fact !== null)

  const sendVote = (choices: number[]) => {
    setRefusal('')
    castVote(pollId, choices).catch((error: unknown) => {
      const { code } = CallError.from(error)
      const reason = t(code === 'conflict' ? 'meeting:poll.closedWhy' : 'meeting:poll.otherWhy')
      setRefusal(t('meeting:poll.refused', { reason }))
    })
  }
  return (
    <>
      <h2 className="poll-question">{content.question}</h2>
      {canVote ? (
        <Ballot poll={poll} onVote={sendVote} />
      ) : (
        <PollResult result={result} rating={content.kind === 'rating'} />
      )}
      {refusal && (
        <p className="chat-failed" role="alert">
          {refusal}
        </p>
      )}
      <p className="chat-hint" role="status">
        {facts.join(' · ')}
      </p>
    </>
  )
}

function Ballot({ poll, onVote }: { poll: OpenPoll; onVote: (choices: number[]) => void }) {
  const { t } = useTranslation()
  const [selected, setSelected] = useState<readonly number[]>([])
  const { kind, options, question } = poll.content
  if (kind === 'rating')
    return (
      <fieldset className="poll-stars">
        <legend className="sr-only">{question}</legend>
        {[0, 1, 2, 3, 4].map((index) => (
          <button
            key={index}
            type="button"
            aria-label={t('meeting:poll.stars', { count: index + 1 })}
            onClick={() => onVote([index])}
          >
            ★
          </button>
        ))}
      </fieldset>
    )
  const isMultiple = kind === 'multi'
  const toggleOption = (index: number, on: boolean) => {
    const others = isMultiple ? selected.filter((choice) => choice !== index) : []
    setSelected(on ? [...others, index] : others)
  }
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (selected.length > 0) onVote([...selected].sort((a, b) => a - b))
  }
  return (
    <form onSubmit={send}>
      <fieldset className="poll-options">
        <legend className="sr-only">{question}</legend>
        {options.map((option, index) => (
          <label key={option} className="poll-option">
            <input
              type={isMultiple ? 'checkbox' : 'radio'}
              className={isMultiple ? 'checkbox checkbox-sm' : 'radio radio-sm'}
              name={`poll-${poll.pollId}`}
              checked={selected.includes(index)}
              onChange={({ target }) => toggleOption(index, target.checked)}
            />
            {option}
          </label>
        ))}
      </fieldset>
      {isMultiple && <p className="chat-hint">{t('meeting:poll.several')}</p>}
      <button type="submit" className="btn btn-sm btn-primary" disabled={selected.length === 0}>
        {t('meeting:poll.vote')}
      </button>
    </form>
  )
}

function PollResult({ result, rating }: { result: PollView; rating: boolean }) {
  const { t } = useTranslation()
  return (
    <ul className="poll-options">
      {result.options.map(({ index, label, percent, isOwn, isRight }) => (
        <li
          key={index}
          className="poll-line"
          data-mine={isOwn || undefined}
          data-right={isRight ?? undefined}
          style={{ '--share': result.showsResults ? `${percent}%` : '0%' } as CSSProperties}
        >
          <span>
            {isOwn && '● '}
            {rating ? '★'.repeat(index + 1) : label}
            {isRight && <span className="chat-badge">{t('meeting:poll.right')}</span>}
          </span>
          {result.showsResults && <span>{percent} %</span>}
        </li>
      ))}
    </ul>
  )
}
