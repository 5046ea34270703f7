import { Download, Sparkles, Trash2, Upload } from 'lucide-react'
import { useRef, useState } from 'react'
import { Badge } from '#islands/ui/Badge.tsx'
import { Button } from '#islands/ui/Button.tsx'
import { Dialog } from '#islands/ui/dialog/Dialog.tsx'
import { IconButton } from '#islands/ui/IconButton.tsx'
import { ProgressBar } from '#islands/ui/Progress.tsx'
import { Skeleton } from '#islands/ui/Skeleton.tsx'
import { ErrorState } from '#islands/ui/State.tsx'
import { formatRelativeDateTime } from '#lib/core/shared/locale.ts'
import type { CaptionLang } from '#lib/core/shared/stored-file.ts'
import type { EditorProps } from '../video/editor-props.ts'
import type { PlayerHandle } from '../video/player-handle.ts'
import { type CaptionRow, readCaption, type TextGeneration, useCaptions } from '../video/use-video-editor.ts'
import { createCueDraft } from '../video/video-drafts.ts'
import { LengthWarning, SkippedCues } from './CaptionWarnings.tsx'
import { CueEditor } from './CueEditor.tsx'
import { useCaptionTrack } from './use-caption-track.ts'

interface Props extends EditorProps {
  lang: CaptionLang
  player: PlayerHandle
  /** An unsaved draft of this language is on this device. */
  hasDraft: boolean
  reload: () => Promise<void>
}

/** The captions of one language: state, actions and editor. */
export function CaptionTrack(props: Props) {
  const { video, lang, hasDraft, reload, offerUndo, locale, t } = props
  const row = video.captions.find((caption) => caption.lang === lang)
  const generation = video.generations.find((job) => job.kind === 'captions' && job.lang === lang)
  const [open, setOpen] = useState(hasDraft)
  const picker = useRef<HTMLInputElement>(null)
  const name = t(`storage:captions.lang.${lang}`)
  const track = useCaptionTrack({
    fileId: video.id,
    lang,
    name: video.name,
    exists: row !== undefined,
    reload,
    offer: offerUndo,
    t,
  })
  const waits = generation?.state === 'queued' || generation?.state === 'running'
  const verb = open ? 'close' : row ? 'edit' : 'write'
  return (
    <li className="grid gap-3 border-base-300 border-t py-4">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h3 className="font-semibold">{name}</h3>
        <CaptionState row={row} t={t} />
        {row && (
          <span className="text-muted text-sm">
            {t('storage:captions.changed', { at: formatRelativeDateTime(row.updatedAt, localTimeZone(), locale) })}
          </span>
        )}
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <Button
          small
          aria-expanded={open}
          aria-label={t(`storage:captions.${verb}Of`, { lang: name })}
          onClick={() => setOpen(!open)}
        >
          {t(`storage:captions.${verb}`)}
        </Button>
        <Button
          small
          busy={track.busy}
          icon={<Upload size={18} aria-hidden="true" />}
          aria-label={t('storage:captions.uploadOf', { lang: name })}
          onClick={() => picker.current?.click()}
        >
          {t('storage:captions.upload')}
        </Button>
        <input
          ref={picker}
          type="file"
          hidden
          accept=".vtt,.srt,text/vtt,application/x-subrip"
          aria-label={t('storage:captions.uploadOf', { lang: name })}
          onChange={({ target }) => {
            const [file] = target.files ?? []
            if (file) void track.upload(file)
            // Choosing the same file again retries.
            target.value = ''
          }}
        />
        {video.machine && !waits && <GenerateButton row={row} name={name} onTranscribe={track.transcribe} t={t} />}
        {row && (
          <span className="flex">
            <IconButton
              icon={Download}
              label={t('storage:captions.downloadOf', { lang: name })}
              onClick={() => void track.download()}
            />
            <IconButton
              icon={Trash2}
              label={t('storage:captions.removeOf', { lang: name })}
              onClick={() => {
                setOpen(false)
                void track.remove()
              }}
            />
          </span>
        )}
      </div>
      {track.refusal && (
        <p role="alert" className="field-error">
          {track.refusal}
        </p>
      )}
      {track.report && <SkippedCues report={track.report} onClose={track.closeReport} t={t} />}
      <LengthWarning row={row} duration={video.duration} t={t} />
      <GenerationState generation={generation} t={t} />
      {open && <Editor {...props} row={row} name={name} />}
    </li>
  )
}

function CaptionState({ row, t }: { row: CaptionRow | undefined } & Pick<Props, 't'>) {
  if (!row) return <Badge>{t('storage:captions.none')}</Badge>
  return row.auto ? (
    <Badge tone="warning">{t('storage:captions.auto')}</Badge>
  ) : (
    <Badge tone="success">{t('storage:captions.byHand')}</Badge>
  )
}

function GenerationState({ generation, t }: { generation: TextGeneration | undefined } & Pick<Props, 't'>) {
  if (generation?.state === 'queued') return <ProgressBar share={null} label={t('storage:generation.queued')} />
  if (generation?.state === 'running') {
    return <ProgressBar share={generation.progress / 100} label={t('storage:generation.running')} />
  }
  if (generation?.state !== 'failed' || !generation.failure) return null
  return (
    <p role="status" className="field-error">
      {t('storage:generation.failed')} {t(`storage:generation.failure.${generation.failure}`)}
    </p>
  )
}

interface GenerateButtonProps extends Pick<Props, 't'> {
  row: CaptionRow | undefined
  name: string
  onTranscribe(replace: boolean): Promise<void>
}

/** Captions that were written manually are replaced only after a confirmation; generated ones immediately. */
function GenerateButton({ row, name, onTranscribe, t }: GenerateButtonProps) {
  const [isConfirming, setIsConfirming] = useState(false)
  const isWrittenManually = row !== undefined && !row.auto
  const verb = row ? 'generateAgain' : 'generate'
  return (
    <>
      <Button
        small
        icon={<Sparkles size={18} aria-hidden="true" />}
        aria-label={t(`storage:captions.${verb}Of`, { lang: name })}
        onClick={() => (isWrittenManually ? setIsConfirming(true) : void onTranscribe(false))}
      >
        {t(`storage:captions.${verb}`)}
      </Button>
      <Dialog
        title={t('storage:captions.replaceTitle')}
        text={t('storage:captions.replaceText', { lang: name })}
        open={isConfirming}
        onOpenChange={setIsConfirming}
        closeLabel={t('shell:button.cancel')}
        actions={(close) => (
          <>
            {close}
            <Button
              tone="danger"
              onClick={() => {
                setIsConfirming(false)
                void onTranscribe(true)
              }}
            >
              {t('storage:captions.replace')}
            </Button>
          </>
        )}
      />
    </>
  )
}

function Editor({
  video,
  owner,
  lang,
  row,
  name,
  player,
  reload,
  offerUndo,
  locale,
  t,
}: Props & { row: CaptionRow | undefined; name: string }) {
  const { loaded, failed, loadCaption } = useCaptions(video.id, lang, row !== undefined)
  if (failed) {
    return (
      <ErrorState
        title={t('storage:videoEditor.failed')}
        text={t('storage:videoEditor.failedHint')}
        retryLabel={t('storage:generation.retry')}
        onRetry={() => void loadCaption()}
      />
    )
  }
  if (!loaded) return <Skeleton shape="rows" label={t('storage:videoEditor.loading')} />
  const onSaved = () => void reload()
  const { duration } = video
  const draft = createCueDraft({ fileId: video.id, owner, title: video.name, lang, duration, loaded, t, onSaved })
  const label = t('storage:captions.cues', { lang: name })
  const server = {
    changedAt: row?.updatedAt ?? null,
    loadedAt: loaded.updatedAt,
    read: () => readDraftText(video.id, lang),
  }
  return (
    <CueEditor
      draft={draft}
      server={server}
      label={label}
      duration={duration}
      player={player}
      offer={offerUndo}
      locale={locale}
      t={t}
    />
  )
}

async function readDraftText(fileId: string, lang: CaptionLang) {
  const { version, cues } = await readCaption(fileId, lang)
  return { version, value: cues }
}

const localTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone
