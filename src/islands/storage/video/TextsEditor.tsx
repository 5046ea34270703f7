import { Sparkles } from 'lucide-react'
import { useState } from 'react'
import { api } from '#islands/stores/api.ts'
import { type DraftHandle, useDraft } from '#islands/stores/draft/draft.ts'
import { Button } from '#islands/ui/Button.tsx'
import { ConflictChoice } from '#islands/ui/ConflictChoice.tsx'
import { Field, TextArea } from '#islands/ui/Field.tsx'
import { SaveState } from '#islands/ui/SaveState.tsx'
import type { EditorProps } from './editor-props.ts'
import type { VideoEditorView, VideoTexts } from './use-video-editor.ts'
import { createTextsDraft } from './video-drafts.ts'

/** Name and description, with generated suggestions. */
export function TextsEditor({ video, owner, locale, t }: EditorProps) {
  const draft = useDraft(createTextsDraft({ fileId: video.id, owner, title: video.name, t }, video))
  const { value, type, flush, state, resolve } = draft
  return (
    <div className="grid gap-4">
      {state.kind === 'conflict' && (
        <ConflictChoice
          mine={plainVideoTexts(state.mine)}
          theirs={plainVideoTexts(state.theirs)}
          onChoose={resolve}
          t={t}
        />
      )}
      <Field
        label={t('storage:videoEditor.name')}
        aside={<SaveState state={state} locale={locale} t={t} />}
        value={value.name}
        maxLength={200}
        error={value.name.trim() === '' ? t('storage:videoEditor.nameMissing') : undefined}
        onChange={(event) => type({ ...value, name: event.target.value })}
        onBlur={flush}
      />
      <TextArea
        label={t('storage:videoEditor.description')}
        hint={t('storage:videoEditor.descriptionHint')}
        value={value.description}
        maxLength={2000}
        onChange={(event) => type({ ...value, description: event.target.value })}
        onBlur={flush}
      />
      {video.machine && <Suggestion video={video} draft={draft} t={t} />}
    </div>
  )
}

type SuggestionProps = Pick<EditorProps, 'video' | 't'> & { draft: DraftHandle<VideoTexts> }

function Suggestion({ video, draft, t }: SuggestionProps) {
  const generation = video.generations.find(({ kind }) => kind === 'texts')
  const waits = generation?.state === 'queued' || generation?.state === 'running'
  const [isRequesting, setIsRequesting] = useState(false)
  const requestTexts = async () => {
    setIsRequesting(true)
    await api.storage.requestTexts({ fileId: video.id }).catch(() => undefined)
    setIsRequesting(false)
  }
  if (video.captions.length === 0) return <p className="text-muted text-sm">{t('storage:suggest.needs')}</p>
  return (
    <section className="grid justify-items-start gap-3" aria-live="polite">
      {video.suggestion && !waits && <SuggestedTexts suggestion={video.suggestion} draft={draft} t={t} />}
      {waits && <p className="text-muted text-sm">{t('storage:suggest.waiting')}</p>}
      {generation?.state === 'failed' && generation.failure && (
        <p className="field-error">{t(`storage:generation.failure.${generation.failure}`)}</p>
      )}
      <Button
        small
        busy={isRequesting || waits}
        icon={<Sparkles size={18} aria-hidden="true" />}
        onClick={() => void requestTexts()}
      >
        {t(video.suggestion ? 'storage:suggest.again' : 'storage:suggest.ask')}
      </Button>
    </section>
  )
}

function SuggestedTexts({
  suggestion,
  draft: { value, type },
  t,
}: Pick<SuggestionProps, 'draft' | 't'> & { suggestion: NonNullable<VideoEditorView['suggestion']> }) {
  const { name, description } = suggestion
  return (
    <div className="card-line grid w-full gap-3 p-4">
      <div>
        <h3 className="font-semibold text-sm">{t('storage:suggest.title')}</h3>
        <p className="text-muted text-sm">{t('storage:suggest.hint')}</p>
      </div>
      {name && (
        <div className="flex flex-wrap items-center justify-between gap-2">
          <p className="min-w-0 break-words font-medium">{name}</p>
          {name !== value.name && (
            <Button small onClick={() => type({ ...value, name })}>
              {t('storage:suggest.useName')}
            </Button>
          )}
        </div>
      )}
      {description && (
        <div className="grid justify-items-start gap-2">
          <p className="min-w-0 whitespace-pre-line break-words">{description}</p>
          {description !== value.description && (
            <Button small onClick={() => type({ ...value, description })}>
              {t('storage:suggest.useDescription')}
            </Button>
          )}
        </div>
      )}
    </div>
  )
}

const plainVideoTexts = ({ name, description }: VideoTexts): string => [name, description].filter(Boolean).join('\n\n')
