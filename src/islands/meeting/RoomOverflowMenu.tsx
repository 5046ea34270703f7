import { useStore } from '@nanostores/react'
import { Ellipsis } from 'lucide-react'
import { type RefObject, useEffect, useState } from 'react'
import { Menu } from '#islands/ui/Menu.tsx'
import { PRESENTATION_MODES } from '#lib/core/shared/event/live-event.ts'
import type { RoomView } from '#lib/meeting/room-schema.ts'
import { commandName, type RoomCommand } from './bar-shortcuts.ts'
import { $captionFieldOpen, $captionsShown, runCommand } from './bar-state.ts'
import { $state } from './room.ts'
import { $dataSavingChoice } from './stage/data-saving.ts'
import { useTranslation } from './translation.ts'

interface Props {
  bar: RefObject<HTMLElement | null>
  view: RoomView
}

/** Placeholder of the check mark, so that all labels are aligned. */
const CHECK_PLACEHOLDER = <span aria-hidden="true" className="w-4" />

const COLLAPSIBLE_COMMANDS: readonly Exclude<RoomCommand, object>[] = [
  'screen',
  'devices',
  'thumbs',
  'typeCaption',
  'captions',
  'saving',
  'fullscreen',
  'keys',
]

/** The menu of the bar commands that do not fit at this width; null when all fit. */
export function RoomOverflowMenu({ bar, view }: Props) {
  const { t } = useTranslation()
  const hidden = useHiddenCommands(bar)
  const { mode } = useStore($state) ?? view.state
  const on: Partial<Record<string, boolean>> = {
    captions: useStore($captionsShown),
    typeCaption: useStore($captionFieldOpen),
    saving: useStore($dataSavingChoice) === 'always',
  }
  const actions: { action: RoomCommand; label: string; checked: boolean | undefined }[] = [
    ...PRESENTATION_MODES.map((option) => ({
      action: { mode: option },
      label: t(`stage:mode.${option}`),
      checked: option === mode,
    })),
    ...COLLAPSIBLE_COMMANDS.map((action) => ({
      action,
      label: t(action === 'keys' ? 'stage:bar.keys' : `stage:keys.${action}`),
      checked: on[action],
    })),
  ]
  const entries = actions
    .filter(({ action }) => hidden.has(commandName(action)))
    .map(({ action, label, checked }) => ({
      key: commandName(action),
      label,
      ...(checked === undefined ? { icon: CHECK_PLACEHOLDER } : { checked }),
      onSelect: () => runCommand(action, view),
    }))
  if (entries.length === 0) return null
  return (
    <Menu
      trigger={
        <button
          type="button"
          className="room-button"
          data-action="more"
          aria-label={t('stage:bar.more')}
          title={t('stage:bar.more')}
        >
          <Ellipsis size={20} />
        </button>
      }
      entries={entries}
    />
  )
}

/** Returns the names of the commands whose buttons the container queries of the style sheet hide. */
function useHiddenCommands(bar: RefObject<HTMLElement | null>): ReadonlySet<string> {
  const [hidden, setHidden] = useState('')
  useEffect(() => {
    const { current: element } = bar
    if (!element) return
    const update = () => {
      const isTouch = matchMedia('(hover: none)').matches
      const buttons = [...element.querySelectorAll<HTMLElement>('[data-rank][data-action]')]
      setHidden(
        buttons
          .filter((button) => button.offsetParent === null && !(isTouch && button.dataset.action === 'keys'))
          .map(({ dataset }) => dataset.action)
          .join(' '),
      )
    }
    const resizeObserver = new ResizeObserver(update)
    const mutationObserver = new MutationObserver(update)
    resizeObserver.observe(element)
    mutationObserver.observe(element, { childList: true, subtree: true })
    update()
    return () => {
      resizeObserver.disconnect()
      mutationObserver.disconnect()
    }
  }, [bar])
  return new Set(hidden.split(' '))
}
