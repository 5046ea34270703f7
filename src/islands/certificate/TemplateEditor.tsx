import './template-editor.css'
import { ArrowDown, ArrowUp, Redo2, Trash, Undo2 } from 'lucide-react'
import { type KeyboardEvent, useState } from 'react'
import { asIsland } from '#islands/mount/as-island.ts'
import { api } from '#islands/stores/api.ts'
import { type DraftOptions, useDraft } from '#islands/stores/draft/draft.ts'
import { saveOutcomeOf } from '#islands/stores/draft/draft-outcome.ts'
import { Button } from '#islands/ui/Button.tsx'
import { ConflictChoice } from '#islands/ui/ConflictChoice.tsx'
import { IconButton } from '#islands/ui/IconButton.tsx'
import { SaveState } from '#islands/ui/SaveState.tsx'
import { useHydrated } from '#islands/ui/use-hydrated.ts'
import { type TemplateElement, TemplateText } from '#lib/certificate/template/schema.ts'
import { createTranslator } from '#lib/core/shared/text/strings.ts'
import { ElementFields } from './ElementFields.tsx'
import { newElement } from './geometry.ts'
import { useHistory } from './history.ts'
import { PageFields } from './PageFields.tsx'
import { TemplateCanvas } from './TemplateCanvas.tsx'
import { elementName, plainTemplate, type TemplateEditorProps } from './template-editor.ts'

export default asIsland('certificateTemplate', TemplateEditor)

const KINDS = ['text', 'image', 'qr', 'signature', 'line'] as const

/** The editor of a certificate template; changes are saved automatically. */
function TemplateEditor(props: TemplateEditorProps) {
  const t = createTranslator(props.strings, props.locale)
  const draft = useDraft(draftOptions(props))
  const history = useHistory<TemplateText>()
  const [selectedId, setSelectedId] = useState<string | null>(null)
  const isHydrated = useHydrated()
  const { value } = draft
  const selected = value.elements.find(({ id }) => id === selectedId)

  const change = (next: TemplateText, key: string) => {
    history.note(value, key)
    draft.type(next)
  }
  const changeElement = (element: TemplateElement, key: string) =>
    change({ ...value, elements: value.elements.map((old) => (old.id === element.id ? element : old)) }, key)
  const remove = (id: string) =>
    change({ ...value, elements: value.elements.filter((element) => element.id !== id) }, `remove ${id}`)
  const add = (kind: TemplateElement['kind']) => {
    const element = newElement(kind, value, t(`certificate:edit.${kind}`))
    change({ ...value, elements: [...value.elements, element] }, `add ${element.id}`)
    setSelectedId(element.id)
  }
  const move = (index: number, by: -1 | 1) => {
    const elements = [...value.elements]
    const [element] = elements.splice(index, 1)
    if (!element) return
    elements.splice(index + by, 0, element)
    change({ ...value, elements }, `layer ${element.id}`)
  }
  const restore = (step: TemplateText | null) => step && draft.type(step)
  const pressKey = (event: KeyboardEvent) => {
    // Fields have their own undo.
    if (event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement) return
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'z') return
    event.preventDefault()
    restore(event.shiftKey ? history.redo(value) : history.undo(value))
  }

  return (
    <fieldset
      disabled={!isHydrated}
      aria-label={t('certificate:edit.label')}
      className="certificate-editor"
      onBlur={draft.flush}
      onKeyDown={pressKey}
    >
      <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-3">
        <div className="flex flex-wrap items-center gap-2">
          {KINDS.map((kind) => (
            <Button key={kind} small onClick={() => add(kind)} disabled={value.elements.length >= 60}>
              + {t(`certificate:edit.${kind}`)}
            </Button>
          ))}
          <span className="ms-auto flex items-center">
            <SaveState state={draft.state} locale={props.locale} t={t} />
            <IconButton
              icon={Undo2}
              label={t('certificate:edit.undo')}
              disabled={!history.canUndo}
              onClick={() => restore(history.undo(value))}
            />
            <IconButton
              icon={Redo2}
              label={t('certificate:edit.redo')}
              disabled={!history.canRedo}
              onClick={() => restore(history.redo(value))}
            />
          </span>
        </div>
        {draft.state.kind === 'conflict' && (
          <ConflictChoice
            mine={plainTemplate(draft.state.mine)}
            theirs={plainTemplate(draft.state.theirs)}
            onChoose={draft.resolve}
            t={t}
          />
        )}
        <TemplateCanvas
          {...props}
          value={value}
          selectedId={selectedId}
          onSelect={setSelectedId}
          onChange={changeElement}
          onRemove={remove}
          t={t}
        />
        <p className="text-muted text-sm">
          {t('certificate:edit.sampleName')}: {props.texts.name}. {t('certificate:edit.longest')}.
        </p>
      </div>
      <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] content-start gap-6">
        <section aria-label={t('certificate:edit.selected')} className="card-line grid gap-4 p-4">
          <h2 className="font-semibold">{t('certificate:edit.selected')}</h2>
          {selected ? (
            <ElementFields
              key={selected.id}
              element={selected}
              onChange={(element) => changeElement(element, `field ${element.id}`)}
              locale={props.locale}
              t={t}
            />
          ) : (
            <p className="text-muted text-sm">{t('certificate:edit.nothing')}</p>
          )}
        </section>
        <section
          aria-label={t('certificate:edit.layers')}
          className="card-line grid grid-cols-[minmax(0,1fr)] gap-2 p-4"
        >
          <h2 className="font-semibold">{t('certificate:edit.layers')}</h2>
          <ol className="grid grid-cols-[minmax(0,1fr)] gap-1">
            {value.elements.map((element, index) => {
              const name = elementName(element, t)
              return (
                <li key={element.id} className="flex items-center">
                  <button
                    type="button"
                    className="btn btn-ghost btn-sm min-w-0 flex-1 justify-start"
                    aria-pressed={element.id === selectedId}
                    onClick={() => setSelectedId(element.id)}
                  >
                    <span className="truncate">{name}</span>
                  </button>
                  <IconButton
                    icon={ArrowUp}
                    label={t('certificate:edit.up', { name })}
                    disabled={index === 0}
                    onClick={() => move(index, -1)}
                  />
                  <IconButton
                    icon={ArrowDown}
                    label={t('certificate:edit.down', { name })}
                    disabled={index === value.elements.length - 1}
                    onClick={() => move(index, 1)}
                  />
                  <IconButton
                    icon={Trash}
                    label={t('certificate:edit.remove', { name })}
                    onClick={() => remove(element.id)}
                  />
                </li>
              )
            })}
          </ol>
        </section>
        <PageFields value={value} onChange={(next) => change(next, 'page')} locale={props.locale} t={t} />
      </div>
    </fieldset>
  )
}

function draftOptions({ templateId, version, value, owner }: TemplateEditorProps): DraftOptions<TemplateText> {
  return {
    owner,
    key: `certificate-template/${templateId}`,
    title: value.name,
    value: TemplateText.parse(value),
    version,
    save: async (text, base, leaving) => {
      try {
        const input = { ...text, name: text.name.trim() === '' ? value.name : text.name, templateId, version: base }
        const saved = await api.certificate.saveTemplate(input, { context: { isQuiet: true, isLeaving: leaving } })
        return { kind: 'saved', version: saved.version }
      } catch (error) {
        return saveOutcomeOf(error, (data) => TemplateText.safeParse(data).data)
      }
    },
  }
}
