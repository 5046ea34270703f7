import { mkdtemp, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { expect, type Page } from '@playwright/test'
import { sampleOf } from '#lib/core/shared/event/sample.ts'
import { HEAD_BYTES } from '#lib/core/shared/stored-file.ts'
import type { PlaybackView } from '#lib/storage/schema.ts'
import { type ClipOptions, createClip } from '../../setup/media/clips.ts'
import { type HttpRequestOptions, type HttpResponse, sendRequest } from '../../setup/media/http-request.ts'
import { addressOf } from './address.ts'
import { getSignInCookies } from './sign-in.ts'

/** Returns the login token of a user, for requests outside the browser. */
export const getAuthToken = async (page: Page, email: string): Promise<string> =>
  (await getSignInCookies(page, email))[0]?.value ?? ''

/** Sends a request to the demo school's host outside the browser; only browsers resolve that name. */
export function requestHost(to: string, options: HttpRequestOptions = {}): Promise<HttpResponse> {
  const { hostname, port, origin } = new URL(addressOf('demo'))
  return sendRequest(Number(port), hostname, to, { ...options, headers: { origin, ...options.headers } })
}

/** Calls a procedure of the storage module. Throws with the response of a refusal. */
export async function callStorageApi<T>(authToken: string, action: string, input: Record<string, unknown>): Promise<T> {
  const reads = /^(get|list|find)/.test(action)
  const query = reads
    ? `?${new URLSearchParams(Object.entries(input).map(([key, value]) => [key, String(value)]))}`
    : ''
  const options = { token: authToken, ...(reads ? {} : { body: input }) }
  const answer = await requestHost(`/v1/module/storage/${action}${query}`, options)
  if (answer.status !== 200) throw new Error(`${action}: ${answer.status} ${answer.body}`)
  return answer.json() as T
}

interface Started {
  uploadId: string
  partBytes: number
  parts: number
}

/** Uploads bytes into the demo school's storage as a browser does. Returns the file's id. */
export async function uploadBytes(authToken: string, name: string, bytes: Buffer<ArrayBuffer>): Promise<string> {
  const head = bytes.subarray(0, HEAD_BYTES).toString('base64')
  const file = { name, size: bytes.length, head, sample: await sampleOf(new Blob([bytes])) }
  const { uploadId, partBytes, parts } = await callStorageApi<Started>(authToken, 'startUpload', file)
  for (let number = 1; number <= parts; number += 1) {
    const { url } = await callStorageApi<{ url: string }>(authToken, 'signPart', { uploadId, number })
    const { pathname, search } = new URL(url, addressOf('demo'))
    const body = bytes.subarray((number - 1) * partBytes, number * partBytes)
    const headers = { 'content-length': String(body.length) }
    const answer = await requestHost(`${pathname}${search}`, { method: 'PUT', token: authToken, body, headers })
    expect(answer.status, answer.body).toBe(200)
  }
  await callStorageApi(authToken, 'finishUpload', { uploadId })
  return uploadId
}

/** Uploads a video made by ffmpeg into the demo school's storage. Returns its id. */
export async function uploadClip(authToken: string, name: string, about: ClipOptions): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'clip-'))
  try {
    const file = await createClip(path.join(folder, `clip${path.extname(name)}`), about)
    return await uploadBytes(authToken, name, await readFile(file))
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Waits until a video is completely transcoded. */
export async function waitUntilEncoded(authToken: string, fileId: string): Promise<PlaybackView> {
  await expect(async () => {
    const { processing: making } = await callStorageApi<PlaybackView>(authToken, 'getPlayback', { fileId })
    expect(making?.state).toBe('finished')
  }).toPass({ timeout: 90_000, intervals: [300] })
  return callStorageApi(authToken, 'getPlayback', { fileId })
}
