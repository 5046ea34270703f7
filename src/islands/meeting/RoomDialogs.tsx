import { useStore } from '@nanostores/react'
import { Button } from '#islands/ui/Button.tsx'
import { Dialog } from '#islands/ui/dialog/Dialog.tsx'
import { PRESENTATION_MODES } from '#lib/core/shared/event/live-event.ts'
import type { RoomView } from '#lib/meeting/room-schema.ts'
import { hasRight } from '#lib/workshop/rules.ts'
import { areStaffKeys, type KeySet, type RoomCommand, shortcutOf } from './bar-shortcuts.ts'
import { $dialog, getDialogOpener } from './bar-state.ts'
import { stopPublishing } from './devices/stage-publish.ts'
import { $onlineCount, roomApi } from './room.ts'
import { showError } from './stage/show-error.ts'
import { useTranslation } from './translation.ts'
import { findFocusTarget } from './use-focus-return.ts'

interface Props {
  view: RoomView
  keys: KeySet
}

/** Dialogs that confirm finishing or leaving the event, and the list of keyboard shortcuts. */
export function RoomDialogs({ view, keys }: Props) {
  const { t } = useTranslation()
  const dialog = useStore($dialog)
  const online = useStore($onlineCount) ?? view.online
  const dialogProps = (name: 'finish' | 'leave' | 'keys') => ({
    open: dialog === name,
    focusAfter: () => findFocusTarget(getDialogOpener(), name === 'finish' ? 'start' : name),
    onOpenChange: (next: boolean) => $dialog.set(next ? name : null),
  })
  return (
    <>
      <Dialog
        {...dialogProps('finish')}
        title={t('stage:finish.title')}
        text={
          view.mentoring || view.kind === 'rehearsal'
            ? t('stage:finish.textSession')
            : t('stage:finish.text', { count: online })
        }
        closeLabel={t('stage:cancel')}
        actions={(close) => (
          <>
            {close}
            <Button
              tone="danger"
              onClick={() => {
                $dialog.set(null)
                void roomApi.finish().catch(showError)
              }}
            >
              {t('stage:finish.do')}
            </Button>
          </>
        )}
      />
      <Dialog
        {...dialogProps('leave')}
        title={t('stage:leave.title')}
        text={t(hasRight(view.me.role, 'moderate') ? 'stage:leave.textStaff' : 'stage:leave.text')}
        closeLabel={t('stage:cancel')}
        actions={(close) => (
          <>
            {close}
            <Button tone="primary" onClick={() => void leaveRoom(view)}>
              {t('stage:leave.do')}
            </Button>
          </>
        )}
      />
      <Dialog {...dialogProps('keys')} title={t('stage:keys.title')} closeLabel={t('stage:keys.close')}>
        <dl className="grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-6 gap-y-2 text-sm">
          {shortcutRows(keys).map(({ words, key }) => (
            <div key={words} className="col-span-2 grid grid-cols-subgrid">
              <dt>
                <kbd className="kbd">{key}</kbd>
              </dt>
              <dd>{t(words)}</dd>
            </div>
          ))}
        </dl>
      </Dialog>
    </>
  )
}

const LISTED_COMMANDS: readonly Exclude<RoomCommand, object>[] = [
  'start',
  'microphone',
  'camera',
  'screen',
  'devices',
  'previous',
  'next',
  'thumbs',
  'launcher',
  'hands',
  'typeCaption',
  'sound',
  'captions',
  'saving',
  'fullscreen',
  'panel',
  'leave',
  'keys',
]

function shortcutRows(keys: KeySet) {
  const modes = areStaffKeys(keys)
    ? PRESENTATION_MODES.map((mode) => ({ words: `stage:mode.${mode}` as const, key: shortcutOf({ mode }, keys) }))
    : []
  const actions = LISTED_COMMANDS.flatMap((command) => {
    const key = shortcutOf(command, keys)
    const text =
      command === 'hands' && !areStaffKeys(keys) ? ('stage:keys.hand' as const) : (`stage:keys.${command}` as const)
    return key ? [{ words: text, key }] : []
  })
  return [...actions.slice(0, 1), ...modes, ...actions.slice(1)]
}

async function leaveRoom({ workshop, me, exitPath }: RoomView): Promise<void> {
  stopPublishing()
  // Without this call the server notices the absence later, when the connection times out.
  await roomApi.leave().catch(() => undefined)
  location.assign(exitPath ?? (me.kind === 'staff' ? `/workshops/webinar/${workshop.id}` : '/'))
}
