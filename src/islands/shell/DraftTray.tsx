import { FilePen } from 'lucide-react'
import { useState } from 'react'
import { mountIsland } from '#islands/mount/mount.ts'
import { deleteDraft, readDraft, type StoredDraft } from '#islands/stores/draft/device-draft-store.ts'
import { showSuccess } from '#islands/stores/notice.ts'
import { Button } from '#islands/ui/Button.tsx'
import { formatRelativeDateTime, type Locale } from '#lib/core/shared/locale.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'
import { draftText } from './draft-text.ts'
import { loadDraftTranslator } from './draft-translator.ts'

/** Renders the tray of drafts into an element; returns a function that shows other drafts. */
export async function mountDraftTray(host: HTMLElement, locale: Locale): Promise<(drafts: StoredDraft[]) => void> {
  const t = await loadDraftTranslator(locale)
  const tray = (drafts: StoredDraft[]) => <DraftTray drafts={drafts} t={t} locale={locale} />
  const island = mountIsland(host, 'drafts', tray([]))
  return (drafts) => island.render(tray(drafts))
}

interface Props {
  drafts: StoredDraft[]
  t: Translate
  locale: Locale
}

function DraftTray({ drafts, t, locale }: Props) {
  if (drafts.length === 0) return null
  return (
    <details className="fold max-sm:static" data-fold>
      <summary className="btn btn-sm">
        <FilePen size={16} strokeWidth={1.75} aria-hidden="true" />
        <span className="max-sm:hidden">{t('shell:drafts.count', { count: drafts.length })}</span>
        <span className="sm:hidden" aria-hidden="true">
          {drafts.length}
        </span>
        <span className="sr-only sm:hidden">{t('shell:drafts.onDevice', { count: drafts.length })}</span>
      </summary>
      <section
        className="fold-panel floating top-full right-0 mt-1 w-96 max-sm:inset-x-2 max-sm:w-auto"
        aria-label={t('shell:drafts.title')}
      >
        <h2 className="px-2.5 pt-1 font-semibold text-sm">{t('shell:drafts.onDevice', { count: drafts.length })}</h2>
        <p className="px-2.5 pb-2 text-muted text-xs">{t('shell:drafts.hint')}</p>
        <ul className="max-h-[min(24rem,60vh)] divide-y divide-base-300 overflow-y-auto">
          {drafts.map((draft) => (
            <Row key={draft.slot} draft={draft} t={t} locale={locale} />
          ))}
        </ul>
      </section>
    </details>
  )
}

function Row({ draft, t, locale }: { draft: StoredDraft; t: Translate; locale: Locale }) {
  const [text, setText] = useState<string | null>(null)
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
  const toggleText = async () => setText(text === null ? draftText(await readDraft(draft.slot)) : null)
  const copy = async () => {
    await navigator.clipboard.writeText(text ?? '')
    showSuccess(t('shell:drafts.copied'))
  }
  return (
    <li className="grid gap-1 px-2.5 py-2 text-sm">
      {draft.isArchived ? (
        <span className="break-words font-medium">{draft.title}</span>
      ) : (
        <a href={draft.href} className="still-link break-words font-medium">
          {draft.title || t('shell:drafts.untitled')}
        </a>
      )}
      <span className="text-muted text-xs">
        {formatRelativeDateTime(new Date(draft.changedAt), zone, locale)}
        {draft.isArchived && ` · ${t('shell:drafts.aside')}`}
      </span>
      <div className="flex flex-wrap gap-1">
        <Button small tone="quiet" aria-expanded={text !== null} onClick={() => void toggleText()}>
          {t(text === null ? 'shell:drafts.show' : 'shell:drafts.hide')}
        </Button>
        {text !== null && (
          <>
            <Button small tone="quiet" onClick={() => void copy()}>
              {t('shell:drafts.copy')}
            </Button>
            <Button small tone="quiet" onClick={() => void deleteDraft(draft.slot)}>
              {t('shell:button.delete')}
            </Button>
          </>
        )}
      </div>
      {text !== null && (
        <p className="max-h-40 overflow-y-auto whitespace-pre-wrap break-words rounded-field bg-base-200 p-2">{text}</p>
      )}
    </li>
  )
}
