import './script.css'
import { useStore } from '@nanostores/react'
import { Undo2 } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { mountIsland } from '#islands/mount/mount.ts'
import { Button } from '#islands/ui/Button.tsx'
import { flawsOf } from '#lib/autowebinar/flaw-rules.ts'
import { ADDABLE, ENDS, emptyLine, NAMED } from '#lib/autowebinar/line-rules.ts'
import type { Line, LineContent } from '#lib/autowebinar/schema.ts'
import { type LineType, TRACKS } from '#lib/core/shared/event/auto-event.ts'
import { type Say, speak } from '#lib/core/shared/text/strings.ts'
import { CsvBox } from './CsvBox.tsx'
import { FlawList } from './FlawList.tsx'
import { LineForm } from './LineForm.tsx'
import { LineList } from './LineList.tsx'
import { RoomAt } from './RoomAt.tsx'
import { clockOf, type ScriptProps } from './script.ts'
import { $at, $chosen, $keeping, $lines, $steps, addLine, choose, editLine, openScript, undo } from './script-store.ts'
import { Timeline } from './Timeline.tsx'
import { useFilm } from './use-film.ts'
import { usePages } from './use-pages.ts'
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
  content: LineContent
  offsetMs: number
}

function ScriptEditor(props: ScriptProps) {
  const { lengthMs, mayChange, strings, locale } = props
  const say = useMemo(() => speak(strings, locale), [strings, locale])
  const lines = useStore($lines)
  const chosen = useStore($chosen)
  const [draft, setDraft] = useState<Draft | null>(null)
  const { muted, mute } = useTracks(props)
  const pagesOf = usePages(props.slides)
  const video = useRef<HTMLVideoElement>(null)
  useFilm(video, props)
  const flaws = useMemo(
    () => flawsOf(lines, { lengthMs, pagesOf, gone: new Set(props.gone) }),
    [lines, lengthMs, pagesOf, props.gone],
  )
  const one = chosen.size === 1 ? lines.find(({ id }) => chosen.has(id)) : undefined
  const jump = (ms: number) => {
    $at.set(ms)
    if (video.current && props.film) video.current.currentTime = (props.filmOffsetMs + ms) / 1000
  }
  const add = (type: LineType) => {
    const content = emptyLine(type, {
      id: () => crypto.randomUUID(),
      slidesFileId: props.slides?.fileId ?? null,
      begun: lastBegun(lines, type, $at.get()),
    })
    if (!content) return
    choose([])
    // What ends something else has nothing to be typed.
    if (ENDS[type] || type === 'presentation.change') addLine(content, $at.get())
    else setDraft({ content, offsetMs: $at.get() })
  }
  const show = (line: Pick<Line, 'id' | 'offsetMs'>) => {
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
            <p className="text-muted">{say('autowebinar:script.noFilm')}</p>
          )}
          <Minute onJump={jump} lengthMs={lengthMs} say={say} />
        </div>
        <RoomAt lines={lines} muted={muted} chat={props.chat} slidesFileId={props.slides?.fileId ?? null} say={say} />
      </div>
      <div className="script-bar">
        <Place say={say} />
        <Kept say={say} />
        {mayChange && <Back say={say} />}
        {mayChange && <AddMenu onAdd={add} say={say} />}
      </div>
      <Timeline
        lines={lines}
        chosen={chosen}
        lengthMs={lengthMs}
        muted={muted}
        mayChange={mayChange}
        say={say}
        onMute={mute}
        onAdd={add}
        onJump={jump}
        onShow={show}
      />
      {mayChange && <p className="script-keys text-muted text-sm">{say('autowebinar:script.keys')}</p>}
      <div className="script-below">
        <LineList lines={lines} chosen={chosen} mayChange={mayChange} say={say} onShow={show} />
        <div className="grid content-start gap-4">
          {draft ? (
            <LineForm
              key="new"
              {...draft}
              say={say}
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
                say={say}
                onSave={(content, offsetMs) => editLine(one, content, offsetMs)}
              />
            )
          )}
          <CsvBox workshopId={props.workshopId} mayChange={mayChange} say={say} />
          <FlawList flaws={flaws} onShow={(flaw) => show({ id: flaw.lineId, offsetMs: flaw.offsetMs })} say={say} />
        </div>
      </div>
    </div>
  )
}

/** Where the heads of the tracks have no room for their buttons, as on a phone. */
function AddMenu({ onAdd, say }: { onAdd: (type: LineType) => void; say: Say }) {
  return (
    <select
      className="select script-add"
      aria-label={say('autowebinar:script.add')}
      value=""
      onChange={({ target }) => {
        const type = TRACKS.flatMap((track) => ADDABLE[track]).find((one) => one === target.value)
        if (type) onAdd(type)
      }}
    >
      <option value="">{say('autowebinar:script.add')}</option>
      {TRACKS.map((track) => (
        <optgroup key={track} label={say(`autowebinar:track.${track}`)}>
          {ADDABLE[track].map((type) => (
            <option key={type} value={type}>
              {say(`autowebinar:add.${NAMED[type]}`)}
            </option>
          ))}
        </optgroup>
      ))}
    </select>
  )
}

/** Its captions are the storage's: the desk of the film shows them. */
const Film = 'video'

function lastBegun(lines: readonly Line[], type: LineType, at: number): Line | null {
  const begins = ENDS[type]?.begins
  return lines.filter((line) => line.type === begins && line.offsetMs <= at).at(-1) ?? null
}

function Place({ say }: { say: Say }) {
  const at = useStore($at)
  return (
    <p className="tabular-nums">
      {say('autowebinar:script.at')} <strong data-place="">{clockOf(at)}</strong>
    </p>
  )
}

function Kept({ say }: { say: Say }) {
  const keeping = useStore($keeping)
  return (
    <p role="status" className={keeping.kind === 'refused' ? 'text-error' : 'text-muted text-sm'}>
      {say(`autowebinar:script.keeping.${keeping.kind}`)}
      {keeping.kind === 'refused' && ` ${keeping.message}`}
    </p>
  )
}

function Back({ say }: { say: Say }) {
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
      {say('autowebinar:script.undo')}
    </Button>
  )
}

/** What a viewer sees who comes at that minute. */
function Minute({ onJump, lengthMs, say }: { onJump: (ms: number) => void; lengthMs: number; say: Say }) {
  return (
    <label className="script-minute">
      {say('autowebinar:script.minute')}
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
