import { findEncoder } from '#lib/core/media/encoder.ts'
import { run } from '#lib/core/media/run.ts'
import { withScratch } from '#lib/core/media/scratch.ts'

/*
 * A process that encodes without end, to be killed: tells its folder and stays.
 */
const encoder = await findEncoder()
if (!encoder) throw new Error('no ffmpeg')
await withScratch(async (folder) => {
  console.log(folder)
  const film = ['-re', '-f', 'lavfi', '-i', 'testsrc2=size=64x64', '-f', 'null', `${folder}/nothing`]
  await run(encoder, { program: 'ffmpeg', args: film, folder, seconds: 600, signal: new AbortController().signal })
})
