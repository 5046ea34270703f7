import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import {
  deleteRecordingRequest,
  listRecordingRequests,
  saveRecordingRequest,
} from '#lib/core/broadcast/recording/recording-requests.ts'
import { config } from '#lib/core/config/config.ts'

test('concurrent saves of a recording request leave one complete file', async () => {
  const room = 'written-at-once'
  const directories = Array.from({ length: 40 }, (_, nth) => `/recordings/${'long-name-'.repeat(nth)}${nth}`)
  await Promise.all(directories.map((directory) => saveRecordingRequest(room, directory)))
  const kept = (await listRecordingRequests()).filter((request) => request.room === room)
  expect(kept.length).toBe(1)
  expect(directories).toContain(kept[0]?.directory)
  const names = await readdir(path.join(config.dataDir, 'broadcast', 'wanted'))
  expect(names.filter((name) => name.startsWith(room))).toEqual([`${room}.json`])
  await deleteRecordingRequest(room)
})
