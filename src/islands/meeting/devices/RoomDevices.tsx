import { useStore } from '@nanostores/react'
import { useEffect } from 'react'
import type { WhipPublisher } from '#islands/broadcast/publisher.ts'
import { Button } from '#islands/ui/Button.tsx'
import type { RoomView } from '#lib/meeting/room-schema.ts'
import { hasRight } from '#lib/workshop/rules.ts'
import { useTranslation } from '../translation.ts'
import { LevelMeter } from './LevelMeter.tsx'
import { RoomEncoder } from './RoomEncoder.tsx'
import { SpeakerTest } from './SpeakerTest.tsx'
import {
  $publishers,
  isPublishing,
  preparePublisher,
  selectCamera,
  selectMicrophone,
  stopPublishing,
} from './stage-publish.ts'

/** Selection of camera and microphone, also while publishing. */
export function RoomDevices({ view }: { view: RoomView }) {
  const { t } = useTranslation()
  const { camera } = useStore($publishers)
  useEffect(() => void preparePublisher('camera').catch(() => undefined), [])
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      {camera ? <PublisherDevices publisher={camera} /> : <p>{t('stage:devices.none')}</p>}
      {hasRight(view.me.role, 'present') && !view.mentoring && <RoomEncoder view={view} />}
    </div>
  )
}

function PublisherDevices({ publisher }: { publisher: WhipPublisher }) {
  const { t } = useTranslation()
  useStore(publisher.$state)
  return (
    <div className="grid gap-4">
      <DeviceChoices publisher={publisher} />
      {isPublishing(publisher) && (
        <Button tone="danger" onClick={stopPublishing}>
          {t('stage:devices.leave')}
        </Button>
      )}
    </div>
  )
}

/** Selects for camera and microphone, the input level and a speaker test. */
export function DeviceChoices({ publisher }: { publisher: WhipPublisher }) {
  const { t } = useTranslation()
  const devices = useStore(publisher.$devices)
  return (
    <>
      <DeviceSelect
        name="camera"
        label={t('stage:devices.camera')}
        options={devices.cameras}
        value={devices.camera}
        onChoose={(id) => void selectCamera(publisher, id)}
      />
      <DeviceSelect
        name="microphone"
        label={t('stage:devices.microphone')}
        options={devices.microphones}
        value={devices.microphone}
        onChoose={(id) => void selectMicrophone(publisher, id)}
      />
      <MicrophoneLevel publisher={publisher} />
      <SpeakerTest />
    </>
  )
}

function MicrophoneLevel({ publisher }: { publisher: WhipPublisher }) {
  const { t } = useTranslation()
  return <LevelMeter label={t('stage:devices.level')} level={useStore(publisher.$level)} />
}

interface ChoiceProps {
  name: string
  label: string
  options: readonly { id: string; label: string }[]
  value: string | null
  onChoose: (id: string) => void
}

/** Select for one kind of device. Without permission browsers do not disclose device names. */
function DeviceSelect({ name, label, options, value, onChoose }: ChoiceProps) {
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
        {options.map((device, index) => (
          <option key={device.id} value={device.id}>
            {device.label || t('stage:devices.unnamed', { number: index + 1 })}
          </option>
        ))}
      </select>
    </div>
  )
}
