import type { Archive } from '#lib/core/files/archive/archive-guard.ts'
import { Refusal } from '#lib/core/http/refusal.ts'
import { parseJson } from '#lib/core/shared/text/json.ts'
import { BUNDLE_FORMAT, BUNDLE_JSON, BUNDLE_VERSION, CourseBundle } from './bundle-schema.ts'
import type { CourseFile, ImportedCourse } from './imported-course.ts'

/**
 * Reads a course bundle. Refuses with unprocessable: bundle_newer for a bundle of a later version of the product,
 * bundle_damaged with the location of the first error.
 */
export async function readBundle(archive: Archive): Promise<ImportedCourse> {
  const json = parseBundleJson((await archive.read(BUNDLE_JSON))?.toString('utf8') ?? '')
  if (isNewer(json)) throw bundleRefusal('bundle_newer', '')
  const bundle = CourseBundle.safeParse(json)
  if (!bundle.success) throw bundleRefusal('bundle_damaged', bundle.error.issues[0]?.path.join('.') ?? '')
  const { course, modules, files } = bundle.data
  return {
    format: 'bundle',
    course,
    modules,
    notes: [],
    bundleJson: json,
    files: files.map(({ path, ...file }): CourseFile => ({ ...file, redraw: false, source: archive.locate(path) })),
  }
}

/** Whether an archive is a course bundle. */
export const isBundle = ({ names }: Archive): boolean => names.includes(BUNDLE_JSON)

function parseBundleJson(json: string): unknown {
  const bundle = parseJson(json)
  if (bundle === null) throw bundleRefusal('bundle_damaged', BUNDLE_JSON)
  return bundle
}

function isNewer(json: unknown): boolean {
  if (typeof json !== 'object' || json === null || !('format' in json) || !('version' in json)) return false
  return json.format === BUNDLE_FORMAT && typeof json.version === 'number' && json.version > BUNDLE_VERSION
}

const bundleRefusal = (key: string, place: string) =>
  new Refusal('unprocessable', { fields: { file: [key] }, variables: { path: place || BUNDLE_JSON } })
