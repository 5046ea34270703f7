import { MINUTE_MS } from '#lib/core/shared/time.ts'
import './script.css'
import { useStore } from '@nanostores/react'
import { Undo2 } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { asIsland } from '#islands/mount/as-island.ts'
import { Button } from '#islands/ui/Button.tsx'
import { ADDABLE_TYPES, CLOSING_TYPES, createEntry, TYPE_KEYS } from '#lib/autowebinar/entry-rules.ts'
import { findIssues } from '#lib/autowebinar/issue-rules.ts'
import type { EntryContent, ScriptEntry } from '#lib/autowebinar/schema.ts'
import { type ScriptEntryType, TRACKS } from '#lib/core/shared/event/auto-event.ts'
import { createTranslator, type Translate } from '#lib/core/shared/text/strings.ts'
import { RoomPreview } from './RoomPreview.tsx'
import { ScriptCsv } from './ScriptCsv.tsx'
import { ScriptEntryForm } from './ScriptEntryForm.tsx'
import { ScriptEntryList } from './ScriptEntryList.tsx'
import { ScriptIssueList } from './ScriptIssueList.tsx'
import { formatTimecode, type ScriptProps } from './script.ts'
import {
  $entries,
  $positionMs,
  $saveState,
  $scriptSelection,
  $undoCount,
  addEntry,
  editEntry,
  openScript,
  selectEntries,
  undoScriptChange,
} from './script-store.ts'
import { Timeline } from './Timeline.tsx'
import { usePageCount } from './use-page-count.ts'
import { useScriptVideo } from './use-script-video.ts'
import { useTracks } from './use-tracks.ts'

export default asIsland('script', ScriptEditor)

/** An entry that is being written and not yet added to the script. */
interface EntryDraft {
  content: EntryContent
  offsetMs: number
}

/** The editor of an automated webinar's script: video, timeline, list of entries and preview of the room. */
function ScriptEditor(props: ScriptProps) {
  const { lengthMs, mayChange, strings, locale } = props
  const t = useMemo(() => createTranslator(strings, locale), [strings, locale])
  const { entries, isOpen } = useOpenScript(props)
  const selection = useStore($scriptSelection)
  const [draft, setDraft] = useState<EntryDraft | null>(null)
  const { mutedTracks, setTrackMuted } = useTracks(props)
  const pagesOf = usePageCount(props.slides)
  const video = useRef<HTMLVideoElement>(null)
  useScriptVideo(video, props)
  const issues = useMemo(
    () => findIssues(entries, { lengthMs, countPages: pagesOf, deletedItemIds: new Set(props.gone) }),
    [entries, lengthMs, pagesOf, props.gone],
  )
  const selectedEntry = selection.size === 1 ? entries.find(({ id }) => selection.has(id)) : undefined
  const seekTo = (ms: number) => {
    $positionMs.set(ms)
    if (video.current && props.video) video.current.currentTime = (props.videoOffsetMs + ms) / 1000
  }
  const addByType = (type: ScriptEntryType) => {
    const content = createEntry(type, {
      id: () => crypto.randomUUID(),
      slidesFileId: props.slides?.fileId ?? null,
      opened: findLastStart(entries, type, $positionMs.get()),
    })
    if (!content) return
    selectEntries([])
    // Closing entries have no fields to fill in.
    if (CLOSING_TYPES[type] || type === 'presentation.change') addEntry(content, $positionMs.get())
    else setDraft({ content, offsetMs: $positionMs.get() })
  }
  const showEntry = (entry: Pick<ScriptEntry, 'id' | 'offsetMs'>) => {
    setDraft(null)
    selectEntries([entry.id])
    seekTo(entry.offsetMs)
  }
  return (
    <div className="script" data-ready={isOpen ? '' : undefined}>
      <div className="script-top">
        <div className="script-video">
          {props.video ? (
            <VideoElement ref={video} controls playsInline poster={props.video.poster ?? undefined} />
          ) : (
            <p className="text-muted">{t('autowebinar:script.noVideo')}</p>
          )}
          <MinuteField onJump={seekTo} lengthMs={lengthMs} t={t} />
        </div>
        <RoomPreview
          entries={entries}
          muted={mutedTracks}
          chat={props.chat}
          slidesFileId={props.slides?.fileId ?? null}
          t={t}
        />
      </div>
      <div className="script-bar">
        <Position t={t} />
        <SaveStateText t={t} />
        {mayChange && <UndoButton t={t} />}
        {mayChange && <AddMenu onAdd={addByType} t={t} />}
      </div>
      <Timeline
        entries={entries}
        selection={selection}
        lengthMs={lengthMs}
        mutedTracks={mutedTracks}
        canEdit={mayChange}
        t={t}
        onMute={setTrackMuted}
        onAdd={addByType}
        onJump={seekTo}
        onShow={showEntry}
      />
      {mayChange && <p className="script-keys text-muted text-sm">{t('autowebinar:script.keys')}</p>}
      <div className="script-below">
        <ScriptEntryList entries={entries} selection={selection} canEdit={mayChange} t={t} onShow={showEntry} />
        <div className="grid content-start gap-4">
          {draft ? (
            <ScriptEntryForm
              key="new"
              {...draft}
              t={t}
              onSave={(content, offsetMs) => {
                addEntry(content, offsetMs)
                setDraft(null)
              }}
              onCancel={() => setDraft(null)}
            />
          ) : (
            selectedEntry &&
            mayChange && (
              <ScriptEntryForm
                key={`${selectedEntry.id} ${selectedEntry.offsetMs}`}
                content={selectedEntry}
                offsetMs={selectedEntry.offsetMs}
                t={t}
                onSave={(content, offsetMs) => editEntry(selectedEntry, content, offsetMs)}
              />
            )
          )}
          <ScriptCsv workshopId={props.workshopId} canEdit={mayChange} t={t} />
          <ScriptIssueList
            issues={issues}
            onShow={(issue) => showEntry({ id: issue.entryId, offsetMs: issue.offsetMs })}
            t={t}
          />
        </div>
      </div>
    </div>
  )
}

/** Opens the script in the store. Until then, and on the server, its entries are those of the page. */
function useOpenScript({ workshopId, entries }: ScriptProps) {
  const [isOpen, setIsOpen] = useState(false)
  const stored = useStore($entries)
  useEffect(() => {
    const close = openScript(workshopId, entries)
    setIsOpen(true)
    return close
  }, [workshopId, entries])
  return { entries: isOpen ? stored : entries, isOpen }
}

/** Replaces the add buttons of the tracks on narrow screens. */
function AddMenu({ onAdd, t }: { onAdd: (type: ScriptEntryType) => void; t: Translate }) {
  return (
    <select
      className="select script-add"
      aria-label={t('autowebinar:script.add')}
      value=""
      onChange={({ target }) => {
        const type = TRACKS.flatMap((track) => ADDABLE_TYPES[track]).find((type) => type === target.value)
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

/** The caption tracks are shown in the file library, so the linter must not require them here. */
const VideoElement = 'video'

function findLastStart(entries: readonly ScriptEntry[], type: ScriptEntryType, positionMs: number): ScriptEntry | null {
  const begins = CLOSING_TYPES[type]?.begins
  return entries.filter((entry) => entry.type === begins && entry.offsetMs <= positionMs).at(-1) ?? null
}

function Position({ t }: { t: Translate }) {
  const positionMs = useStore($positionMs)
  return (
    <p className="tabular-nums">
      {t('autowebinar:script.at')} <strong data-place="">{formatTimecode(positionMs)}</strong>
    </p>
  )
}

function SaveStateText({ t }: { t: Translate }) {
  const saveState = useStore($saveState)
  return (
    <p role="status" className={saveState.kind === 'refused' ? 'text-error' : 'text-muted text-sm'}>
      {t(`autowebinar:script.keeping.${saveState.kind}`)}
      {saveState.kind === 'refused' && ` ${saveState.message}`}
    </p>
  )
}

function UndoButton({ t }: { t: Translate }) {
  const undoCount = useStore($undoCount)
  useEffect(() => {
    const handleKey = (event: KeyboardEvent) => {
      const isTyping = event.target instanceof HTMLElement && event.target.matches('input, textarea, select')
      if (isTyping || event.key.toLowerCase() !== 'z' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      undoScriptChange()
    }
    document.addEventListener('keydown', handleKey)
    return () => document.removeEventListener('keydown', handleKey)
  }, [])
  return (
    <Button
      small
      tone="quiet"
      icon={<Undo2 size={16} aria-hidden="true" />}
      disabled={undoCount === 0}
      onClick={undoScriptChange}
    >
      {t('autowebinar:script.undo')}
    </Button>
  )
}

/** Field that jumps to a minute of the event session. */
function MinuteField({ onJump, lengthMs, t }: { onJump: (ms: number) => void; lengthMs: number; t: Translate }) {
  return (
    <label className="script-minute">
      {t('autowebinar:script.minute')}
      <input
        type="number"
        className="input input-sm w-24"
        min={0}
        max={Math.floor(lengthMs / MINUTE_MS)}
        onChange={(event) =>
          event.target.value !== '' && onJump(Math.min(lengthMs, Number(event.target.value) * MINUTE_MS))
        }
      />
    </label>
  )
}
