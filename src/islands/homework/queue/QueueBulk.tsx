import { useStore } from '@nanostores/react'
import { useState } from 'react'
import { mountIsland } from '#islands/mount/mount.ts'
import { api } from '#islands/stores/api.ts'
import { showNotice, UNDO_NOTICE_MS } from '#islands/stores/notice.ts'
import { refreshPage } from '#islands/stores/page.ts'
import { Button } from '#islands/ui/Button.tsx'
import { Dialog } from '#islands/ui/dialog/Dialog.tsx'
import { Menu } from '#islands/ui/Menu.tsx'
import type { Locale } from '#lib/core/shared/locale.ts'
import { createTranslator, type Strings, type Translate } from '#lib/core/shared/text/strings.ts'
import type { BulkSkipReason } from '#lib/homework/review/schema.ts'
import { withErrorNotice } from '../error-notice.ts'
import { $queueSelection, selectAllSubmissions } from './queue-selection.ts'

export interface QueueBulkProps {
  locale: Locale
  reviewers: { id: string; name: string }[]
  strings: Strings
}

interface Affected {
  submissionId: string
  student: string
  task: string
  skip: BulkSkipReason | null
}

/** Bulk actions for the selected submissions. */
function QueueBulk({ locale, reviewers, strings }: QueueBulkProps) {
  const t = createTranslator(strings, locale)
  const chosen = useStore($queueSelection)
  const [affected, setAffected] = useState<Affected[] | null>(null)
  const submissionIds = [...chosen]
  if (chosen.length === 0) return null
  const preview = () => withErrorNotice(async () => setAffected(await api.homework.previewAccept({ submissionIds })))
  const assign = (memberId: string | null) =>
    withErrorNotice(async () => {
      const { assigned } = await api.homework.assign({ submissionIds, memberId })
      showNotice(assigned.length > 0 ? 'success' : 'info', t('homework:bulk.assigned', { count: assigned.length }))
      clearAndRefresh()
    })
  const download = () =>
    withErrorNotice(async () => {
      const { address } = await api.homework.offerZip({ submissionIds })
      location.assign(address)
    })
  return (
    <section aria-label={t('homework:bulk.label')} className="queue-bar floating">
      <span role="status" className="mr-auto font-medium text-sm">
        {t('homework:bulk.chosen', { count: chosen.length })}
      </span>
      <Button small tone="primary" onClick={preview}>
        {t('homework:bulk.accept')}
      </Button>
      <Menu
        trigger={
          <button type="button" className="btn btn-sm">
            {t('homework:bulk.assign')}
          </button>
        }
        entries={[
          ...reviewers.map(({ id, name }) => ({ key: id, label: name, onSelect: () => void assign(id) })),
          { key: 'none', label: t('homework:bulk.nobody'), onSelect: () => void assign(null) },
        ]}
      />
      <Button small onClick={download}>
        {t('homework:bulk.download')}
      </Button>
      <Button small tone="quiet" onClick={() => selectAllSubmissions(false)}>
        {t('homework:bulk.clear')}
      </Button>
      {affected && <AcceptDialog t={t} affected={affected} onClose={() => setAffected(null)} />}
    </section>
  )
}

/** Confirms the acceptance with a list of the submissions. */
function AcceptDialog({ t, affected, onClose }: { t: Translate; affected: Affected[]; onClose: () => void }) {
  const fit = affected.filter(({ skip }) => skip === null)
  const [busy, setBusy] = useState(false)
  const accept = async () => {
    setBusy(true)
    await withErrorNotice(async () => {
      const submissionIds = fit.map(({ submissionId }) => submissionId)
      const { accepted } = await api.homework.acceptSubmissions({ submissionIds })
      onClose()
      showNotice('success', t('homework:bulk.accepted', { count: accepted.length }), {
        action: { label: t('shell:button.undo'), run: () => void recallVerdicts(t, accepted) },
        durationMs: UNDO_NOTICE_MS,
      })
      clearAndRefresh()
    })
    setBusy(false)
  }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t('homework:bulk.acceptTitle', { count: fit.length })}
      text={t('homework:bulk.acceptText')}
      closeLabel={t('shell:button.cancel')}
      actions={(close) => (
        <>
          {close}
          {fit.length > 0 && (
            <Button tone="primary" busy={busy} onClick={accept}>
              {t('homework:bulk.accept')}
            </Button>
          )}
        </>
      )}
    >
      <ul className="queue-affected">
        {affected.map(({ submissionId, student, task, skip }) => (
          <li key={submissionId}>
            <span>
              {student} · {task}
            </span>
            <span className="text-muted">{t(skip ? `homework:bulk.skip.${skip}` : 'homework:bulk.fit')}</span>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}

async function recallVerdicts(t: Translate, submissionIds: string[]): Promise<void> {
  await withErrorNotice(async () => {
    const { recalled } = await api.homework.recallVerdicts({ submissionIds })
    showNotice('info', t('homework:bulk.recalled', { count: recalled.length }))
    refreshPage()
  })
}

function clearAndRefresh(): void {
  selectAllSubmissions(false)
  refreshPage()
}

/** Mounts the bar. Returns how to unmount. */
export function mountQueueBulk(place: HTMLElement, props: QueueBulkProps): () => void {
  return mountIsland(place, 'queue', <QueueBulk {...props} />).unmount
}
