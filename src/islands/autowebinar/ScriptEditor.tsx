import './script.css'
import { useStore } from '@nanostores/react'
import { Undo2 } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { mountIsland } from '#islands/mount/mount.ts'
import { Button } from '#islands/ui/Button.tsx'
import { findIssues } from '#lib/autowebinar/flaw-rules.ts'
import { ADDABLE_TYPES, CLOSING_TYPES, createEntry, TYPE_KEYS } from '#lib/autowebinar/line-rules.ts'
import type { EntryContent, ScriptEntry } from '#lib/autowebinar/schema.ts'
import { type LineType, TRACKS } from '#lib/core/shared/event/auto-event.ts'
import { createTranslator, type Translate } from '#lib/core/shared/text/strings.ts'
import { RoomAt } from './RoomPreview.tsx'
import { CsvBox } from './ScriptCsv.tsx'
import { LineForm } from './ScriptEntryForm.tsx'
import { LineList } from './ScriptEntryList.tsx'
import { FlawList } from './ScriptIssueList.tsx'
import { clockOf, type ScriptProps } from './script.ts'
import { $at, $chosen, $keeping, $lines, $steps, addLine, choose, editLine, openScript, undo } from './script-store.ts'
import { Timeline } from './Timeline.tsx'
import { usePages } from './use-page-count.ts'
import { useFilm } from './use-script-video.ts'
import { useTracks } from './use-tracks.ts'

/** Puts the editor into its place. Answers how to take it away. */
export function mountScriptEditor(place: HTMLElement, props: ScriptProps): () => void {
  const close = openScript(props.workshopId, props.lines)
  const { unmount } = mountIsland(place, 'script', <ScriptEditor {...props} />)
  return () => {
    unmount()
    close()
  }
}

/** What is being written before it is a line. */
interface Draft {
  content: EntryContent
  offsetMs: number
}

function ScriptEditor(props: ScriptProps) {
  const { lengthMs, mayChange, strings, locale } = props
  const t = useMemo(() => createTranslator(strings, locale), [strings, locale])
  const lines = useStore($lines)
  const chosen = useStore($chosen)
  const [draft, setDraft] = useState<Draft | null>(null)
  const { muted, mute } = useTracks(props)
  const pagesOf = usePages(props.slides)
  const video = useRef<HTMLVideoElement>(null)
  useFilm(video, props)
  const flaws = useMemo(
    () => findIssues(lines, { lengthMs, countPages: pagesOf, deletedItemIds: new Set(props.gone) }),
    [lines, lengthMs, pagesOf, props.gone],
  )
  const one = chosen.size === 1 ? lines.find(({ id }) => chosen.has(id)) : undefined
  const jump = (ms: number) => {
    $at.set(ms)
    if (video.current && props.film) video.current.currentTime = (props.filmOffsetMs + ms) / 1000
  }
  const add = (type: LineType) => {
    const content = createEntry(type, {
      id: () => crypto.randomUUID(),
      slidesFileId: props.slides?.fileId ?? null,
      opened: lastBegun(lines, type, $at.get()),
    })
    if (!content) return
    choose([])
    // What ends something else has nothing to be typed.
    if (CLOSING_TYPES[type] || type === 'presentation.change') addLine(content, $at.get())
    else setDraft({ content, offsetMs: $at.get() })
  }
  const show = (line: Pick<ScriptEntry, 'id' | 'offsetMs'>) => {
    setDraft(null)
    choose([line.id])
    jump(line.offsetMs)
  }
  return (
    <div className="script" data-ready="">
      <div className="script-top">
        <div className="script-film">
          {props.film ? (
            <Film ref={video} controls playsInline poster={props.film.poster ?? undefined} />
          ) : (
            <p className="text-muted">{t('autowebinar:script.noFilm')}</p>
          )}
          <Minute onJump={jump} lengthMs={lengthMs} t={t} />
        </div>
        <RoomAt lines={lines} muted={muted} chat={props.chat} slidesFileId={props.slides?.fileId ?? null} t={t} />
      </div>
      <div className="script-bar">
        <Place t={t} />
        <Kept t={t} />
        {mayChange && <Back t={t} />}
        {mayChange && <AddMenu onAdd={add} t={t} />}
      </div>
      <Timeline
        lines={lines}
        chosen={chosen}
        lengthMs={lengthMs}
        muted={muted}
        mayChange={mayChange}
        t={t}
        onMute={mute}
        onAdd={add}
        onJump={jump}
        onShow={show}
      />
      {mayChange && <p className="script-keys text-muted text-sm">{t('autowebinar:script.keys')}</p>}
      <div className="script-below">
        <LineList lines={lines} chosen={chosen} mayChange={mayChange} t={t} onShow={show} />
        <div className="grid content-start gap-4">
          {draft ? (
            <LineForm
              key="new"
              {...draft}
              t={t}
              onSave={(content, offsetMs) => {
                addLine(content, offsetMs)
                setDraft(null)
              }}
              onCancel={() => setDraft(null)}
            />
          ) : (
            one &&
            mayChange && (
              <LineForm
                key={`${one.id} ${one.offsetMs}`}
                content={one}
                offsetMs={one.offsetMs}
                t={t}
                onSave={(content, offsetMs) => editLine(one, content, offsetMs)}
              />
            )
          )}
          <CsvBox workshopId={props.workshopId} mayChange={mayChange} t={t} />
          <FlawList flaws={flaws} onShow={(flaw) => show({ id: flaw.lineId, offsetMs: flaw.offsetMs })} t={t} />
        </div>
      </div>
    </div>
  )
}

/** Where the heads of the tracks have no room for their buttons, as on a phone. */
function AddMenu({ onAdd, t }: { onAdd: (type: LineType) => void; t: Translate }) {
  return (
    <select
      className="select script-add"
      aria-label={t('autowebinar:script.add')}
      value=""
      onChange={({ target }) => {
        const type = TRACKS.flatMap((track) => ADDABLE_TYPES[track]).find((one) => one === target.value)
        if (type) onAdd(type)
      }}
    >
      <option value="">{t('autowebinar:script.add')}</option>
      {TRACKS.map((track) => (
        <optgroup key={track} label={t(`autowebinar:track.${track}`)}>
          {ADDABLE_TYPES[track].map((type) => (
            <option key={type} value={type}>
              {t(`autowebinar:add.${TYPE_KEYS[type]}`)}
            </option>
          ))}
        </optgroup>
      ))}
    </select>
  )
}

/** Its captions are the storage's: the desk of the film shows them. */
const Film = 'video'

function lastBegun(lines: readonly ScriptEntry[], type: LineType, at: number): ScriptEntry | null {
  const begins = CLOSING_TYPES[type]?.begins
  return lines.filter((line) => line.type === begins && line.offsetMs <= at).at(-1) ?? null
}

function Place({ t }: { t: Translate }) {
  const at = useStore($at)
  return (
    <p className="tabular-nums">
      {t('autowebinar:script.at')} <strong data-place="">{clockOf(at)}</strong>
    </p>
  )
}

function Kept({ t }: { t: Translate }) {
  const keeping = useStore($keeping)
  return (
    <p role="status" className={keeping.kind === 'refused' ? 'text-error' : 'text-muted text-sm'}>
      {t(`autowebinar:script.keeping.${keeping.kind}`)}
      {keeping.kind === 'refused' && ` ${keeping.message}`}
    </p>
  )
}

function Back({ t }: { t: Translate }) {
  const steps = useStore($steps)
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const typing = event.target instanceof HTMLElement && event.target.matches('input, textarea, select')
      if (typing || event.key.toLowerCase() !== 'z' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      undo()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [])
  return (
    <Button small tone="quiet" icon={<Undo2 size={16} aria-hidden="true" />} disabled={steps === 0} onClick={undo}>
      {t('autowebinar:script.undo')}
    </Button>
  )
}

/** What a viewer sees who comes at that minute. */
function Minute({ onJump, lengthMs, t }: { onJump: (ms: number) => void; lengthMs: number; t: Translate }) {
  return (
    <label className="script-minute">
      {t('autowebinar:script.minute')}
      <input
        type="number"
        className="input input-sm w-24"
        min={0}
        max={Math.floor(lengthMs / 60_000)}
        onChange={(event) =>
          event.target.value !== '' && onJump(Math.min(lengthMs, Number(event.target.value) * 60_000))
        }
      />
    </label>
  )
}
