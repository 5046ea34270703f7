import { useStore } from '@nanostores/react'
import { Check, Copy } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import { Button } from '#islands/ui/Button.tsx'
import { Dialog } from '#islands/ui/dialog/Dialog.tsx'
import type { RoomView } from '#lib/meeting/room-schema.ts'
import type { EncoderSource } from '#lib/meeting/stage/schema.ts'
import { $encoderSources, $state } from '../room.ts'
import { SourcePicture } from '../stage/StageTile.tsx'
import { useTranslation } from '../translation.ts'
import { $encoder, loadEncoder, setEncoderOnStage, switchEncoder } from './stage-encoder.ts'

/** Encoders such as OBS that publish by WHIP: address, token, and the streams that can be put on the stage. */
export function RoomEncoder({ view }: { view: RoomView }) {
  const { t } = useTranslation()
  const encoder = useStore($encoder)
  const sources = useStore($encoderSources)
  useEffect(() => void loadEncoder(), [])
  return (
    <section className="grid gap-3 border-base-300 border-t pt-4" data-encoder="">
      <h3 className="font-semibold">{t('stage:encoder.title')}</h3>
      <p className="text-muted text-sm">{t('stage:encoder.about')}</p>
      {sources.map((source) => (
        <EncoderSourceRow key={source.stream} source={source} view={view} />
      ))}
      {encoder && <EncoderAccess {...encoder} />}
    </section>
  )
}

function EncoderAccess({ endpoint, token }: { endpoint: string; token: string | null }) {
  const { t } = useTranslation()
  const [busy, setBusy] = useState(false)
  const change = (isEnabled: boolean) => {
    setBusy(true)
    void switchEncoder(isEnabled).finally(() => setBusy(false))
  }
  if (token === null) {
    return (
      <Button tone="primary" busy={busy} className="justify-self-start" onClick={() => change(true)}>
        {t('stage:encoder.create')}
      </Button>
    )
  }
  return (
    <>
      <CopyField label={t('stage:encoder.address')} value={new URL(endpoint, location.origin).href} />
      <CopyField label={t('stage:encoder.token')} value={token} secret />
      <p className="text-muted text-sm">{t('stage:encoder.settings')}</p>
      <p className="flex flex-wrap gap-2">
        <ConfirmedChange name="renew" busy={busy} onConfirm={() => change(true)} />
        <ConfirmedChange name="revoke" busy={busy} onConfirm={() => change(false)} />
      </p>
    </>
  )
}

interface ConfirmedChangeProps {
  name: 'renew' | 'revoke'
  busy: boolean
  onConfirm: () => void
}

/**
 * A button that revokes the token. It requires a confirmation, since a stream published with the token ends with it.
 */
function ConfirmedChange({ name, busy, onConfirm }: ConfirmedChangeProps) {
  const { t } = useTranslation()
  const [isOpen, setIsOpen] = useState(false)
  const tone = name === 'revoke' ? 'danger' : 'plain'
  return (
    <Dialog
      open={isOpen}
      onOpenChange={setIsOpen}
      trigger={
        <Button small tone={tone} busy={busy}>
          {t(`stage:encoder.${name}`)}
        </Button>
      }
      title={t(`stage:encoder.${name}Title`)}
      text={t(`stage:encoder.${name}Text`)}
      closeLabel={t('stage:cancel')}
      actions={(close) => (
        <>
          {close}
          <Button
            tone="danger"
            onClick={() => {
              setIsOpen(false)
              onConfirm()
            }}
          >
            {t(`stage:encoder.${name}`)}
          </Button>
        </>
      )}
    />
  )
}

function CopyField({ label, value, secret }: { label: string; value: string; secret?: boolean }) {
  const { t } = useTranslation()
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [copied, setCopied] = useState<string | null>(null)
  const copy = async () => {
    // Without permission for the clipboard the text is selected for copying by keyboard.
    await navigator.clipboard.writeText(value).then(
      () => setCopied(value),
      () => input.current?.select(),
    )
  }
  const Icon = copied === value ? Check : Copy
  return (
    <div className="field">
      <label className="field-label" htmlFor={id}>
        {label}
      </label>
      <span className="flex gap-2">
        <input
          ref={input}
          id={id}
          className="input min-w-0 flex-1"
          type={secret ? 'password' : 'text'}
          autoComplete="off"
          readOnly
          value={value}
          onFocus={(event) => event.currentTarget.select()}
        />
        <Button icon={<Icon size={16} aria-hidden="true" />} onClick={() => void copy()}>
          {t(copied === value ? 'stage:encoder.copied' : 'stage:encoder.copy')}
          <span className="sr-only">: {label}</span>
        </Button>
      </span>
    </div>
  )
}

function EncoderSourceRow({ source, view }: { source: EncoderSource; view: RoomView }) {
  const { t } = useTranslation()
  const { onAir } = useStore($state) ?? view.state
  const isOnStage = onAir.some(({ stream }) => stream === source.stream)
  const name = t('stage:encoder.source', { name: source.name })
  return (
    <div className="card-line grid gap-2 p-2" data-source={source.stream}>
      <p role="status">{name}</p>
      {!isOnStage && (
        <div className="check-picture">
          <SourcePicture stream={source.stream} />
        </div>
      )}
      <Button
        small
        tone={isOnStage ? 'plain' : 'primary'}
        className="justify-self-start"
        onClick={() => setEncoderOnStage(source, !isOnStage)}
      >
        {t(isOnStage ? 'stage:encoder.takeOff' : 'stage:encoder.putOn')}
      </Button>
    </div>
  )
}
