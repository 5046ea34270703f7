import { useStore } from '@nanostores/react'
import { type FormEvent, useRef, useState } from 'react'
import { Button } from '#islands/ui/Button.tsx'
import type { RoomView } from '#lib/meeting/room-schema.ts'
import { $captionsOn, $typesCaptions } from '../bar-state.ts'
import { act } from '../room.ts'
import { useOwnFocus } from '../use-own-focus.ts'
import { $captions } from './stage-captions.ts'
import { failWith } from './stage-fail.ts'
import { useWords } from './stage-words.ts'

/** What is being said, in letters, for those who have it on; and where staff type it. */
export function StageCaptions({ view }: { view: RoomView }) {
  const lines = useStore($captions)
  const on = useStore($captionsOn)
  const types = useStore($typesCaptions)
  return (
    <>
      {types && <CaptionField view={view} />}
      {on && lines.length > 0 && (
        <div className="stage-captions" aria-live="polite" data-captions="">
          {lines.map(({ id, text, language }) => (
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
  const { say } = useWords()
  const [text, setText] = useState('')
  const field = useRef<HTMLInputElement>(null)
  useOwnFocus(field, 'typeCaption')
  const send = (event: FormEvent) => {
    event.preventDefault()
    const line = text.trim()
    if (!line) return
    setText('')
    act.caption({ text: line, language: view.workshop.language }).catch((error: unknown) => {
      // Nothing that was typed is lost: it stands there to be sent again.
      setText((now) => (now === '' ? line : now))
      failWith(error)
    })
  }
  return (
    <form className="stage-caption-form" onSubmit={send}>
      <label className="sr-only" htmlFor="caption-line">
        {say('stage:captions.label')}
      </label>
      <input
        ref={field}
        id="caption-line"
        className="input input-sm w-full"
        maxLength={500}
        autoComplete="off"
        placeholder={say('stage:captions.hint')}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => event.key === 'Escape' && $typesCaptions.set(false)}
      />
      <Button small tone="primary" type="submit">
        {say('stage:captions.send')}
      </Button>
    </form>
  )
}
