import { type ReactNode, useState } from 'react'
import { asIsland } from '#islands/mount/as-island.ts'
import { ImageField } from '#islands/picker/ImageField.tsx'
import { api } from '#islands/stores/api.ts'
import { type DraftOptions, useDraft } from '#islands/stores/draft/draft.ts'
import { saveOutcomeOf } from '#islands/stores/draft/draft-outcome.ts'
import { showFailure } from '#islands/stores/notice.ts'
import { refreshPage } from '#islands/stores/page.ts'
import { Button } from '#islands/ui/Button.tsx'
import { Checkbox } from '#islands/ui/Checkbox.tsx'
import { ConflictChoice } from '#islands/ui/ConflictChoice.tsx'
import { Dialog } from '#islands/ui/dialog/Dialog.tsx'
import { Field, TextArea } from '#islands/ui/Field.tsx'
import { SaveState } from '#islands/ui/SaveState.tsx'
import { Select } from '#islands/ui/Select.tsx'
import { useHydrated } from '#islands/ui/use-hydrated.ts'
import { ROADMAP_VISIBILITY } from '#lib/core/shared/learning.ts'
import { createTranslator } from '#lib/core/shared/text/strings.ts'
import { RoadmapText } from '#lib/roadmap/schema.ts'
import { CallToActionFields } from './CallToActionFields.tsx'
import { moveItem, NEW_STAGE, plainText, type RoadmapProps, replaceItem, withKeys } from './roadmap.ts'
import { StageCard } from './StageCard.tsx'

export default asIsland('roadmap', RoadmapEditor)

/** The editor of a road map; its fields are disabled until changes can be saved. */
function RoadmapEditor(props: RoadmapProps) {
  const t = createTranslator(props.strings, props.locale)
  const draft = useDraft(draftOptions(props))
  const { value } = draft
  const isHydrated = useHydrated()
  const changeDraft = (change: Partial<RoadmapText>) => draft.type({ ...value, ...change })
  const changeStage = (at: number, next: RoadmapText['stages'][number] | null) =>
    changeDraft({ stages: replaceItem(value.stages, at, next) })

  return (
    <fieldset disabled={!isHydrated} aria-label={value.title} className="grid min-w-0 gap-6" onBlur={draft.flush}>
      <RoadmapHeading {...props} t={t} state={<SaveState state={draft.state} locale={props.locale} t={t} />} />
      {draft.state.kind === 'conflict' && (
        <ConflictChoice
          mine={plainText(draft.state.mine)}
          theirs={plainText(draft.state.theirs)}
          onChoose={draft.resolve}
          t={t}
        />
      )}
      <section className="card-line grid gap-4 p-4 sm:p-6">
        <Field
          label={t('roadmap:edit.title')}
          value={value.title}
          maxLength={160}
          onChange={(event) => changeDraft({ title: event.target.value })}
        />
        <TextArea
          label={t('roadmap:edit.intro')}
          hint={t('roadmap:edit.introHint')}
          value={value.intro}
          maxLength={2000}
          onChange={(event) => changeDraft({ intro: event.target.value })}
        />
        <ImageField
          label={t('roadmap:edit.cover')}
          chooseLabel={t('roadmap:edit.chooseCover')}
          removeLabel={t('roadmap:edit.removeCover')}
          none={t('roadmap:edit.noCover')}
          fileId={value.coverFileId}
          name={props.coverName}
          onChange={(coverFileId) => changeDraft({ coverFileId })}
          locale={props.locale}
          t={t}
        />
        <Select
          label={t('roadmap:edit.visibility')}
          value={value.visibility}
          options={ROADMAP_VISIBILITY.map((visibility) => ({
            value: visibility,
            label: t(`roadmap:visibility.${visibility}`),
          }))}
          onChange={(event) =>
            changeDraft({
              visibility: ROADMAP_VISIBILITY.find((visibility) => visibility === event.target.value) ?? 'link',
            })
          }
        />
        <Checkbox
          label={t('roadmap:edit.showProgress')}
          checked={value.showProgress}
          onChange={(event) => changeDraft({ showProgress: event.target.checked })}
        />
        <CallToActionFields value={value.callToAct} onChange={(callToAct) => changeDraft({ callToAct })} t={t} />
      </section>
      <ol className="grid gap-4" aria-label={t('roadmap:edit.stages')}>
        {withKeys(value.stages).map(({ item, index, key }) => (
          <StageCard
            key={key}
            stage={item}
            number={index + 1}
            isLast={index === value.stages.length - 1}
            stops={props.stops}
            onChange={(next) => changeStage(index, next)}
            onMove={(offset) => changeDraft({ stages: moveItem(value.stages, index, index + offset) })}
            t={t}
          />
        ))}
      </ol>
      <Button className="justify-self-start" onClick={() => changeDraft({ stages: [...value.stages, NEW_STAGE] })}>
        + {t('roadmap:edit.addStage')}
      </Button>
    </fieldset>
  )
}

function RoadmapHeading({
  roadmapId,
  published,
  href,
  t,
  state,
}: RoadmapProps & { t: ReturnType<typeof createTranslator>; state: ReactNode }) {
  const [busy, setBusy] = useState(false)
  const runAction = async (request: Promise<unknown>) => {
    setBusy(true)
    await request.then(refreshPage, showFailure)
    setBusy(false)
  }
  return (
    <div className="flex flex-wrap items-center justify-between gap-3">
      <p className="text-muted text-sm">
        {t(published ? 'roadmap:edit.isPublished' : 'roadmap:edit.isDraft')}{' '}
        <a className="still-link" href={href} target="_blank" rel="noopener">
          {t(published ? 'roadmap:edit.open' : 'roadmap:edit.preview')}
        </a>
      </p>
      {state}
      <div className="flex flex-wrap gap-2">
        <Dialog
          title={t('roadmap:edit.deleteTitle')}
          text={t('roadmap:edit.deleteText')}
          trigger={
            <Button tone="quiet" small>
              {t('roadmap:edit.delete')}
            </Button>
          }
          closeLabel={t('shell:button.cancel')}
          actions={(close) => (
            <>
              {close}
              <Button tone="danger" busy={busy} onClick={() => void runAction(api.roadmap.delete({ roadmapId }))}>
                {t('roadmap:edit.delete')}
              </Button>
            </>
          )}
        />
        {published ? (
          <Button small busy={busy} onClick={() => void runAction(api.roadmap.hide({ roadmapId }))}>
            {t('roadmap:edit.hide')}
          </Button>
        ) : (
          <Button tone="primary" small busy={busy} onClick={() => void runAction(api.roadmap.publish({ roadmapId }))}>
            {t('roadmap:edit.publish')}
          </Button>
        )}
      </div>
    </div>
  )
}

function draftOptions({ roadmapId, version, value, owner }: RoadmapProps): DraftOptions<RoadmapText> {
  return {
    owner,
    key: `roadmap/${roadmapId}`,
    title: value.title,
    value: RoadmapText.parse(value),
    version,
    save: async (text, base, leaving) => {
      try {
        const input = { ...withoutUntitled(text), roadmapId, version: base }
        const saved = await api.roadmap.save(input, { context: { isQuiet: true, isLeaving: leaving } })
        return { kind: 'saved', version: saved.version }
      } catch (error) {
        return saveOutcomeOf(error, (data) => RoadmapText.safeParse(data).data)
      }
    },
  }
}

/** The text to send: stages and stops without a title stay on this device. */
function withoutUntitled(text: RoadmapText): RoadmapText {
  const stages = text.stages.filter(({ title }) => title.trim() !== '')
  const items = (list: RoadmapText['stages'][number]['items']) => list.filter(({ title }) => title.trim() !== '')
  const { callToAct } = text
  const completeCall = callToAct && callToAct.label.trim() !== '' && callToAct.href !== '' ? callToAct : null
  return { ...text, callToAct: completeCall, stages: stages.map((stage) => ({ ...stage, items: items(stage.items) })) }
}
