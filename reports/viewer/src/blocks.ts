// What the page carries, in blocks that are unpacked when they are asked for: reports/outputs/html_report.h.

/** A browser without it cannot show anything of this page. */
export const canUnpack = (): boolean => typeof DecompressionStream === "function";

export type Blocks = string[];

/** One block a line. The element lets go of its text, so that it is there once. */
export function takeBlocks(element: HTMLElement): Blocks {
  const text = element.textContent ?? "";
  element.textContent = "";
  return text.split("\n");
}

type FromBase64 = { fromBase64?: (text: string) => Uint8Array<ArrayBuffer> };

/** Newer browsers have a function that is many times as fast. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const fast = (Uint8Array as FromBase64).fromBase64;
  if (fast) return fast.call(Uint8Array, base64);
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; ++i) bytes[i] = text.charCodeAt(i);
  return bytes;
}

function unpacked(base64: string): Response {
  const stream = new DecompressionStream("deflate");
  const writer = stream.writable.getWriter();
  // What is wrong with the block is told to who reads.
  writer.write(bytesOf(base64)).catch(() => {});
  writer.close().catch(() => {});
  return new Response(stream.readable);
}

export const unpackJson = async (block: string): Promise<unknown> => unpacked(block).json();
export const unpackBytes = async (block: string): Promise<ArrayBuffer> => unpacked(block).arrayBuffer();
