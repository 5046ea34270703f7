import { findEncoder } from '#lib/core/media/encoder.ts'
import { runMediaTask } from '#lib/core/media/media-task.ts'
import { withTemporaryFolder } from '#lib/core/media/temporary-folder.ts'

/* A process that encodes without end until it is killed; prints its folder. */
const encoder = await findEncoder()
if (!encoder) throw new Error('no ffmpeg')
await withTemporaryFolder(async (folder) => {
  console.log(folder)
  const video = ['-re', '-f', 'lavfi', '-i', 'testsrc2=size=64x64', '-f', 'null', `${folder}/nothing`]
  await runMediaTask(encoder, {
    program: 'ffmpeg',
    args: video,
    folder,
    timeoutSeconds: 600,
    signal: new AbortController().signal,
  })
})
