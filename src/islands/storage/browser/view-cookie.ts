import { writeCookie } from '#islands/stores/cookies.ts'
import { documentCookies } from '#islands/stores/document-cookies.ts'
import { YEAR_SECONDS } from '#lib/core/shared/time.ts'
import type { ListingView } from './listing-query.ts'

/** The cookie lets the server render the chosen view. */
export const LISTING_VIEW_COOKIE = 'storage_view'

export const saveListingView = (view: ListingView): boolean =>
  writeCookie(documentCookies, LISTING_VIEW_COOKIE, view, YEAR_SECONDS)

export const parseView = (cookie: string | undefined): ListingView => (cookie === 'grid' ? 'grid' : 'list')
