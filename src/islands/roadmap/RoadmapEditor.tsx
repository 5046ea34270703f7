import { type ReactNode, useState } from 'react'
import { mountIsland } from '#islands/mount/mount.ts'
import { api } from '#islands/stores/api.ts'
import { type DraftOptions, useDraft } from '#islands/stores/draft/draft.ts'
import { outcomeOf } from '#islands/stores/draft/draft-outcome.ts'
import { fail } from '#islands/stores/notice.ts'
import { refreshPage } from '#islands/stores/page.ts'
import { Button } from '#islands/ui/Button.tsx'
import { Checkbox } from '#islands/ui/Checkbox.tsx'
import { ConflictChoice } from '#islands/ui/ConflictChoice.tsx'
import { Dialog } from '#islands/ui/Dialog.tsx'
import { Field, TextArea } from '#islands/ui/Field.tsx'
import { SaveState } from '#islands/ui/SaveState.tsx'
import { Select } from '#islands/ui/Select.tsx'
import { ROADMAP_VISIBILITY } from '#lib/core/shared/learning.ts'
import { speak } from '#lib/core/shared/text/strings.ts'
import { RoadmapText } from '#lib/roadmap/schema.ts'
import { CallFields } from './CallFields.tsx'
import { CoverField } from './CoverField.tsx'
import { changed, moved, NEW_STAGE, placed, plainText, type RoadmapProps } from './roadmap.ts'
import { StageCard } from './StageCard.tsx'

/** Puts the editor of a road map into its place. Answers how to take it away. */
export function mountRoadmapEditor(place: HTMLElement, props: RoadmapProps): () => void {
  return mountIsland(place, 'roadmap', <RoadmapEditor {...props} />).unmount
}

function RoadmapEditor(props: RoadmapProps) {
  const say = speak(props.strings, props.locale)
  const draft = useDraft(draftOf(props))
  const { value } = draft
  const type = (change: Partial<RoadmapText>) => draft.type({ ...value, ...change })
  const stage = (at: number, next: RoadmapText['stages'][number] | null) =>
    type({ stages: changed(value.stages, at, next) })

  return (
    <fieldset aria-label={value.title} className="grid min-w-0 gap-6" onBlur={draft.flush}>
      <Heading {...props} say={say} state={<SaveState state={draft.state} locale={props.locale} say={say} />} />
      {draft.state.kind === 'conflict' && (
        <ConflictChoice
          mine={plainText(draft.state.mine)}
          theirs={plainText(draft.state.theirs)}
          onChoose={draft.resolve}
          say={say}
        />
      )}
      <section className="card-line grid gap-4 p-4 sm:p-6">
        <Field
          label={say('roadmap:edit.title')}
          value={value.title}
          maxLength={160}
          onChange={(event) => type({ title: event.target.value })}
        />
        <TextArea
          label={say('roadmap:edit.intro')}
          hint={say('roadmap:edit.introHint')}
          value={value.intro}
          maxLength={2000}
          onChange={(event) => type({ intro: event.target.value })}
        />
        <CoverField
          fileId={value.coverFileId}
          name={props.coverName}
          onChange={(coverFileId) => type({ coverFileId })}
          locale={props.locale}
          say={say}
        />
        <Select
          label={say('roadmap:edit.visibility')}
          value={value.visibility}
          options={ROADMAP_VISIBILITY.map((one) => ({ value: one, label: say(`roadmap:visibility.${one}`) }))}
          onChange={(event) =>
            type({ visibility: ROADMAP_VISIBILITY.find((one) => one === event.target.value) ?? 'link' })
          }
        />
        <Checkbox
          label={say('roadmap:edit.showProgress')}
          checked={value.showProgress}
          onChange={(event) => type({ showProgress: event.target.checked })}
        />
        <CallFields value={value.callToAct} onChange={(callToAct) => type({ callToAct })} say={say} />
      </section>
      <ol className="grid gap-4" aria-label={say('roadmap:edit.stages')}>
        {placed(value.stages).map(({ one, at, key }) => (
          <StageCard
            key={key}
            stage={one}
            number={at + 1}
            last={at === value.stages.length - 1}
            stops={props.stops}
            onChange={(next) => stage(at, next)}
            onMove={(by) => type({ stages: moved(value.stages, at, at + by) })}
            say={say}
          />
        ))}
      </ol>
      <Button className="justify-self-start" onClick={() => type({ stages: [...value.stages, NEW_STAGE] })}>
        + {say('roadmap:edit.addStage')}
      </Button>
    </fieldset>
  )
}

function Heading({
  roadmapId,
  published,
  href,
  say,
  state,
}: RoadmapProps & { say: ReturnType<typeof speak>; state: ReactNode }) {
  const [busy, setBusy] = useState(false)
  const act = async (run: Promise<unknown>) => {
    setBusy(true)
    await run.then(refreshPage, fail)
    setBusy(false)
  }
  return (
    <div className="flex flex-wrap items-center justify-between gap-3">
      <p className="text-muted text-sm">
        {say(published ? 'roadmap:edit.isPublished' : 'roadmap:edit.isDraft')}{' '}
        <a className="still-link" href={href} target="_blank" rel="noopener">
          {say(published ? 'roadmap:edit.open' : 'roadmap:edit.preview')}
        </a>
      </p>
      {state}
      <div className="flex flex-wrap gap-2">
        <Dialog
          title={say('roadmap:edit.deleteTitle')}
          text={say('roadmap:edit.deleteText')}
          trigger={
            <Button tone="quiet" small>
              {say('roadmap:edit.delete')}
            </Button>
          }
          closeLabel={say('shell:button.cancel')}
          actions={(close) => (
            <>
              {close}
              <Button tone="danger" busy={busy} onClick={() => void act(api.roadmap.delete({ roadmapId }))}>
                {say('roadmap:edit.delete')}
              </Button>
            </>
          )}
        />
        {published ? (
          <Button small busy={busy} onClick={() => void act(api.roadmap.hide({ roadmapId }))}>
            {say('roadmap:edit.hide')}
          </Button>
        ) : (
          <Button tone="primary" small busy={busy} onClick={() => void act(api.roadmap.publish({ roadmapId }))}>
            {say('roadmap:edit.publish')}
          </Button>
        )}
      </div>
    </div>
  )
}

function draftOf({ roadmapId, version, value, owner }: RoadmapProps): DraftOptions<RoadmapText> {
  return {
    owner,
    key: `roadmap/${roadmapId}`,
    title: value.title,
    value: RoadmapText.parse(value),
    version,
    save: async (text, base, leaving) => {
      try {
        const input = { ...finished(text), roadmapId, version: base }
        const saved = await api.roadmap.save(input, { context: { quiet: true, leaving } })
        return { kind: 'saved', version: saved.version }
      } catch (error) {
        return outcomeOf(error, (data) => RoadmapText.safeParse(data).data)
      }
    },
  }
}

/** What is sent: a stage or a stop that has no title yet stays on this device. */
function finished(text: RoadmapText): RoadmapText {
  const stages = text.stages.filter(({ title }) => title.trim() !== '')
  const items = (list: RoadmapText['stages'][number]['items']) => list.filter(({ title }) => title.trim() !== '')
  const { callToAct } = text
  const call = callToAct && callToAct.label.trim() !== '' && callToAct.href !== '' ? callToAct : null
  return { ...text, callToAct: call, stages: stages.map((stage) => ({ ...stage, items: items(stage.items) })) }
}
