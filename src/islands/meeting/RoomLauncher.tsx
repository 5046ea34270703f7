import { useStore } from '@nanostores/react'
import type { ReactNode } from 'react'
import { Button } from '#islands/ui/Button.tsx'
import type { RoomView } from '#lib/meeting/room-schema.ts'
import { $buttonCounts, $state, roomApi } from './room.ts'
import { showError } from './stage/show-error.ts'
import { useTranslation } from './translation.ts'

/** Prepared buttons, polls and handouts, each with a button that shows or hides it for all participants. */
export function RoomLauncher({ view }: { view: RoomView }) {
  const { t } = useTranslation()
  const state = useStore($state) ?? view.state
  const counts = useStore($buttonCounts)
  const { buttons = [], polls = [], handouts = [] } = view.items ?? {}
  if (buttons.length + polls.length + handouts.length === 0) {
    return <p className="text-muted">{t('stage:launcher.none')}</p>
  }
  return (
    <div className="grid gap-5">
      <LauncherSection title={t('stage:launcher.buttons')} rows={buttons}>
        {({ id, content }) => {
          const on = state.buttons.some(({ buttonId }) => buttonId === id)
          const count = counts.find(({ buttonId }) => buttonId === id)
          const about =
            count && (on || count.saw > 0)
              ? t('stage:launcher.counts', { saw: count.saw, clicked: count.clicked })
              : null
          const input = { buttonId: id }
          return (
            <LauncherRow
              key={id}
              name={content.label}
              countsText={about}
              isShown={on}
              onSwitch={() => (on ? roomApi.hideButton(input) : roomApi.showButton(input))}
            />
          )
        }}
      </LauncherSection>
      <LauncherSection title={t('stage:launcher.polls')} rows={polls}>
        {({ id, content }) => {
          const open = state.poll?.pollId === id && !state.poll.closed
          const input = { pollId: id }
          return (
            <LauncherRow
              key={id}
              isPoll
              name={content.question}
              countsText={null}
              isShown={open}
              onSwitch={() => (open ? roomApi.closePoll(input) : roomApi.openPoll(input))}
            />
          )
        }}
      </LauncherSection>
      <LauncherSection title={t('stage:launcher.handouts')} rows={handouts}>
        {({ id, content }) => {
          const on = state.handouts.some(({ handoutId }) => handoutId === id)
          const input = { handoutId: id }
          return (
            <LauncherRow
              key={id}
              name={content.title}
              countsText={null}
              isShown={on}
              onSwitch={() => (on ? roomApi.hideHandout(input) : roomApi.showHandout(input))}
            />
          )
        }}
      </LauncherSection>
    </div>
  )
}

function LauncherSection<T>({
  title,
  rows,
  children,
}: {
  title: string
  rows: readonly T[]
  children: (row: T) => ReactNode
}) {
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
  countsText: string | null
  isShown: boolean
  isPoll?: boolean
  onSwitch: () => Promise<unknown>
}

function LauncherRow({ name, countsText, isShown, isPoll, onSwitch }: RowProps) {
  const { t } = useTranslation()
  const labelKey = isPoll
    ? isShown
      ? 'stage:launcher.close'
      : 'stage:launcher.open'
    : isShown
      ? 'stage:launcher.hide'
      : 'stage:launcher.show'
  return (
    <li className="card-line flex flex-wrap items-center gap-2 p-2">
      <span className="min-w-0 flex-1 break-words">
        {name}
        {countsText && <span className="tabular block text-muted">{countsText}</span>}
      </span>
      <Button
        small
        tone={isShown ? 'plain' : 'primary'}
        aria-label={`${t(labelKey)}: ${name}`}
        onClick={() => void onSwitch().catch(showError)}
      >
        {t(labelKey)}
      </Button>
    </li>
  )
}
