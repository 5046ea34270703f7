import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { config } from '#lib/core/config/config.ts'
import { inTenant } from '#lib/core/db/db.ts'
import { formRefusal, Refusal } from '#lib/core/http/refusal.ts'
import { transcribe } from '#lib/core/media/transcription.ts'
import { readEventSettings } from '../session.ts'
import type { CaptionSound } from './schema.ts'
import { actOnStage, appendCaption } from './stage.ts'

/**
 * Transcribes some seconds of a presenter's audio to a caption; silence gives none. The audio is not stored. Refuses
 * with unauthorized, forbidden, conflict (no live captions), and unprocessable where no speech service is configured.
 * Throws MachineError.
 */
export async function captionSound({ seatToken, sound, type, language }: CaptionSound): Promise<void> {
  const participant = await actOnStage(seatToken, 'listen', async (tx, participant) => {
    const { settings } = await readEventSettings(tx, participant.workshopId)
    if (settings.captions !== 'automatic') throw new Refusal('conflict')
    return participant
  })
  const { ai } = config
  if (!ai) throw formRefusal('machine_absent')
  const folder = await mkdtemp(path.join(os.tmpdir(), 'caption-'))
  try {
    const name = `sound.${FILE_EXTENSIONS[type]}`
    const file = path.join(folder, name)
    await writeFile(file, Buffer.from(sound, 'base64'))
    const segments = await transcribe(ai, { path: file, name, language, timeoutMs: CAPTION_TIMEOUT_MS })
    const text = segments
      .map((participant) => participant.text)
      .join(' ')
      .slice(0, 500)
    if (text) await inTenant(participant, (tx) => appendCaption(tx, participant, { text, language }))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

// A later caption no longer matches the video.
const CAPTION_TIMEOUT_MS = 15_000
const FILE_EXTENSIONS = { 'audio/webm': 'webm', 'audio/ogg': 'ogg', 'audio/mp4': 'mp4' } as const
