/** Acts once what stands in the page now has been painted; what it answers calls that off. */
export function afterPaint(act: () => void): () => void {
  let next: ReturnType<typeof setTimeout> | undefined;
  const frame = requestAnimationFrame(() => {
    next = setTimeout(act);
  });
  return () => {
    cancelAnimationFrame(frame);
    clearTimeout(next);
  };
}
