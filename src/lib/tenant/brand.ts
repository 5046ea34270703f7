import type { SchoolBrand } from '#lib/core/shared/shell-view.ts'
import type { TenantView } from './tenant.ts'

/** The brand of a school is not loaded with requests of its team, for which only the name is shown. */
type Branded = Pick<TenantView, 'id' | 'name'> & { [Key in 'logoHash' | 'primaryColor']?: string | null | undefined }

/** The brand of a school for a page's layout. */
export function brandOf(school: Branded): SchoolBrand {
  const { name, primaryColor } = school
  const stylesheet = primaryColor ? `/v1/brand/${primaryColor.slice(1)}.css` : null
  return { name, mark: logoPath(school), stylesheet }
}

/** Path of a school's logo, or null. It contains the hash of the image, so it can be cached permanently. */
export function logoPath({ id, logoHash }: Pick<Branded, 'id' | 'logoHash'>): string | null {
  return logoHash ? `/v1/logo/${id}/${logoHash}.png` : null
}
