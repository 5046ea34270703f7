import { canRecordInBrowser } from '#islands/broadcast/recorder.ts'
import { api } from '#islands/stores/api.ts'
import { CallError } from '#islands/stores/call-error.ts'
import { listDrafts } from '#islands/stores/draft/device-draft-store.ts'
import { showFailure, showSuccess } from '#islands/stores/notice.ts'
import { onPage, refreshPage } from '#islands/stores/page.ts'
import { readPageLocale } from '#islands/stores/page-locale.ts'
import { listLeftRecordings } from '../recording/recording-store.ts'
import { isPending } from './pending-submission.ts'
import { draftKey, type SubmissionProps } from './submission-props.ts'

type Cleanup = () => void
const quiet = { context: { isQuiet: true } }

/*
 * Homework is plain HTML on the lesson page, and its forms work without a script. Drafts, uploads and messages are
 * loaded on first use, or at once when this device has unsent data.
 */
onPage(() => {
  const ends = [...document.querySelectorAll<HTMLElement>('[data-homework]')].flatMap((place) => [
    attachForm(place),
    attachThread(place),
    attachWithdrawal(place),
    markVerdictSeenOnView(place),
    ...[...place.querySelectorAll<HTMLElement>('[data-marks]')].map(attachAnnotations),
  ])
  return () => {
    for (const end of ends) end?.()
  }
})

function attachForm(place: HTMLElement): Cleanup | undefined {
  const box = place.querySelector<HTMLElement>('[data-form]')
  const field = box?.querySelector('textarea')
  if (!box || !field || !place.dataset.own) return
  const own: SubmissionProps = JSON.parse(place.dataset.own)
  let state: 'waits' | 'comes' | 'gone' = 'waits'
  let close: Cleanup = () => {}
  let action: 'write' | 'add' | 'record' | 'submit' | 'go on' = 'write'
  const open = (first: typeof action) => {
    // A control clicked while the form loads becomes its first action.
    if (first !== 'write') action = first
    if (state !== 'waits') return
    state = 'comes'
    box.setAttribute('aria-busy', 'true')
    void import('./SubmitForm.tsx').then(async ({ mountSubmitForm }) => {
      const mount = await mountSubmitForm(own, readPageLocale())
      if (state === 'gone') return
      const { selectionStart, value } = field
      box.removeAttribute('aria-busy')
      const focus = document.activeElement === field ? selectionStart : null
      close = mount(box, { initialText: value === own.text ? null : value, cursor: focus, action })
    })
  }
  box.querySelector<HTMLElement>('[data-with-script]')?.removeAttribute('hidden')
  box.addEventListener('focusin', () => open('write'), { once: true })
  box.addEventListener('pointerenter', () => open('write'), { once: true })
  box.addEventListener('dragenter', () => open('write'), { once: true })
  box.querySelector('[data-add]')?.addEventListener('click', () => open('add'))
  const record = box.querySelector<HTMLElement>('[data-record]')
  record?.toggleAttribute('hidden', !canRecordInBrowser())
  record?.addEventListener('click', () => open('record'))
  box.querySelector('form')?.addEventListener('submit', (event) => {
    event.preventDefault()
    open('submit')
  })
  if (isPending(own.owner, own.taskId, own.attempt) || own.files.some(({ arrived }) => !arrived)) open('go on')
  else {
    void listDrafts(own.owner).then(
      (drafts) => drafts.some(({ key }) => key === draftKey(own)) && open('go on'),
      () => undefined,
    )
    if (own.record) {
      void listLeftRecordings(own.owner, own.taskId).then(
        (left) => left.length > 0 && open('go on'),
        () => undefined,
      )
    }
  }
  return () => {
    state = 'gone'
    close()
  }
}

function attachThread(place: HTMLElement): Cleanup | undefined {
  const details = place.querySelector<HTMLDetailsElement>('[data-conversation]')
  const thread = details?.querySelector<HTMLElement>('[data-thread]')
  if (!details || !thread) return
  let isUnmounted = false
  let close: Cleanup = () => {}
  let isLoading = false
  const open = () => {
    if (isLoading || !details.open) return
    isLoading = true
    void import('../ThreadIsland.tsx').then(async ({ mountThread }) => {
      const mount = await mountThread(JSON.parse(details.dataset.conversation ?? '{}'), readPageLocale())
      if (!isUnmounted) close = mount(thread)
    })
  }
  const seen = new IntersectionObserver((entries) => entries.some(({ isIntersecting }) => isIntersecting) && open())
  details.addEventListener('toggle', open)
  seen.observe(thread)
  return () => {
    isUnmounted = true
    seen.disconnect()
    close()
  }
}

/** Mounts annotations when their list becomes visible; until then the plain list is shown. */
function attachAnnotations(place: HTMLElement): Cleanup {
  let isUnmounted = false
  let close: Cleanup = () => {}
  const seen = new IntersectionObserver((entries) => {
    if (!entries.some(({ isIntersecting }) => isIntersecting)) return
    seen.disconnect()
    void import('../annotation/AnnotationIsland.tsx').then(async ({ mountAnnotations: mountMarks }) => {
      const mount = await mountMarks(JSON.parse(place.dataset.marks ?? '{}'), readPageLocale())
      if (!isUnmounted) close = mount(place)
    })
  })
  seen.observe(place)
  return () => {
    isUnmounted = true
    seen.disconnect()
    close()
  }
}

/** Withdraws the submission without leaving the page; without a script the form does it. */
function attachWithdrawal(place: HTMLElement): undefined {
  const form = place.querySelector<HTMLFormElement>('[data-withdraw]')
  form?.addEventListener('submit', async (event) => {
    event.preventDefault()
    const taskId = place.dataset.homework ?? ''
    const attempt = Number(new FormData(form).get('attempt'))
    try {
      await api.homework.withdraw({ taskId, attempt })
      refreshPage()
    } catch (error) {
      const failure = CallError.from(error)
      showFailure(failure.fields.form?.[0] ?? failure.message)
    }
  })
}

/** Records the first view of a verdict, and celebrates an accepted submission. */
function markVerdictSeenOnView(place: HTMLElement): Cleanup | undefined {
  const attempt = Number(place.dataset.fresh)
  const taskId = place.dataset.homework
  const verdict = place.querySelector('[data-verdict]')
  if (!attempt || !taskId || !verdict) return
  const seen = new IntersectionObserver((entries) => {
    if (!entries.some(({ isIntersecting }) => isIntersecting)) return
    seen.disconnect()
    api.homework.readVerdict({ taskId, attempt }, quiet).catch(() => undefined)
    if (!place.dataset.accepted) return
    showSuccess(place.dataset.accepted)
    void import('./confetti.ts').then(({ showConfetti: celebrate }) => celebrate())
  })
  seen.observe(verdict)
  return () => seen.disconnect()
}
