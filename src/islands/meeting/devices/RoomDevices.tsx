import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import type { Publisher } from '#islands/broadcast/publisher.ts'
import { Button } from '#islands/ui/Button.tsx'
import type { RoomView } from '#lib/meeting/room-schema.ts'
import { hasRight } from '#lib/workshop/rules.ts'
import { useTranslation } from '../translation.ts'
import { Meter } from './LevelMeter.tsx'
import { RoomEncoder } from './RoomEncoder.tsx'
import { SpeakerTest } from './SpeakerTest.tsx'
import { $publishers, isSending, leaveAir, prepare, takeCamera, takeMicrophone } from './stage-publish.ts'

/** Other camera, other microphone, in the middle of the broadcast and without joining anew. */
export function RoomDevices({ view }: { view: RoomView }) {
  const { t } = useTranslation()
  const { camera } = useStore($publishers)
  useEffect(() => void prepare('camera').catch(() => undefined), [])
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      {camera ? <Devices publisher={camera} /> : <p>{t('stage:devices.none')}</p>}
      {hasRight(view.me.role, 'present') && <RoomEncoder view={view} />}
    </div>
  )
}

function Devices({ publisher }: { publisher: Publisher }) {
  const { t } = useTranslation()
  useStore(publisher.$state)
  return (
    <div className="grid gap-4">
      <DeviceChoices publisher={publisher} />
      {isSending(publisher) && (
        <Button tone="danger" onClick={leaveAir}>
          {t('stage:devices.leave')}
        </Button>
      )}
    </div>
  )
}

/** Which camera and microphone are used, and whether one is heard and hears. */
export function DeviceChoices({ publisher }: { publisher: Publisher }) {
  const { t } = useTranslation()
  const devices = useStore(publisher.$devices)
  return (
    <>
      <Choice
        name="camera"
        label={t('stage:devices.camera')}
        options={devices.cameras}
        value={devices.camera}
        onChoose={(id) => void takeCamera(publisher, id)}
      />
      <Choice
        name="microphone"
        label={t('stage:devices.microphone')}
        options={devices.microphones}
        value={devices.microphone}
        onChoose={(id) => void takeMicrophone(publisher, id)}
      />
      <Level publisher={publisher} />
      <SpeakerTest />
    </>
  )
}

function Level({ publisher }: { publisher: Publisher }) {
  const { t } = useTranslation()
  return <Meter label={t('stage:devices.level')} level={useStore(publisher.$level)} />
}

interface ChoiceProps {
  name: string
  label: string
  options: readonly { id: string; label: string }[]
  value: string | null
  onChoose: (id: string) => void
}

/** One device of several; without leave to use them browsers tell no names. */
function Choice({ name, label, options, value, onChoose }: ChoiceProps) {
  const { t } = useTranslation()
  return (
    <div className="field">
      <label className="field-label" htmlFor={`device-${name}`}>
        {label}
      </label>
      <select
        id={`device-${name}`}
        className="select w-full"
        value={value ?? ''}
        onChange={(event) => onChoose(event.currentTarget.value)}
      >
        {options.length === 0 && <option value="">{t('stage:devices.notFound')}</option>}
        {options.map((one, index) => (
          <option key={one.id} value={one.id}>
            {one.label || t('stage:devices.unnamed', { number: index + 1 })}
          </option>
        ))}
      </select>
    </div>
  )
}
