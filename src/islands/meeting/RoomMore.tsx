import { useStore } from '@nanostores/react'
import { Ellipsis } from 'lucide-react'
import { type RefObject, useEffect, useState } from 'react'
import { Menu } from '#islands/ui/Menu.tsx'
import { MODES } from '#lib/core/shared/event/live-event.ts'
import type { RoomView } from '#lib/meeting/room-schema.ts'
import { type BarAct, nameOf } from './bar-keys.ts'
import { $captionsOn, $typesCaptions, perform } from './bar-state.ts'
import { $state } from './room.ts'
import { $savingChoice } from './stage/stage-saving.ts'
import { useWords } from './stage/stage-words.ts'

interface Props {
  bar: RefObject<HTMLElement | null>
  view: RoomView
}

/** Stands in the place of a tick, so that all words begin in one line. */
const BLANK = <span aria-hidden="true" className="w-4" />

const STEPS_BACK: readonly Exclude<BarAct, object>[] = [
  'screen',
  'devices',
  'thumbs',
  'typeCaption',
  'captions',
  'saving',
  'fullscreen',
  'keys',
]

/** Whatever of the bar has no room on it at this width; nothing where all has. */
export function RoomMore({ bar, view }: Props) {
  const { say } = useWords()
  const hidden = useHidden(bar)
  const { mode } = useStore($state) ?? view.state
  const on: Partial<Record<string, boolean>> = {
    captions: useStore($captionsOn),
    typeCaption: useStore($typesCaptions),
    saving: useStore($savingChoice) === 'always',
  }
  const acts: { act: BarAct; label: string; checked: boolean | undefined }[] = [
    ...MODES.map((one) => ({ act: { mode: one }, label: say(`stage:mode.${one}`), checked: one === mode })),
    ...STEPS_BACK.map((act) => ({
      act,
      label: say(act === 'keys' ? 'stage:bar.keys' : `stage:keys.${act}`),
      checked: on[act],
    })),
  ]
  const entries = acts
    .filter(({ act }) => hidden.has(nameOf(act)))
    .map(({ act, label, checked }) => ({
      key: nameOf(act),
      label,
      ...(checked === undefined ? { icon: BLANK } : { checked }),
      onSelect: () => perform(act, view),
    }))
  if (entries.length === 0) return null
  return (
    <Menu
      trigger={
        <button
          type="button"
          className="room-press"
          data-act="more"
          aria-label={say('stage:bar.more')}
          title={say('stage:bar.more')}
        >
          <Ellipsis size={20} />
        </button>
      }
      entries={entries}
    />
  )
}

/** The acts whose buttons the style of the bar has put away: it alone knows how wide they are. */
function useHidden(bar: RefObject<HTMLElement | null>): ReadonlySet<string> {
  const [hidden, setHidden] = useState('')
  useEffect(() => {
    const { current: line } = bar
    if (!line) return
    const look = () => {
      const touch = matchMedia('(hover: none)').matches
      const buttons = [...line.querySelectorAll<HTMLElement>('[data-rank][data-act]')]
      setHidden(
        buttons
          .filter((one) => one.offsetParent === null && !(touch && one.dataset.act === 'keys'))
          .map(({ dataset }) => dataset.act)
          .join(' '),
      )
    }
    const size = new ResizeObserver(look)
    const more = new MutationObserver(look)
    size.observe(line)
    more.observe(line, { childList: true, subtree: true })
    look()
    return () => {
      size.disconnect()
      more.disconnect()
    }
  }, [bar])
  return new Set(hidden.split(' '))
}
