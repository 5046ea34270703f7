import { useStore } from '@nanostores/react'
import { type FormEvent, useRef, useState } from 'react'
import { Button } from '#islands/ui/Button.tsx'
import type { RoomView } from '#lib/meeting/room-schema.ts'
import { $captionFieldOpen, $captionsShown } from '../bar-state.ts'
import { roomApi } from '../room.ts'
import { useTranslation } from '../translation.ts'
import { useFocusReturn } from '../use-focus-return.ts'
import { showError } from './show-error.ts'
import { $captions } from './stage-captions.ts'

/** Live captions, and the field where staff type them. */
export function StageCaptions({ view }: { view: RoomView }) {
  const captions = useStore($captions)
  const captionsShown = useStore($captionsShown)
  const captionFieldOpen = useStore($captionFieldOpen)
  return (
    <>
      {captionFieldOpen && <CaptionField view={view} />}
      {captionsShown && captions.length > 0 && (
        <div className="stage-captions" aria-live="polite" data-captions="">
          {captions.map(({ id, text, language }) => (
            <p key={id} lang={language}>
              {text}
            </p>
          ))}
        </div>
      )}
    </>
  )
}

function CaptionField({ view }: { view: RoomView }) {
  const { t } = useTranslation()
  const [text, setText] = useState('')
  const field = useRef<HTMLInputElement>(null)
  useFocusReturn(field, 'typeCaption')
  const send = (event: FormEvent) => {
    event.preventDefault()
    const caption = text.trim()
    if (!caption) return
    setText('')
    roomApi.caption({ text: caption, language: view.workshop.language }).catch((error: unknown) => {
      // The text returns to the field to be sent again.
      setText((now) => (now === '' ? caption : now))
      showError(error)
    })
  }
  return (
    <form className="stage-caption-form" onSubmit={send}>
      <label className="sr-only" htmlFor="caption-line">
        {t('stage:captions.label')}
      </label>
      <input
        ref={field}
        id="caption-line"
        className="input input-sm w-full"
        maxLength={500}
        autoComplete="off"
        placeholder={t('stage:captions.hint')}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => event.key === 'Escape' && $captionFieldOpen.set(false)}
      />
      <Button small tone="primary" type="submit">
        {t('stage:captions.send')}
      </Button>
    </form>
  )
}
