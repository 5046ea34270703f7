import { useStore } from '@nanostores/react'
import { Button } from '#islands/ui/Button.tsx'
import { Dialog } from '#islands/ui/Dialog.tsx'
import { MODES } from '#lib/core/shared/event/live-event.ts'
import type { RoomView } from '#lib/meeting/room-schema.ts'
import { type BarAct, type KeySet, keyOf } from './bar-keys.ts'
import { $dialog, askedFrom } from './bar-state.ts'
import { leaveAir } from './devices/stage-publish.ts'
import { $online, act } from './room.ts'
import { failWith } from './stage/stage-fail.ts'
import { useWords } from './stage/stage-words.ts'
import { backTo } from './use-own-focus.ts'

interface Props {
  view: RoomView
  keys: KeySet
}

/** Decisions: to end the event, to leave it; and the list of keys. */
export function RoomDialogs({ view, keys }: Props) {
  const { say } = useWords()
  const dialog = useStore($dialog)
  const online = useStore($online) ?? view.online
  const open = (name: 'finish' | 'leave' | 'keys') => ({
    open: dialog === name,
    focusAfter: () => backTo(askedFrom(), name === 'finish' ? 'start' : name),
    onOpenChange: (next: boolean) => $dialog.set(next ? name : null),
  })
  return (
    <>
      <Dialog
        {...open('finish')}
        title={say('stage:finish.title')}
        text={say('stage:finish.text', { count: online })}
        closeLabel={say('stage:cancel')}
        actions={(close) => (
          <>
            {close}
            <Button
              tone="danger"
              onClick={() => {
                $dialog.set(null)
                void act.finish().catch(failWith)
              }}
            >
              {say('stage:finish.do')}
            </Button>
          </>
        )}
      />
      <Dialog
        {...open('leave')}
        title={say('stage:leave.title')}
        text={say(view.me.role === 'viewer' ? 'stage:leave.text' : 'stage:leave.textStaff')}
        closeLabel={say('stage:cancel')}
        actions={(close) => (
          <>
            {close}
            <Button tone="primary" onClick={() => void leave(view)}>
              {say('stage:leave.do')}
            </Button>
          </>
        )}
      />
      <Dialog {...open('keys')} title={say('stage:keys.title')} closeLabel={say('stage:keys.close')}>
        <dl className="grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-6 gap-y-2 text-sm">
          {rowsOf(keys).map(({ words, key }) => (
            <div key={words} className="col-span-2 grid grid-cols-subgrid">
              <dt>
                <kbd className="kbd">{key}</kbd>
              </dt>
              <dd>{say(words)}</dd>
            </div>
          ))}
        </dl>
      </Dialog>
    </>
  )
}

const LISTED: readonly Exclude<BarAct, object>[] = [
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

function rowsOf(keys: KeySet) {
  const modes =
    keys === 'staff' ? MODES.map((mode) => ({ words: `stage:mode.${mode}` as const, key: keyOf({ mode }, keys) })) : []
  const acts = LISTED.flatMap((one) => {
    const key = keyOf(one, keys)
    const words = one === 'hands' && keys !== 'staff' ? ('stage:keys.hand' as const) : (`stage:keys.${one}` as const)
    return key ? [{ words, key }] : []
  })
  return [...acts.slice(0, 1), ...modes, ...acts.slice(1)]
}

async function leave({ workshop, me }: RoomView): Promise<void> {
  leaveAir()
  // The room notices by itself too, only later.
  await act.leave().catch(() => undefined)
  location.assign(me.kind === 'staff' ? `/workshops/webinar/${workshop.id}` : '/')
}
