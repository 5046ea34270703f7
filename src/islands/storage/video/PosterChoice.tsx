import { useState } from 'react'
import { api } from '#islands/stores/api.ts'
import { showSuccess } from '#islands/stores/notice.ts'
import type { EditorProps } from './editor-props.ts'

/** Chooses the poster. */
export function PosterChoice({ video, base, t }: EditorProps & { base: string }) {
  const [chosen, setChosen] = useState<number | null>(null)
  const shown = chosen ?? video.poster
  const frames = Array.from({ length: video.posters }, (_, number) => number)
  const choose = async (poster: number) => {
    setChosen(poster)
    try {
      await api.storage.choosePoster({ fileId: video.id, poster })
      showSuccess(t('storage:videoEditor.posterChosen'))
    } catch {
      setChosen(null)
    }
  }
  if (video.posters === 0) {
    return (
      <p className="text-muted">
        {t(video.kind === 'audio' ? 'storage:videoEditor.noPosterAudio' : 'storage:videoEditor.noPoster')}
      </p>
    )
  }
  return (
    <fieldset className="grid gap-3">
      <legend className="mb-3 text-muted text-sm">{t('storage:videoEditor.posterHint')}</legend>
      <div className="grid grid-cols-2 gap-3 @md:grid-cols-3">
        {frames.map((number) => (
          <label key={number} className="relative cursor-pointer">
            <input
              type="radio"
              name={`poster-${video.id}`}
              className="peer absolute top-2 left-2 radio radio-primary radio-sm bg-base-100"
              aria-label={t('storage:videoEditor.posterNumber', { number: number + 1 })}
              checked={shown === number}
              onChange={() => void choose(number)}
            />
            <img
              src={`${base}poster/${number}.webp`}
              alt=""
              loading="lazy"
              className="aspect-video w-full rounded-field border border-base-300 bg-base-200 object-cover peer-checked:outline-2 peer-checked:outline-primary peer-checked:outline-offset-2"
            />
          </label>
        ))}
      </div>
    </fieldset>
  )
}
