import { useStore } from '@nanostores/react'
import type { ReactNode } from 'react'
import { Button } from '#islands/ui/Button.tsx'
import type { RoomView } from '#lib/meeting/room-schema.ts'
import { $counts, $state, act } from './room.ts'
import { failWith } from './stage/stage-fail.ts'
import { useWords } from './stage/stage-words.ts'

/** Buttons, polls and hand-outs that were prepared: one press shows or hides them for everybody. */
export function RoomLauncher({ view }: { view: RoomView }) {
  const { say } = useWords()
  const state = useStore($state) ?? view.state
  const counts = useStore($counts)
  const { buttons = [], polls = [], handouts = [] } = view.items ?? {}
  if (buttons.length + polls.length + handouts.length === 0) {
    return <p className="text-muted">{say('stage:launcher.none')}</p>
  }
  return (
    <div className="grid gap-5">
      <Part title={say('stage:launcher.buttons')} rows={buttons}>
        {({ id, content }) => {
          const on = state.buttons.some(({ buttonId }) => buttonId === id)
          const count = counts.find(({ buttonId }) => buttonId === id)
          const about =
            count && (on || count.saw > 0)
              ? say('stage:launcher.counts', { saw: count.saw, clicked: count.clicked })
              : null
          const input = { buttonId: id }
          return (
            <Row
              key={id}
              name={content.label}
              about={about}
              on={on}
              onSwitch={() => (on ? act.hideButton(input) : act.showButton(input))}
            />
          )
        }}
      </Part>
      <Part title={say('stage:launcher.polls')} rows={polls}>
        {({ id, content }) => {
          const open = state.poll?.pollId === id && !state.poll.closed
          const input = { pollId: id }
          return (
            <Row
              key={id}
              poll
              name={content.question}
              about={null}
              on={open}
              onSwitch={() => (open ? act.closePoll(input) : act.openPoll(input))}
            />
          )
        }}
      </Part>
      <Part title={say('stage:launcher.handouts')} rows={handouts}>
        {({ id, content }) => {
          const on = state.handouts.some(({ handoutId }) => handoutId === id)
          const input = { handoutId: id }
          return (
            <Row
              key={id}
              name={content.title}
              about={null}
              on={on}
              onSwitch={() => (on ? act.hideHandout(input) : act.showHandout(input))}
            />
          )
        }}
      </Part>
    </div>
  )
}

function Part<T>({ title, rows, children }: { title: string; rows: readonly T[]; children: (row: T) => ReactNode }) {
  if (rows.length === 0) return null
  return (
    <section>
      <h3 className="mb-2 font-semibold">{title}</h3>
      <ul className="grid grid-cols-[minmax(0,1fr)] gap-2">{rows.map(children)}</ul>
    </section>
  )
}

interface RowProps {
  name: string
  about: string | null
  on: boolean
  poll?: boolean
  onSwitch: () => Promise<unknown>
}

function Row({ name, about, on, poll, onSwitch }: RowProps) {
  const { say } = useWords()
  const words = poll
    ? on
      ? 'stage:launcher.close'
      : 'stage:launcher.open'
    : on
      ? 'stage:launcher.hide'
      : 'stage:launcher.show'
  return (
    <li className="card-line flex flex-wrap items-center gap-2 p-2">
      <span className="min-w-0 flex-1 break-words">
        {name}
        {about && <span className="tabular block text-muted">{about}</span>}
      </span>
      <Button
        small
        tone={on ? 'plain' : 'primary'}
        aria-label={`${say(words)}: ${name}`}
        onClick={() => void onSwitch().catch(failWith)}
      >
        {say(words)}
      </Button>
    </li>
  )
}
