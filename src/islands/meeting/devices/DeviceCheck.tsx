import { useStore } from '@nanostores/react'
import { useEffect, useRef, useState } from 'react'
import type { PublishFailure } from '#islands/broadcast/publish-state.ts'
import type { WhipPublisher } from '#islands/broadcast/publisher.ts'
import { tabStorage } from '#islands/stores/safe-storage.ts'
import { Button } from '#islands/ui/Button.tsx'
import type { RoomView } from '#lib/meeting/room-schema.ts'
import { StagePreview } from '../stage/StageTile.tsx'
import { useTranslation } from '../translation.ts'
import { useFocusReturn } from '../use-focus-return.ts'
import { DeviceChoices } from './RoomDevices.tsx'
import { preparePublisher, switchDevices } from './stage-publish.ts'

/** Check of camera and microphone before presenters enter the stage. It can be skipped. */
export function DeviceCheck({ view }: { view: RoomView }) {
  const [open, setOpen] = useState(false)
  const storageKey = `meeting.checked.${view.sessionId}`
  // Shown once a tab, so that a reload during the event continues at once.
  useEffect(() => setOpen(!tabStorage.getItem(storageKey)), [storageKey])
  if (!open) return null
  const close = () => {
    tabStorage.setItem(storageKey, '1')
    setOpen(false)
  }
  return <CheckDialog onClose={close} />
}

function CheckDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const [publisher, setPublisher] = useState<WhipPublisher | null>(null)
  const [problem, setProblem] = useState<PublishFailure | null>(null)
  const frame = useRef<HTMLDivElement>(null)
  useFocusReturn(frame, 'microphone')
  useEffect(() => {
    let isMounted = true
    void preparePublisher('camera').then(async (created) => {
      const { failureOf } = await import('#islands/broadcast/capture.ts')
      await created.prepare().catch((error: unknown) => isMounted && setProblem(failureOf(error, 'camera')))
      if (isMounted) setPublisher(created)
    })
    return () => {
      isMounted = false
    }
  }, [])
  const skip = () => {
    publisher?.stop()
    onClose()
  }
  const enter = () => {
    onClose()
    void switchDevices({ mic: true, camera: true })
  }
  return (
    <div
      ref={frame}
      className="stage-over check"
      data-solid=""
      data-check=""
      role="dialog"
      tabIndex={-1}
      aria-label={t('stage:check.title')}
      onKeyDown={({ key }) => key === 'Escape' && skip()}
    >
      <h2 className="text-lg font-semibold">{t('stage:check.title')}</h2>
      {publisher && !problem ? (
        <DevicePreview publisher={publisher} />
      ) : (
        <p className="max-w-prose" role="status">
          {t(problem ? `stage:send.${problem}` : 'stage:check.asking')}
        </p>
      )}
      <p className="flex flex-wrap justify-center gap-2">
        <Button onClick={skip}>{t('stage:check.skip')}</Button>
        <Button tone="primary" onClick={enter}>
          {t('stage:check.enter')}
        </Button>
      </p>
    </div>
  )
}

function DevicePreview({ publisher }: { publisher: WhipPublisher }) {
  const { t } = useTranslation()
  const devices = useStore(publisher.$devices)
  return (
    <>
      <div className="check-picture">
        <StagePreview publisher={publisher} />
        {devices.cameras.length === 0 && <p className="tile-state">{t('stage:check.noCamera')}</p>}
      </div>
      <div className="grid w-full max-w-md gap-3 text-start">
        <DeviceChoices publisher={publisher} />
      </div>
    </>
  )
}
