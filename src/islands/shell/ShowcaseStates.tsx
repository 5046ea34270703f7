import { Avatar } from '#islands/ui/Avatar.tsx'
import { Badge } from '#islands/ui/Badge.tsx'
import { ConflictChoice } from '#islands/ui/ConflictChoice.tsx'
import { ProgressBar, ProgressRing } from '#islands/ui/Progress.tsx'
import { SaveState } from '#islands/ui/SaveState.tsx'
import { Skeleton } from '#islands/ui/Skeleton.tsx'
import { DeniedState, ErrorState } from '#islands/ui/State.tsx'
import type { Locale } from '#lib/core/shared/locale.ts'
import { keyFrom } from '#lib/core/shared/text/message-key.ts'
import type { Translate } from '#lib/core/shared/text/strings.ts'

const noop = () => undefined
// Local time: 14:02 in the time zone of the server and of the browser.
const AFTERNOON = new Date(2026, 9, 25, 14, 2).getTime()
export function ShowcaseStates({ t, locale }: { t: Translate; locale: Locale }) {
  const word = (key: string) => t(keyFrom(`shell:styleguide.${key}`))
  return (
    <>
      <section className="grid gap-4 border-base-300 border-t py-8">
        <h2 className="font-semibold text-xl">{word('states')}</h2>
        <Skeleton shape="cards" label={t('shell:loading')} />
        <Skeleton shape="lines" count={4} label={t('shell:loading')} />
        <ErrorState
          title={t('shell:state.failed')}
          text={t('shell:state.failedHint')}
          retryLabel={t('shell:button.retry')}
          onRetry={noop}
        />
        <DeniedState title={t('shell:state.denied')} text={t('shell:state.deniedHint')} />
      </section>
      <section className="grid gap-4 border-base-300 border-t py-8">
        <h2 className="font-semibold text-xl">{word('progress')}</h2>
        <div className="flex flex-wrap items-center gap-3">
          <ProgressRing share={0} label={word('ring')} />
          <ProgressRing share={0.45} label={word('ring')} />
          <ProgressRing share={1} label={word('ring')} size={56} />
          <Badge>{word('draft')}</Badge>
          <Badge tone="success">{word('published')}</Badge>
          <Badge tone="warning">{word('invited')}</Badge>
          <Badge tone="error">{word('archived')}</Badge>
          <Badge tone="info">{word('active')}</Badge>
          <Badge tone="live">{word('live')}</Badge>
          <Avatar name={word('person1')} /> {word('person1')}
        </div>
        <ProgressBar share={0.62} label={word('upload')} remaining={word('remains')} />
      </section>
      <section className="grid gap-4 border-base-300 border-t py-8">
        <h2 className="font-semibold text-xl">{word('drafts')}</h2>
        <SaveState state={{ kind: 'saved', at: AFTERNOON }} locale={locale} t={t} />
        <SaveState state={{ kind: 'saving' }} locale={locale} t={t} />
        {(['offline', 'failed', 'signedOut', 'refused', 'storage'] as const).map((reason) => (
          <SaveState key={reason} state={{ kind: 'localOnly', reason, message: '' }} locale={locale} t={t} />
        ))}
        <SaveState state={{ kind: 'conflict' }} locale={locale} t={t} />
        <ConflictChoice mine={word('mineText')} theirs={word('theirsText')} onChoose={noop} t={t} />
      </section>
    </>
  )
}
