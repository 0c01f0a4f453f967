/** `1 line`, `3 lines`: a number with what it counts. */
export function countText(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`
}
