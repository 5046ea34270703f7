import { useEffect, useId, useMemo, useState } from 'react'
import Player from '#islands/player/Player.tsx'
import { listDrafts } from '#islands/stores/draft/device-draft-store.ts'
import { Skeleton } from '#islands/ui/Skeleton.tsx'
import { ErrorState } from '#islands/ui/State.tsx'
import { Tabs } from '#islands/ui/Tabs.tsx'
import type { Locale } from '#lib/core/shared/locale.ts'
import { CAPTION_LANGS } from '#lib/core/shared/stored-file.ts'
import { createTranslator, type Strings, type Translate } from '#lib/core/shared/text/strings.ts'
import { CaptionTrack } from '../caption/CaptionTrack.tsx'
import { UndoBar, useUndo } from '../UndoBar.tsx'
import { ChaptersEditor } from './ChaptersEditor.tsx'
import { PosterChoice } from './PosterChoice.tsx'
import { usePlayerHandle } from './player-handle.ts'
import { TextsEditor } from './TextsEditor.tsx'
import { type PlaybackView, useVideoEditor, type VideoEditorView } from './use-video-editor.ts'
import { cueDraftKey } from './video-drafts.ts'

export type EditorTab = 'texts' | 'captions' | 'chapters' | 'poster'

export interface VideoEditorProps {
  fileId: string
  /** The tab that is shown first, unless captions have an unsaved draft. */
  part?: EditorTab | undefined
  /** The namespaces `storage`, `player` and `shell`. */
  strings: Strings
  locale: Locale
}

/** Editor of name, captions, chapters and poster of a video or audio file. Loads its data. */
export default function VideoEditor({ fileId, part = 'texts', strings, locale }: VideoEditorProps) {
  const t = useMemo(() => createTranslator(strings, locale), [strings, locale])
  const { loaded, failure, loadVideo } = useVideoEditor(fileId)
  const draftKeys = useDraftKeys(fileId, loaded?.view.memberId)
  if (failure && (!loaded || failure.status === 404)) {
    return (
      <ErrorState
        title={t('storage:videoEditor.failed')}
        text={failure.unexpected ? t('storage:videoEditor.failedHint') : failure.message}
        retryLabel={t('storage:generation.retry')}
        onRetry={() => void loadVideo()}
      />
    )
  }
  if (!loaded || !draftKeys) return <Skeleton shape="rows" count={4} label={t('storage:videoEditor.loading')} />
  return (
    <LoadedEditor
      key={fileId}
      {...loaded}
      part={part}
      draftKeys={draftKeys}
      changed={loadVideo}
      strings={strings}
      locale={locale}
      t={t}
    />
  )
}

interface LoadedEditorProps {
  part: EditorTab
  video: VideoEditorView
  view: PlaybackView
  draftKeys: ReadonlySet<string>
  changed: () => Promise<void>
  strings: Strings
  locale: Locale
  t: Translate
}

function LoadedEditor({ part, video, view, draftKeys, changed, strings, locale, t }: LoadedEditorProps) {
  const { place, begun, player } = usePlayerHandle()
  const label = useId()
  const captions = CAPTION_LANGS.map((lang) => cueDraftKey(video.id, lang))
  const [tab, setTab] = useState<string>(captions.some((key) => draftKeys.has(key)) ? 'captions' : part)
  const { offer: offerUndo, bar } = useUndo()
  const parts = { video, owner: view.memberId, locale, offerUndo, t }
  const tracks = view.captions.map(({ lang }) => lang).join()
  // A changed set of languages remounts the player, but not while it plays.
  const [shown, setShown] = useState(tracks)
  useEffect(() => {
    if (player.currentSeconds() === null) setShown(tracks)
  }, [player, tracks])
  const tabs = [
    { key: 'texts', label: t('storage:videoEditor.texts'), panel: <TextsEditor {...parts} /> },
    {
      key: 'captions',
      label: t('storage:videoEditor.captions'),
      panel: (
        <>
          <p className="mb-4 max-w-prose text-muted text-sm">{t('storage:captions.hint')}</p>
          <ul aria-label={t('storage:captions.langs')}>
            {CAPTION_LANGS.map((lang) => (
              <CaptionTrack
                key={lang}
                {...parts}
                lang={lang}
                player={player}
                reload={changed}
                hasDraft={draftKeys.has(cueDraftKey(video.id, lang))}
              />
            ))}
          </ul>
        </>
      ),
    },
    { key: 'chapters', label: t('storage:videoEditor.chapters'), panel: <ChaptersEditor {...parts} player={player} /> },
    { key: 'poster', label: t('storage:videoEditor.poster'), panel: <PosterChoice {...parts} base={view.base} /> },
  ]
  return (
    <section aria-labelledby={label} className="@container">
      <h2 id={label} className="sr-only">
        {t('storage:videoEditor.label', { name: video.name })}
      </h2>
      {/* In a wide layout the player remains visible next to the captions. */}
      <div className="grid grid-cols-1 items-start gap-4 @4xl:grid-cols-[2fr_3fr] @4xl:gap-6">
        <div ref={place} className="@4xl:sticky @4xl:top-0">
          <Player key={`${begun} ${shown}`} view={view} strings={strings} locale={locale} autoPlay={begun} />
        </div>
        <div className="@container min-w-0">
          <Tabs label={t('storage:videoEditor.parts')} tabs={tabs} value={tab} onChange={setTab} keepMounted />
        </div>
      </div>
      <UndoBar bar={bar} t={t} />
    </section>
  )
}

/** Keys of this file's drafts on this device; null until loaded. */
function useDraftKeys(fileId: string, owner: string | undefined): ReadonlySet<string> | null {
  const [draftKeys, setDraftKeys] = useState<ReadonlySet<string> | null>(null)
  useEffect(() => {
    if (!owner) return
    listDrafts(owner).then(
      (drafts) => setDraftKeys(new Set(drafts.map(({ key }) => key).filter((key) => key.includes(fileId)))),
      () => setDraftKeys(new Set()),
    )
  }, [fileId, owner])
  return draftKeys
}
