export { findFile, readFile, type StoredFile, type StoredImage, storeImage } from './image.ts'
export { announce } from './live.ts'
