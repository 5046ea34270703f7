import { Download, Sparkles, Trash2, Upload } from 'lucide-react'
import { useRef, useState } from 'react'
import { Badge } from '#islands/ui/Badge.tsx'
import { Button } from '#islands/ui/Button.tsx'
import { Dialog } from '#islands/ui/Dialog.tsx'
import { ProgressBar } from '#islands/ui/Progress.tsx'
import { Skeleton } from '#islands/ui/Skeleton.tsx'
import { ErrorState } from '#islands/ui/State.tsx'
import { formatMoment } from '#lib/core/shared/locale.ts'
import type { CaptionLang } from '#lib/core/shared/storing.ts'
import { IconButton } from '../IconButton.tsx'
import type { DeskParts } from '../video/editor-props.ts'
import type { FilmHandle } from '../video/player-handle.ts'
import { type CaptionRow, type Generation, readCaption, useCaption } from '../video/use-video-editor.ts'
import { cueDraft } from '../video/video-drafts.ts'
import { LengthWarning, SkippedCues } from './CaptionWarnings.tsx'
import { CueEditor } from './CueEditor.tsx'
import { useCaptionLine } from './use-caption-track.ts'

interface Props extends DeskParts {
  lang: CaptionLang
  film: FilmHandle
  /** Words of this language that the server never got wait on this device. */
  kept: boolean
  changed: () => Promise<void>
}

/** The captions of one language: how they stand, what can be done, and their editor. */
export function CaptionLine(props: Props) {
  const { desk, lang, kept, changed, offer, locale, say } = props
  const row = desk.captions.find((one) => one.lang === lang)
  const asked = desk.generations.find((one) => one.kind === 'captions' && one.lang === lang)
  const [open, setOpen] = useState(kept)
  const picker = useRef<HTMLInputElement>(null)
  const name = say(`storage:captions.lang.${lang}`)
  const line = useCaptionLine({ fileId: desk.id, lang, name: desk.name, there: row !== undefined, changed, offer, say })
  const waits = asked?.state === 'queued' || asked?.state === 'running'
  const verb = open ? 'close' : row ? 'edit' : 'write'
  return (
    <li className="grid gap-3 border-base-300 border-t py-4">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h3 className="font-semibold">{name}</h3>
        <State row={row} say={say} />
        {row && (
          <span className="text-muted text-sm">
            {say('storage:captions.changed', { at: formatMoment(row.updatedAt, zoneHere(), locale) })}
          </span>
        )}
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <Button
          small
          aria-expanded={open}
          aria-label={say(`storage:captions.${verb}Of`, { lang: name })}
          onClick={() => setOpen(!open)}
        >
          {say(`storage:captions.${verb}`)}
        </Button>
        <Button
          small
          busy={line.busy}
          icon={<Upload size={18} aria-hidden="true" />}
          aria-label={say('storage:captions.uploadOf', { lang: name })}
          onClick={() => picker.current?.click()}
        >
          {say('storage:captions.upload')}
        </Button>
        <input
          ref={picker}
          type="file"
          hidden
          accept=".vtt,.srt,text/vtt,application/x-subrip"
          aria-label={say('storage:captions.uploadOf', { lang: name })}
          onChange={({ target }) => {
            const [file] = target.files ?? []
            if (file) void line.take(file)
            // The same file picked again is another try.
            target.value = ''
          }}
        />
        {desk.machine && !waits && <Recognise row={row} name={name} recognise={line.recognise} say={say} />}
        {row && (
          <span className="flex">
            <IconButton
              icon={Download}
              label={say('storage:captions.downloadOf', { lang: name })}
              onClick={() => void line.give()}
            />
            <IconButton
              icon={Trash2}
              label={say('storage:captions.removeOf', { lang: name })}
              onClick={() => {
                setOpen(false)
                void line.remove()
              }}
            />
          </span>
        )}
      </div>
      {line.refusal && (
        <p role="alert" className="field-error">
          {line.refusal}
        </p>
      )}
      {line.report && <SkippedCues report={line.report} onClose={line.closeReport} say={say} />}
      <LengthWarning row={row} duration={desk.duration} say={say} />
      <Making asked={asked} say={say} />
      {open && <Editor {...props} row={row} name={name} />}
    </li>
  )
}

function State({ row, say }: { row: CaptionRow | undefined } & Pick<Props, 'say'>) {
  if (!row) return <Badge>{say('storage:captions.none')}</Badge>
  return row.auto ? (
    <Badge tone="warning">{say('storage:captions.auto')}</Badge>
  ) : (
    <Badge tone="success">{say('storage:captions.byHand')}</Badge>
  )
}

function Making({ asked, say }: { asked: Generation | undefined } & Pick<Props, 'say'>) {
  if (asked?.state === 'queued') return <ProgressBar share={null} label={say('storage:generation.queued')} />
  if (asked?.state === 'running') {
    return <ProgressBar share={asked.progress / 100} label={say('storage:generation.running')} />
  }
  if (asked?.state !== 'failed' || !asked.failure) return null
  return (
    <p role="status" className="field-error">
      {say('storage:generation.failed')} {say(`storage:generation.why.${asked.failure}`)}
    </p>
  )
}

interface RecogniseProps extends Pick<Props, 'say'> {
  row: CaptionRow | undefined
  name: string
  recognise: (replace: boolean) => Promise<void>
}

/** What a person wrote is replaced only when that was said; what a machine made is made again at once. */
function Recognise({ row, name, recognise, say }: RecogniseProps) {
  const [asking, setAsking] = useState(false)
  const byHand = row !== undefined && !row.auto
  const verb = row ? 'generateAgain' : 'generate'
  return (
    <>
      <Button
        small
        icon={<Sparkles size={18} aria-hidden="true" />}
        aria-label={say(`storage:captions.${verb}Of`, { lang: name })}
        onClick={() => (byHand ? setAsking(true) : void recognise(false))}
      >
        {say(`storage:captions.${verb}`)}
      </Button>
      <Dialog
        title={say('storage:captions.replaceTitle')}
        text={say('storage:captions.replaceText', { lang: name })}
        open={asking}
        onOpenChange={setAsking}
        closeLabel={say('shell:button.cancel')}
        actions={(close) => (
          <>
            {close}
            <Button
              tone="danger"
              onClick={() => {
                setAsking(false)
                void recognise(true)
              }}
            >
              {say('storage:captions.replace')}
            </Button>
          </>
        )}
      />
    </>
  )
}

function Editor({
  desk,
  owner,
  lang,
  row,
  name,
  film,
  changed,
  offer,
  locale,
  say,
}: Props & { row: CaptionRow | undefined; name: string }) {
  const { loaded, failed, load } = useCaption(desk.id, lang, row !== undefined)
  if (failed) {
    return (
      <ErrorState
        title={say('storage:desk.failed')}
        text={say('storage:desk.failedHint')}
        retryLabel={say('storage:generation.retry')}
        onRetry={() => void load()}
      />
    )
  }
  if (!loaded) return <Skeleton shape="rows" label={say('storage:desk.loading')} />
  const onSaved = () => void changed()
  const { duration } = desk
  const draft = cueDraft({ fileId: desk.id, owner, title: desk.name, lang, duration, loaded, say, onSaved })
  const label = say('storage:captions.cues', { lang: name })
  const server = {
    changedAt: row?.updatedAt ?? null,
    loadedAt: loaded.updatedAt,
    read: () => readDraftText(desk.id, lang),
  }
  return (
    <CueEditor
      draft={draft}
      server={server}
      label={label}
      duration={duration}
      film={film}
      offer={offer}
      locale={locale}
      say={say}
    />
  )
}

async function readDraftText(fileId: string, lang: CaptionLang) {
  const { version, cues } = await readCaption(fileId, lang)
  return { version, value: cues }
}

const zoneHere = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone
