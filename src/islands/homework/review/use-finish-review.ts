import { type RefObject, useEffect, useRef } from 'react'
import { api } from '#islands/stores/api.ts'
import { CallError } from '#islands/stores/call-error.ts'
import type { DraftState } from '#islands/stores/draft/draft-settings.ts'
import { showFailure, showNotice } from '#islands/stores/notice.ts'
import { refreshPage } from '#islands/stores/page.ts'
import type { VerdictAction } from '#lib/homework/review/schema.ts'
import type { DeskWords, Work } from './reviewed-submission.ts'

interface Parts {
  work: Work
  words: DeskWords
  /** Of the draft. */
  kind: DraftState<unknown>['kind']
  version: RefObject<number>
  onShow: (id: string | null) => Promise<void> | void
}

/** How long the toast offers to take a verdict back, in milliseconds. */
const RECALL = 10_000

/** Ends the review as soon as the school has all that was typed; says why when it does not. */
export function useEnding(parts: Parts, ending: VerdictAction | null, onFail: (words: string) => void): void {
  const latest = useRef({ ...parts, onFail })
  latest.current = { ...parts, onFail }
  const { kind } = parts
  useEffect(() => {
    if (!ending || kind === 'saving') return
    const { work, words, version, onShow, onFail: failed } = latest.current
    const { t } = words
    if (kind !== 'saved') return failed(t('homework:desk.notSaved'))
    void api.homework.review({ submissionId: work.id, verdict: ending, version: version.current }).then(
      () => {
        showNotice('success', t(`homework:desk.done.${ending}`, { name: work.student.name }), {
          action: { label: t('shell:button.undo'), run: () => void recall(work.id) },
          durationMs: RECALL,
        })
        void onShow(work.next)
      },
      (error: unknown) => {
        const failure = CallError.from(error)
        failed(failure.fields.form?.[0] ?? failure.message)
      },
    )
  }, [ending, kind])
}

async function recall(submissionId: string): Promise<void> {
  try {
    await api.homework.recallVerdicts({ submissionIds: [submissionId] })
    refreshPage()
  } catch (error) {
    const failure = CallError.from(error)
    if (!failure.unexpected) showFailure(failure.fields.form?.[0] ?? failure.message)
  }
}
