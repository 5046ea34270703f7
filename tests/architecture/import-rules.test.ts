import { describe, expect, test } from 'vitest'
import { forbiddenImports, importCycles, reExports } from './checks/import-rules.ts'
import { file, readCode, report } from './checks/source-tree.ts'

const FORBIDDEN: [path: string, source: string, why: RegExp][] = [
  ['src/pages/a.astro', `---\nimport { course } from '#lib/course/table.ts'\n---`, /domain functions/],
  ['src/pages/a.astro', `---\nimport { inTenant } from '#lib/core/db/db.ts'\n---`, /without its database/],
  ['src/pages/a.astro', `---\nimport { atom } from 'nanostores'\n---`, /not used on the server/],
  ['src/pages/a.astro', `---\nimport { eq } from 'drizzle-orm'\n---`, /in lib only/],
  ['src/pages/a.astro', `---\nimport { course } from '#lib/course/api.ts'\n---`, /domain functions/],
  [
    'src/pages/a.astro',
    `<script>\nimport { getCourse } from '#lib/course/course.ts'\ngetCourse()\n</script>`,
    /script in a page/,
  ],
  ['src/middleware.ts', `import { pool } from '#lib/core/db/db.ts'`, /without its database/],
  ['src/layouts/Cabinet.astro', `---\nimport { getSession } from '#lib/user/user.ts'\n---`, /layouts import/],
  ['src/islands/course/Editor.tsx', `import { Desk } from '#islands/homework/review/ReviewPage.tsx'`, /own module/],
  ['src/islands/course/Editor.tsx', `import { getCourse } from '#lib/course/course.ts'`, /own module/],
  ['src/islands/course/Editor.tsx', `import fs from 'node:fs'`, /no server packages/],
  ['src/islands/stores/api.ts', `import { router } from '#lib/api.ts'`, /stores import/],
  ['src/islands/stores/api.ts', `import Player from '#islands/player/Player.tsx'`, /stores import/],
  ['src/islands/ui/Button.tsx', `import Player from '#islands/player/Player.tsx'`, /islands\/ui/],
  ['src/islands/player/Player.tsx', `import { Desk } from '#islands/storage/Desk.tsx'`, /shared islands import/],
  ['src/islands/ui/Button.tsx', `import { busy } from '#islands/stores/busy.ts'`, /islands\/ui/],
  ['src/islands/ui/Button.tsx', `import { useStore } from '@nanostores/react'`, /no store/],
  ['src/lib/course/course.ts', `import { homework } from '#lib/homework/table.ts'`, /is not below/],
  ['src/lib/team/team.ts', `import { countStudents } from '#lib/student/student.ts'`, /is not below/],
  ['src/lib/course/course.ts', `import { userJobs } from '#lib/user/jobs.ts'`, /jobs and channels/],
  ['src/lib/course/course.ts', `import { router } from '#lib/api.ts'`, /no registry/],
  ['src/lib/course/rules.ts', `import { config } from '#lib/core/config/config.ts'`, /schema and rules/],
  ['src/lib/course/schema.ts', `import { sql } from 'drizzle-orm'`, /zod and nothing else/],
  ['src/lib/course/table.ts', `import { listCourses } from './course.ts'`, /tables import/],
  ['src/lib/core/http/api/handler.ts', `import { getSession } from '#lib/user/user.ts'`, /core imports no module/],
  ['src/lib/api.ts', `import { course } from '#lib/course/table.ts'`, /registry is a list/],
  ['src/lib/course/course.ts', `import { getUser } from '../user/user.ts'`, /use #lib/],
  ['src/lib/course/course.ts', `import { next } from './rules'`, /real extension/],
  ['scripts/seed.ts', `import { Button } from '#islands/ui/Button.tsx'`, /Node runs this file/],
]

const ALLOWED: [path: string, source: string][] = [
  ['src/islands/storage/Preview.tsx', `import Player from '#islands/player/Player.tsx'`],
  [
    'src/islands/player/Player.tsx',
    `import { api } from '#islands/stores/api.ts'\nimport type { PlaybackView } from '#lib/storage/schema.ts'`,
  ],
  [
    'src/pages/a.astro',
    `---\nimport { getCourse } from '#lib/course/course.ts'\nimport Frame from '#layouts/Cabinet.astro'\n---`,
  ],
  ['src/islands/stores/api.ts', `import type { Router } from '#lib/api.ts'`],
  [
    'src/islands/course/Editor.tsx',
    `import { canEdit } from '#lib/course/rules.ts'\nimport { $busy } from '#islands/stores/busy.ts'`,
  ],
  [
    'src/lib/homework/homework.ts',
    `import { course } from '#lib/course/table.ts'\nimport { getCourse } from '#lib/course/course.ts'`,
  ],
]

describe('re-exports', () => {
  test('are found', () => {
    const source = `export { listFiles } from './files.ts'\nexport * from './trash.ts'\nexport const a = 1`
    expect(report(reExports(file('src/lib/storage/storage.ts', source)))).toHaveLength(2)
  })

  test('are nowhere: a file exports what it defines', () => {
    expect(report([...readCode('src'), ...readCode('scripts')].flatMap(reExports))).toEqual([])
  })
})

describe('imports', () => {
  test.each(FORBIDDEN)('%j may not import %j', (path, source, why) => {
    expect(report(forbiddenImports(file(path, source))).join('\n')).toMatch(why)
  })

  test.each(ALLOWED)('%j may import %j', (path, source) => {
    expect(report(forbiddenImports(file(path, source)))).toEqual([])
  })

  test('follow the rules', () => {
    expect(report([...readCode('src'), ...readCode('scripts')].flatMap(forbiddenImports))).toEqual([])
  })
})

describe('import cycles', () => {
  test('are found', () => {
    const files = [file('src/lib/a/a.ts', `import './b.ts'`), file('src/lib/a/b.ts', `import './a.ts'`)]
    expect(report(importCycles(files))).toEqual([
      'src/lib/a/a.ts: is in an import cycle: src/lib/a/a.ts → src/lib/a/b.ts → src/lib/a/a.ts',
    ])
  })

  test('are nowhere', () => {
    expect(report(importCycles(readCode('src')))).toEqual([])
  })
})
