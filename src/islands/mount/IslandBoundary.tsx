import type { ReactNode } from 'react'
import { ErrorBoundary, type FallbackProps } from 'react-error-boundary'
import { reportError } from '#islands/stores/error-report.ts'
import { flattenStrings } from '#islands/stores/flatten-strings.ts'
import { readPageLocale } from '#islands/stores/page-locale.ts'
import { isStorageDurable } from '#islands/stores/safe-storage.ts'
import { ErrorState } from '#islands/ui/State.tsx'
import { createTranslator, type Translate } from '#lib/core/shared/text/strings.ts'
// Bundled in both languages, because they cannot be loaded when the network is the cause of the failure.
import en from '#locales/en/island.json'
import uk from '#locales/uk/island.json'
import { FLOATING_ISLANDS, ISLANDS, type IslandName } from './names.ts'

interface Props {
  name: IslandName
  children?: ReactNode
}

/**
 * Replaces an island that throws by a message that names the failed part and the saved data, with a button to render it
 * again.
 */
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
  const persistence = persistenceOf(name)
  const floating = FLOATING_ISLANDS.has(name)
  return (
    <div
      data-island-failed={name}
      className={floating ? 'floating fixed start-4 bottom-4 z-70 max-w-sm max-sm:end-4' : 'min-w-0 text-base-content'}
    >
      <ErrorState
        title={t('island:failed', { part: t(`island:part.${name}`) })}
        text={`${t(`island:kept.${persistence}`)} ${t(persistence === 'memory' ? 'island:again' : 'island:next')}`}
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

/** A draft survives a reload only where the browser stores it. */
function persistenceOf(name: IslandName) {
  const { persistence } = ISLANDS[name]
  return persistence === 'draft' && !isStorageDurable() ? 'memory' : persistence
}

function translatorOfPage(): Translate {
  const locale = readPageLocale()
  return createTranslator(flattenStrings(locale === 'en' ? en : uk, 'island:'), locale)
}
