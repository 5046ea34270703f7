import { Done, done, procedureForRoles, signedInProcedure } from '#lib/core/http/api/procedure.ts'
import { getCaption, listCaptions, removeCaption, saveCaption } from './caption/caption.ts'
import { askCaptions, askTexts } from './caption/generation.ts'
import { copyFiles } from './copy.ts'
import { getFile } from './details.ts'
import { createFolder, ensureFolders, moveFiles, renameFile } from './folders.ts'
import {
  AskCaptions,
  ChoosePoster,
  CreateFolder,
  DeleteFiles,
  EnsureFolders,
  FindDuplicate,
  ListFiles,
  MoveFiles,
  OneCaption,
  OneFile,
  OneUpload,
  RenameFile,
  RenewPlayback,
  SaveCaption,
  SaveChapters,
  SavePosition,
  SaveTexts,
  SignPart,
  SomeFiles,
  StartUpload,
  ZipFiles,
} from './schema.ts'
import { listFiles } from './storage.ts'
import { deleteFiles, emptyTrash, purgeFiles, restoreFiles } from './trash.ts'
import { abortUpload } from './upload/abort.ts'
import { finishUpload } from './upload/finish.ts'
import { getQuota } from './upload/quota.ts'
import { findDuplicate, listParts, listUploads, signPart, startUpload } from './upload/upload.ts'
import { getPlayback, renewPlayback, savePosition } from './video/playback.ts'
import { choosePoster, getVideo, retryVideo } from './video/video.ts'
import { getDesk, saveChapters, saveTexts } from './video-editor.ts'
import { offerZip } from './zip.ts'

const staff = procedureForRoles('OWNER', 'DIRECTOR', 'EXPERT')

/** The storage room at the API's door. */
export const storage = {
  list: staff.input(ListFiles).handler(({ input, context }) => listFiles(context.actor, input)),
  get: staff.input(OneFile).handler(({ input, context }) => getFile(context.actor, input)),
  createFolder: staff.input(CreateFolder).handler(({ input, context }) => createFolder(context.actor, input)),
  ensureFolders: staff.input(EnsureFolders).handler(({ input, context }) => ensureFolders(context.actor, input)),
  rename: staff.input(RenameFile).handler(({ input, context }) => renameFile(context.actor, input)),
  move: staff.input(MoveFiles).handler(({ input, context }) => moveFiles(context.actor, input)),
  copy: staff.input(MoveFiles).handler(({ input, context }) => copyFiles(context.actor, input)),
  delete: staff.input(DeleteFiles).handler(({ input, context }) => deleteFiles(context.actor, input)),
  restore: staff.input(SomeFiles).handler(({ input, context }) => restoreFiles(context.actor, input)),
  purge: staff.input(SomeFiles).handler(({ input, context }) => purgeFiles(context.actor, input)),
  emptyTrash: staff.handler(({ context }) => emptyTrash(context.actor)),
  offerZip: staff.input(ZipFiles).handler(({ input, context }) => offerZip(context.actor, input)),
  startUpload: staff.input(StartUpload).handler(({ input, context }) => startUpload(context.actor, input)),
  signPart: signedInProcedure.input(SignPart).handler(({ input, context }) => signPart(context.actor, input)),
  listParts: signedInProcedure.input(OneUpload).handler(({ input, context }) => listParts(context.actor, input)),
  finishUpload: signedInProcedure.input(OneUpload).handler(({ input, context }) => finishUpload(context.actor, input)),
  abortUpload: signedInProcedure
    .input(OneUpload)
    .output(Done)
    .handler(({ input, context }) => abortUpload(context.actor, input).then(done)),
  listUploads: signedInProcedure.handler(({ context }) => listUploads(context.actor)),
  findDuplicate: staff.input(FindDuplicate).handler(({ input, context }) => findDuplicate(context.actor, input)),
  getQuota: staff.handler(({ context }) => getQuota(context.actor)),
  getPlayback: staff.input(OneFile).handler(({ input, context }) => getPlayback(context.actor, input)),
  renewPlayback: signedInProcedure
    .input(RenewPlayback)
    .handler(({ input, context }) => renewPlayback(context.actor, input)),
  savePosition: signedInProcedure
    .input(SavePosition)
    .output(Done)
    .handler(({ input, context }) => savePosition(context.actor, input).then(done)),
  getVideo: staff.input(OneFile).handler(({ input, context }) => getVideo(context.actor, input)),
  retryVideo: staff
    .input(OneFile)
    .output(Done)
    .handler(({ input, context }) => retryVideo(context.actor, input).then(done)),
  choosePoster: staff
    .input(ChoosePoster)
    .output(Done)
    .handler(({ input, context }) => choosePoster(context.actor, input).then(done)),
  getDesk: staff.input(OneFile).handler(({ input, context }) => getDesk(context.actor, input)),
  saveTexts: staff.input(SaveTexts).handler(({ input, context }) => saveTexts(context.actor, input)),
  saveChapters: staff.input(SaveChapters).handler(({ input, context }) => saveChapters(context.actor, input)),
  listCaptions: staff.input(OneFile).handler(({ input, context }) => listCaptions(context.actor, input)),
  getCaption: staff.input(OneCaption).handler(({ input, context }) => getCaption(context.actor, input)),
  saveCaption: staff.input(SaveCaption).handler(({ input, context }) => saveCaption(context.actor, input)),
  removeCaption: staff
    .input(OneCaption)
    .output(Done)
    .handler(({ input, context }) => removeCaption(context.actor, input).then(done)),
  askCaptions: staff
    .input(AskCaptions)
    .output(Done)
    .handler(({ input, context }) => askCaptions(context.actor, input).then(done)),
  askTexts: staff
    .input(OneFile)
    .output(Done)
    .handler(({ input, context }) => askTexts(context.actor, input).then(done)),
}
