// The page's data: compressed blocks, each unpacked when it is needed. Formats: reports/outputs/html_report.h and
// reports/history/packed_series.h.
import type { History, Status } from "./report.ts";

/** Old browsers lack DecompressionStream and cannot show the page. */
export const canUnpack = (): boolean => typeof DecompressionStream === "function";

export type Blocks = string[];

/** One block per line. The element's text is cleared, so that memory holds the data once. */
export function takeBlocks(element: HTMLElement): Blocks {
  const text = element.textContent ?? "";
  element.textContent = "";
  return text.split("\n");
}

type FromBase64 = { fromBase64?: (text: string) => Uint8Array<ArrayBuffer> };

/** Newer browsers have a function that is much faster. */
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
  // The reader of the stream gets the same error.
  writer.write(bytesOf(base64)).catch(() => {});
  writer.close().catch(() => {});
  return new Response(stream.readable);
}

export const unpackJson = async (block: string): Promise<unknown> => unpacked(block).json();

export const unpackBytes = async (block: string): Promise<ArrayBuffer> => unpacked(block).arrayBuffer();

/** One element per night. NaN: no value. */
export interface Points {
  status: (Status | null)[];
  value: Float64Array;
  anchor: Float64Array | null;
}

const STEPS_PER_OCTAVE = 1024;

const FIRST_OCTAVE = -40;

const FIRST = 2; // smaller codes: 0 is missing, 1 is zero

const INFINITE = 65535;

function valueOf(code: number): number {
  if (code === INFINITE) return Infinity;
  return code >= FIRST ? 2 ** ((code - FIRST) / STEPS_PER_OCTAVE + FIRST_OCTAVE) : code === 0 ? NaN : 0;
}

/** Decodes differences: from `begin` on, a plane of low bytes and a plane of high bytes, each of `plane` bytes. */
function valuesOf(bytes: Uint8Array, begin: number, plane: number, at: number, nights: number): Float64Array {
  const values = new Float64Array(nights);
  let code = 0;
  for (let i = 0; i < nights; ++i) {
    const place = begin + at * nights + i;
    const zigzag = bytes[place]! | (bytes[place + plane]! << 8);
    code = (code + ((zigzag >> 1) ^ -(zigzag & 1))) & 0xffff;
    values[i] = valueOf(code);
  }
  return values;
}

export class PointReader {
  private readonly unpacked = new Map<number, Promise<Uint8Array>>();

  constructor(
    private readonly history: History,
    private readonly blocks: Blocks,
  ) {}

  async read(series: number): Promise<Points> {
    const { series_per_block, nights, statuses } = this.history;
    const number = Math.floor(series / series_per_block);
    const bytes = await this.block(number);
    const size = Math.min(series_per_block, this.history.series.id.length - number * series_per_block);
    const plane = size * nights.length;
    const at = series % series_per_block;
    const status = [...bytes.subarray(at * nights.length, (at + 1) * nights.length)].map((code) =>
      code ? statuses[code - 1]! : null,
    );
    return {
      status,
      value: valuesOf(bytes, plane, plane, at, nights.length),
      anchor: bytes.length > 3 * plane ? valuesOf(bytes, 3 * plane, plane, at, nights.length) : null,
    };
  }

  /** Throws if the file is damaged. */
  private block(number: number): Promise<Uint8Array> {
    let bytes = this.unpacked.get(number);
    if (!bytes) {
      const text = this.blocks[this.history.first_block + number] ?? "";
      bytes = unpackBytes(text).then((buffer) => new Uint8Array(buffer));
      this.unpacked.set(number, bytes);
    }
    return bytes;
  }
}
