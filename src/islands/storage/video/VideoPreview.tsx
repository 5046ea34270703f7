import { useEffect, useState } from 'react'
import Player from '#islands/player/Player.tsx'
import { api } from '#islands/stores/api.ts'
import { Skeleton } from '#islands/ui/Skeleton.tsx'
import type { Strings } from '#lib/core/shared/text/strings.ts'
import type { PlaybackView } from '#lib/storage/schema.ts'
import type { StorageI18n } from '../file-text.ts'
import { loadStrings } from '../load-strings.ts'

interface Props {
  fileId: string
  i18n: StorageI18n
  onFail: () => void
}

/** Plays a video or audio file. */
export default function VideoPreview({ fileId, i18n, onFail }: Props) {
  const [video, setVideo] = useState<{ view: PlaybackView; strings: Strings } | null>(null)
  useEffect(() => {
    let current = true
    const view = api.storage.getPlayback({ fileId }, { context: { isQuiet: true } })
    Promise.all([view, loadStrings(i18n.locale, 'player')]).then(
      ([view, strings]) => current && setVideo({ view, strings }),
      onFail,
    )
    return () => {
      current = false
    }
  }, [fileId, i18n.locale, onFail])
  if (!video) return <Skeleton shape="lines" label={i18n.t('storage:details.loading')} />
  return (
    <div className="w-full">
      <Player {...video} locale={i18n.locale} />
    </div>
  )
}
