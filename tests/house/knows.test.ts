import { describe, expect, test } from 'vitest'
import { circles, strangers } from './knows.ts'
import { file, readCode, report } from './tree.ts'

const STRANGERS: [path: string, source: string, why: RegExp][] = [
  ['src/pages/a.astro', `---\nimport { course } from '#lib/course/table.ts'\n---`, /front doors/],
  ['src/pages/a.astro', `---\nimport { inTenant } from '#lib/core/db/db.ts'\n---`, /without its database/],
  ['src/pages/a.astro', `---\nimport { atom } from 'nanostores'\n---`, /no server life/],
  ['src/pages/a.astro', `---\nimport { eq } from 'drizzle-orm'\n---`, /in lib only/],
  ['src/pages/a.astro', `---\nimport { course } from '#lib/course/api.ts'\n---`, /front doors/],
  [
    'src/pages/a.astro',
    `<script>\nimport { getCourse } from '#lib/course/course.ts'\ngetCourse()\n</script>`,
    /script in a page/,
  ],
  ['src/middleware.ts', `import { pool } from '#lib/core/db/db.ts'`, /without its database/],
  ['src/layouts/Cabinet.astro', `---\nimport { getSession } from '#lib/user/user.ts'\n---`, /layouts know/],
  ['src/islands/course/Editor.tsx', `import { Desk } from '#islands/homework/Desk.tsx'`, /own folder/],
  ['src/islands/course/Editor.tsx', `import { getCourse } from '#lib/course/course.ts'`, /own folder/],
  ['src/islands/course/Editor.tsx', `import fs from 'node:fs'`, /no server packages/],
  ['src/islands/stores/api.ts', `import { router } from '#lib/api.ts'`, /stores know/],
  ['src/islands/stores/api.ts', `import Player from '#islands/player/Player.tsx'`, /stores know/],
  ['src/islands/ui/Button.tsx', `import Player from '#islands/player/Player.tsx'`, /islands\/ui/],
  ['src/islands/player/Player.tsx', `import { Desk } from '#islands/storage/Desk.tsx'`, /shared pieces know/],
  ['src/islands/ui/Button.tsx', `import { busy } from '#islands/stores/busy.ts'`, /islands\/ui/],
  ['src/islands/ui/Button.tsx', `import { useStore } from '@nanostores/react'`, /no store/],
  ['src/lib/course/course.ts', `import { homework } from '#lib/homework/table.ts'`, /does not stand below/],
  ['src/lib/team/team.ts', `import { countStudents } from '#lib/student/student.ts'`, /does not stand below/],
  ['src/lib/course/course.ts', `import { hash } from '#lib/user/password.ts'`, /front door, schema/],
  ['src/lib/course/course.ts', `import { router } from '#lib/api.ts'`, /no hallway/],
  ['src/lib/course/rules.ts', `import { config } from '#lib/core/config/config.ts'`, /schema and rules/],
  ['src/lib/course/schema.ts', `import { sql } from 'drizzle-orm'`, /zod and nothing else/],
  ['src/lib/course/table.ts', `import { listCourses } from './course.ts'`, /tables know/],
  ['src/lib/core/http/door.ts', `import { getSession } from '#lib/user/user.ts'`, /core knows no room/],
  ['src/lib/api.ts', `import { listCourses } from '#lib/course/course.ts'`, /hallway is a list/],
  ['src/lib/course/course.ts', `import { getUser } from '../user/user.ts'`, /use #lib/],
  ['src/lib/course/course.ts', `import { next } from './rules'`, /real extension/],
  ['scripts/seed.ts', `import { Button } from '#islands/ui/Button.tsx'`, /Node runs this file/],
]

const FRIENDS: [path: string, source: string][] = [
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

describe('who may know whom', () => {
  test.each(STRANGERS)('%j may not hold %j', (path, source, why) => {
    expect(report(strangers(file(path, source))).join('\n')).toMatch(why)
  })

  test.each(FRIENDS)('%j may hold %j', (path, source) => {
    expect(report(strangers(file(path, source)))).toEqual([])
  })

  test('nobody knows a stranger', () => {
    expect(report([...readCode('src'), ...readCode('scripts')].flatMap(strangers))).toEqual([])
  })
})

describe('circles', () => {
  test('are found', () => {
    const files = [file('src/lib/a/a.ts', `import './b.ts'`), file('src/lib/a/b.ts', `import './a.ts'`)]
    expect(report(circles(files))).toEqual([
      'src/lib/a/a.ts: stands in a circle: src/lib/a/a.ts → src/lib/a/b.ts → src/lib/a/a.ts',
    ])
  })

  test('are nowhere', () => {
    expect(report(circles(readCode('src')))).toEqual([])
  })
})
