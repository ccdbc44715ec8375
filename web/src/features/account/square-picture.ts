/** The side of an uploaded picture in pixels: twice that of a stored one. */
const side = 960;

/**
 * Returns the middle square of a picture as a JPEG, upright and at most 960 pixels wide. The shop would cut the picture
 * in the same way, but a photo of 50 megapixels is too large to upload. Returns the file itself if no side of the
 * picture is longer than 960 pixels, or if the browser cannot decode it: the shop then decides whether it is valid.
 */
export async function squarePicture(file: File): Promise<Blob> {
  const url = URL.createObjectURL?.(file);
  if (!url) return file;
  try {
    const picture = new Image();
    picture.src = url;
    await picture.decode();
    const { naturalWidth: width, naturalHeight: height } = picture;
    if (Math.max(width, height) <= side) return file;
    return (await drawSquare(picture, width, height)) ?? file;
  } catch {
    return file;
  } finally {
    URL.revokeObjectURL(url);
  }
}

/**
 * Draws the middle square. The browser applies the EXIF orientation when it draws a picture, so the result is upright.
 */
function drawSquare(picture: HTMLImageElement, width: number, height: number): Promise<Blob | null> {
  const cut = Math.min(width, height);
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = Math.min(cut, side);
  const context = canvas.getContext('2d');
  if (!context) return Promise.resolve(null);
  context.fillStyle = '#fff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.imageSmoothingQuality = 'high';
  context.drawImage(picture, (width - cut) / 2, (height - cut) / 2, cut, cut, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', 0.9));
}
