import type { Translate } from '#lib/core/shared/text/strings.ts'

/** The state of a draft, as returned by `useDraft`. */
type SaveStateView =
  | { kind: 'saved'; at: number | null }
  | { kind: 'saving' }
  | { kind: 'localOnly'; reason: 'offline' | 'failed' | 'signedOut' | 'refused' | 'storage'; message: string }
  | { kind: 'conflict' }

interface Props {
  state: SaveStateView
  locale: string
  /** Translates the `shell` strings. */
  t: Translate
  /** URL of the sign-in page, opened in another tab; the draft is saved automatically afterwards. */
  signInHref?: string
}

/** «Збережено 14:02», or why the text is not saved. */
export function SaveState({ state, locale, t, signInHref = '/login' }: Props) {
  return (
    <span role="status" className="inline-flex flex-wrap items-center gap-x-2 text-muted text-sm">
      {state.kind === 'saved' && state.at !== null && (
        <span>{t('shell:save.saved', { time: clock(state.at, locale) })}</span>
      )}
      {state.kind === 'saving' && <span>{t('shell:save.saving')}</span>}
      {state.kind === 'conflict' && <strong className="text-error">{t('shell:save.conflict')}</strong>}
      {state.kind === 'localOnly' && (
        <>
          {state.reason !== 'storage' && <strong className="text-warning">{t('shell:save.localOnly')}</strong>}
          <span className={state.reason === 'storage' ? 'font-semibold text-error' : undefined}>
            {state.message || t(`shell:save.${state.reason}`)}
          </span>
          {state.reason === 'signedOut' && (
            <a className="still-link" href={signInHref} target="_blank" rel="noopener">
              {t('shell:button.signIn')}
            </a>
          )}
        </>
      )}
    </span>
  )
}

function clock(at: number, locale: string): string {
  return new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(at)
}
