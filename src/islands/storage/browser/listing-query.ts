import type { api } from '#islands/stores/api.ts'
import type { Locale } from '#lib/core/shared/locale.ts'
import { FILE_KINDS, FILE_SORTS, type FileKind } from '#lib/core/shared/stored-file.ts'
import type { Strings } from '#lib/core/shared/text/strings.ts'

export type ListedFile = Awaited<ReturnType<typeof api.storage.list>>['rows'][number]
export type StorageQuota = Awaited<ReturnType<typeof api.storage.getQuota>>
export type ListingCrumb = Awaited<ReturnType<typeof api.storage.list>>['path'][number]

/** The query of the page's URL. */
export interface ListingQuery {
  folder: string | null
  q: string
  kind: FileKind | null
  use: 'used' | 'unused' | null
  /** Minimum size in bytes; 0 for any. */
  min: number
  sort: (typeof FILE_SORTS)[number]
  dir: 'asc' | 'desc'
  trash: boolean
}

export type ListingView = 'list' | 'grid'

/** Props that the page passes to its island. */
export interface BrowserProps {
  rows: ListedFile[]
  next: string | null
  path: ListingCrumb[]
  query: ListingQuery
  view: ListingView
  quota: StorageQuota
  /** The tenant's plan is active. */
  canWrite: boolean
  locale: Locale
  /** The user's IANA time zone. */
  timeZone: string
  strings: Strings
}

export const MIN_SIZES_BYTES = [10, 100, 1024].map((megabytes) => megabytes * 1024 ** 2)

export const EMPTY_QUERY: ListingQuery = {
  folder: null,
  q: '',
  kind: null,
  use: null,
  min: 0,
  trash: false,
  sort: 'name',
  dir: 'asc',
}

/** Parses a URL; invalid values are ignored. */
export function parseQuery(params: URLSearchParams): ListingQuery {
  const [sort, dir] = (params.get('sort') ?? '').split('-')
  const use = params.get('use')
  return {
    folder: params.get('folder') || null,
    q: (params.get('q') ?? '').trim().slice(0, 100),
    kind: FILE_KINDS.find((kind) => kind === params.get('kind')) ?? null,
    use: use === 'used' || use === 'unused' ? use : null,
    min: MIN_SIZES_BYTES.find((size) => String(size) === params.get('min')) ?? 0,
    sort: FILE_SORTS.find((option) => option === sort) ?? 'name',
    dir: dir === 'desc' ? 'desc' : 'asc',
    trash: params.get('trash') === '1',
  }
}

/** URL of the page with a changed query; default values are omitted. */
export function listingUrl(query: ListingQuery, change: Partial<ListingQuery> = {}): string {
  const { folder, q, kind, use, min, sort, dir, trash } = { ...query, ...change }
  const params = new URLSearchParams()
  if (trash) params.set('trash', '1')
  if (folder) params.set('folder', folder)
  if (q) params.set('q', q)
  if (kind) params.set('kind', kind)
  if (use) params.set('use', use)
  if (min) params.set('min', String(min))
  if (sort !== 'name' || dir !== 'asc') params.set('sort', `${sort}-${dir}`)
  return params.size > 0 ? `/storage?${params}` : '/storage'
}

export const folderUrl = (query: ListingQuery, folder: string | null): string =>
  listingUrl(EMPTY_QUERY, { folder, sort: query.sort, dir: query.dir })

/** Whether the query searches all folders. */
export const isSearch = ({ q, kind, use, min }: ListingQuery): boolean => Boolean(q || kind || use || min)

/** The query as input of the API. */
export function toListInput({ folder, q, kind, use, min, sort, dir, trash }: ListingQuery) {
  return {
    ...(folder ? { folderId: folder } : {}),
    ...(q ? { search: q } : {}),
    ...(kind ? { kind } : {}),
    ...(use ? { use } : {}),
    ...(min ? { minSize: min } : {}),
    ...(trash ? { trash } : {}),
    sort,
    direction: dir,
  }
}
