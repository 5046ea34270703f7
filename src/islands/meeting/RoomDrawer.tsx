import { X } from 'lucide-react'
import { useRef } from 'react'
import type { RoomView } from '#lib/meeting/room-schema.ts'
import { $drawer, type Drawer } from './bar-state.ts'
import { RoomDevices } from './devices/RoomDevices.tsx'
import { RoomLauncher } from './RoomLauncher.tsx'
import { RaisedHands } from './stage/RaisedHands.tsx'
import { SlideThumbnails } from './stage/SlideThumbnails.tsx'
import { useTranslation } from './translation.ts'
import { useFocusReturn } from './use-focus-return.ts'

const INSIDE = { devices: RoomDevices, thumbs: SlideThumbnails, launcher: RoomLauncher, hands: RaisedHands }

/** The drawer of a bar command: next to the stage, on a phone below it; Esc closes it. */
export function RoomDrawer({ view, drawer }: { view: RoomView; drawer: Drawer }) {
  const { t } = useTranslation()
  const Inside = INSIDE[drawer]
  const frame = useRef<HTMLElement>(null)
  useFocusReturn(frame, drawer)
  return (
    <section
      ref={frame}
      className="drawer"
      tabIndex={-1}
      aria-label={t(`stage:drawer.${drawer}`)}
      onKeyDown={(event) => event.key === 'Escape' && $drawer.set(null)}
    >
      <div className="drawer-head">
        <h2 className="font-semibold">{t(`stage:drawer.${drawer}`)}</h2>
        <button type="button" className="btn btn-ghost btn-sm" onClick={() => $drawer.set(null)}>
          <X size={16} aria-hidden="true" />
          <span className="sr-only">{t('stage:drawer.close')}</span>
        </button>
      </div>
      <div className="drawer-body">
        <Inside view={view} />
      </div>
    </section>
  )
}
