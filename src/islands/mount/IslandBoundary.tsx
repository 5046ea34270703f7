import type { ReactNode } from 'react'
import { ErrorBoundary, type FallbackProps } from 'react-error-boundary'
import { reportError } from '#islands/stores/error-report.ts'
import { flattenStrings } from '#islands/stores/flatten-strings.ts'
import { isStorageDurable } from '#islands/stores/safe-storage.ts'
import { ErrorState } from '#islands/ui/State.tsx'
import { isLocale } from '#lib/core/shared/locale.ts'
import { createTranslator, type Translate } from '#lib/core/shared/text/strings.ts'
// With the code, in both languages: when something fails there may be no network to bring them.
import en from '#locales/en/island.json'
import uk from '#locales/uk/island.json'
import { FLOATING_ISLANDS, ISLANDS, type IslandName } from './names.ts'

interface Props {
  name: IslandName
  children?: ReactNode
}

/** Shows what failed and what was kept in place of an island that throws, and renders it anew on request. */
export function IslandBoundary({ name, children }: Props) {
  return (
    <ErrorBoundary
      fallbackRender={(failure) => <Failed name={name} {...failure} />}
      onError={(error, { componentStack }) =>
        reportError(error, { island: name, componentStack: componentStack ?? '' })
      }
    >
      {children}
    </ErrorBoundary>
  )
}

function Failed({ name, resetErrorBoundary }: FallbackProps & { name: IslandName }) {
  const t = translatorOfPage()
  const kept = keptOf(name)
  const floating = FLOATING_ISLANDS.has(name)
  return (
    <div
      data-island-failed={name}
      className={floating ? 'floating fixed start-4 bottom-4 z-70 max-w-sm max-sm:end-4' : 'min-w-0 text-base-content'}
    >
      <ErrorState
        title={t('island:failed', { part: t(`island:part.${name}`) })}
        text={`${t(`island:kept.${kept}`)} ${t(kept === 'memory' ? 'island:again' : 'island:next')}`}
        retryLabel={t('island:retry')}
        onRetry={() => resetErrorBoundary()}
      >
        <button type="button" className="btn btn-ghost" onClick={() => location.reload()}>
          {t('island:reload')}
        </button>
      </ErrorState>
    </div>
  )
}

/** A draft is promised to come back after a reload only where the browser stores it. */
function keptOf(name: IslandName) {
  const kept = ISLANDS[name]
  return kept === 'draft' && !isStorageDurable() ? 'memory' : kept
}

function translatorOfPage(): Translate {
  const { lang } = document.documentElement
  const locale = isLocale(lang) ? lang : 'uk'
  return createTranslator(flattenStrings(locale === 'en' ? en : uk, 'island:'), locale)
}
