import { Done, done, procedureForRoles, signedInProcedure } from '#lib/core/http/api/procedure.ts'
import { getCaption, listCaptions, removeCaption, saveCaption } from './caption/caption.ts'
import { requestCaptions, requestTexts } from './caption/generation.ts'
import { copyFiles } from './copy.ts'
import { getFile } from './details.ts'
import { createFolder, ensureFolders, moveFiles, renameFile } from './folders.ts'
import {
  CaptionRef,
  ChoosePoster,
  CreateFolder,
  DeleteFiles,
  EnsureFolders,
  FileRef,
  FileRefs,
  FindDuplicate,
  ListFiles,
  MoveFiles,
  RenameFile,
  RenewPlayback,
  RequestCaptions,
  SaveCaption,
  SaveChapters,
  SavePosition,
  SaveTexts,
  SignPart,
  StartUpload,
  UploadRef,
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
import { getVideoEditor, saveChapters, saveTexts } from './video-editor.ts'
import { prepareZip } from './zip.ts'

const staff = procedureForRoles('OWNER', 'DIRECTOR', 'EXPERT')

/** The API procedures of the file library. */
export const storageProcedures = {
  list: staff.input(ListFiles).handler(({ input, context }) => listFiles(context.actor, input)),
  get: staff.input(FileRef).handler(({ input, context }) => getFile(context.actor, input)),
  createFolder: staff.input(CreateFolder).handler(({ input, context }) => createFolder(context.actor, input)),
  ensureFolders: staff.input(EnsureFolders).handler(({ input, context }) => ensureFolders(context.actor, input)),
  rename: staff.input(RenameFile).handler(({ input, context }) => renameFile(context.actor, input)),
  move: staff.input(MoveFiles).handler(({ input, context }) => moveFiles(context.actor, input)),
  copy: staff.input(MoveFiles).handler(({ input, context }) => copyFiles(context.actor, input)),
  delete: staff.input(DeleteFiles).handler(({ input, context }) => deleteFiles(context.actor, input)),
  restore: staff.input(FileRefs).handler(({ input, context }) => restoreFiles(context.actor, input)),
  purge: staff.input(FileRefs).handler(({ input, context }) => purgeFiles(context.actor, input)),
  emptyTrash: staff.handler(({ context }) => emptyTrash(context.actor)),
  offerZip: staff.input(ZipFiles).handler(({ input, context }) => prepareZip(context.actor, input)),
  startUpload: staff.input(StartUpload).handler(({ input, context }) => startUpload(context.actor, input)),
  signPart: signedInProcedure.input(SignPart).handler(({ input, context }) => signPart(context.actor, input)),
  listParts: signedInProcedure.input(UploadRef).handler(({ input, context }) => listParts(context.actor, input)),
  finishUpload: signedInProcedure.input(UploadRef).handler(({ input, context }) => finishUpload(context.actor, input)),
  abortUpload: signedInProcedure
    .input(UploadRef)
    .output(Done)
    .handler(({ input, context }) => abortUpload(context.actor, input).then(done)),
  listUploads: signedInProcedure.handler(({ context }) => listUploads(context.actor)),
  findDuplicate: staff.input(FindDuplicate).handler(({ input, context }) => findDuplicate(context.actor, input)),
  getQuota: staff.handler(({ context }) => getQuota(context.actor)),
  getPlayback: staff.input(FileRef).handler(({ input, context }) => getPlayback(context.actor, input)),
  renewPlayback: signedInProcedure
    .input(RenewPlayback)
    .handler(({ input, context }) => renewPlayback(context.actor, input)),
  savePosition: signedInProcedure
    .input(SavePosition)
    .output(Done)
    .handler(({ input, context }) => savePosition(context.actor, input).then(done)),
  getVideo: staff.input(FileRef).handler(({ input, context }) => getVideo(context.actor, input)),
  retryVideo: staff
    .input(FileRef)
    .output(Done)
    .handler(({ input, context }) => retryVideo(context.actor, input).then(done)),
  choosePoster: staff
    .input(ChoosePoster)
    .output(Done)
    .handler(({ input, context }) => choosePoster(context.actor, input).then(done)),
  getVideoEditor: staff.input(FileRef).handler(({ input, context }) => getVideoEditor(context.actor, input)),
  saveTexts: staff.input(SaveTexts).handler(({ input, context }) => saveTexts(context.actor, input)),
  saveChapters: staff.input(SaveChapters).handler(({ input, context }) => saveChapters(context.actor, input)),
  listCaptions: staff.input(FileRef).handler(({ input, context }) => listCaptions(context.actor, input)),
  getCaption: staff.input(CaptionRef).handler(({ input, context }) => getCaption(context.actor, input)),
  saveCaption: staff.input(SaveCaption).handler(({ input, context }) => saveCaption(context.actor, input)),
  removeCaption: staff
    .input(CaptionRef)
    .output(Done)
    .handler(({ input, context }) => removeCaption(context.actor, input).then(done)),
  requestCaptions: staff
    .input(RequestCaptions)
    .output(Done)
    .handler(({ input, context }) => requestCaptions(context.actor, input).then(done)),
  requestTexts: staff
    .input(FileRef)
    .output(Done)
    .handler(({ input, context }) => requestTexts(context.actor, input).then(done)),
}
